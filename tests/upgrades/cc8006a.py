"""Events whose last act kept rows, with snapshots and rounds in play, made by that program itself.

``bin/old-database`` runs the file that has a commit's name in the shell of the program as it was.
"""

from dataclasses import replace

from rules.matches.tables.claims import TableClaim
from tournaments.results.services.absences import say_absent
from tournaments.undo.services.undo import undo

from rules.matches.match_rules import Claim
from rules.matches.settling import resolve_claim
from rules.results import SeatMark
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.corrections.selectors.choices import result_correction
from tournaments.corrections.services.results import correct_and_delete_rounds, correct_and_reseat
from tournaments.models import Event, Match
from tournaments.players.services.departures import withdraw
from tournaments.players.services.late_entries import add_late_entry
from tournaments.undo.selectors import last_act

SWISS = {
    "format": "creatures-of-exo",
    "formula": "swiss-cut",
    "options": {"rounds": 3, "cut": 0},
}
CUP = {"formula": "single-elimination", "options": {}}
by = make.organiser()


def fresh(event):
    return Event.objects.get(pk=event.pk)


def corrected(event, claim, act):
    """Correct the first result of the event's first round, and what was made from it."""
    match = (
        Match.objects.select_related("round__event", "group__stage", "decision")
        .filter(round__event=event, round__ordinal=1, size__gt=1)
        .order_by("number")
        .first()
    )
    rules = match_rules(match, match.round.event)
    outcome = resolve_claim(rules, replace(claim, by_staff=True, note="Wrong slip"))
    shown = result_correction(load_facts(event), match, outcome).mark
    act(
        match=match,
        version=match.version,
        claim=claim,
        reason="Wrong slip",
        shown=shown,
        by=by,
    )


def taken_back(event):
    undo(event=fresh(event), expected=last_act(fresh(event)).line.number, by=by)


late = make.halfway(by, 8, name="Late", **SWISS)
add_late_entry(event=fresh(late), name="Zita", missed="loss", by=by)

moved = make.halfway(by, 8, name="Moved", **CUP)
make.next_round(moved, by)
corrected(fresh(moved), Claim(score=(10, 40)), correct_and_reseat)

tables = make.halfway(by, 9, name="Tables", **make.TABLES)
make.next_round(tables, by)
corrected(fresh(tables), TableClaim(winner=3), correct_and_delete_rounds)

leaves = make.halfway(by, 8, name="Leaves", **SWISS)
make.next_round(leaves, by)
withdraw(entry=leaves.entries.get(number=1), by=by)

gone = make.halfway(by, 8, name="Gone", **CUP)
make.next_round(gone, by)
corrected(fresh(gone), Claim(score=(10, 40)), correct_and_delete_rounds)

absent = make.playing(by, 8, name="Absent", **make.TABLES)
match = Match.objects.filter(round__event=absent, size=4).first()
away = TableClaim(marks=((2, SeatMark.ABSENT),), by_staff=True)
say_absent(match=match, version=match.version, claim=away, by=by)

undone = make.halfway(by, 8, name="Undone", **CUP)
make.next_round(undone, by)
corrected(fresh(undone), Claim(score=(10, 40)), correct_and_reseat)
taken_back(undone)

again = make.halfway(by, 7, name="Again", **SWISS)
add_late_entry(event=fresh(again), name="Zita", missed="bye", by=by)
taken_back(again)
