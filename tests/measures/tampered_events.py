"""Honest events to tamper with: finished and running, with something of everything."""

from collections.abc import Iterator
from typing import Any

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.keeping_apart.services import add_separated_pair
from tournaments.models import Event, Match
from tournaments.penalties.services import give_penalty
from tournaments.players.services import departures
from tournaments.results.services.results import correct_result
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot
from tournaments.strikes.services import strike
from tournaments.undo.services import redo, undo

LATE = {"format": "creatures-of-exo", "formula": "swiss-cut"}


def honest_events(by: Actor) -> Iterator[tuple[str, Event]]:
    """Yield each event with what it is called."""
    yield "swiss, running", swiss(by)
    yield "swiss, finished", make.play_event(swiss(by), by)
    yield "groups, running", groups(by)
    yield "mutant, finished", mutant(by)
    yield "undone, running", undone(by)


def swiss(by: Actor) -> Event:
    """Return Swiss rounds with lists, a cut to come, pairs apart, penalties and who left."""
    event = make.open_event(by, decklists="required", **LATE, options={"rounds": 3, "cut": 2})
    make.players(event, 9, by)
    for number in (2, 3):
        event.entries.filter(number=number).update(user=make.user())
    make.with_decks(event, by)
    make.with_decks(event, by)
    add_separated_pair(event=event, numbers=(1, 2), by=by)
    add_separated_pair(event=event, numbers=(3, 4), by=by)
    draw = make.draws.draw_start_order(event=event, by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    event = Event.objects.get(pk=event.pk)
    make.play_round(make.next_round(event, by), by)
    for number, words in ((3, "late"), (4, "asleep")):
        entry = event.entries.get(number=number)
        give_penalty(entry=entry, level="warning", infraction=words, by=by)
    departures.withdraw(entry=event.entries.get(number=6), reason="train", by=by)
    make.play_round(make.next_round(event, by), by)
    return Event.objects.get(pk=event.pk)


def groups(by: Actor) -> Event:
    """Return groups that were played, and a knock-out whose first round is out."""
    event = make.stage_played(by, 8, format="creatures-of-exo", formula="groups-knockout")
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_tied_order(event=event, tied=needed[0], by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    return Event.objects.get(pk=event.pk)


def mutant(by: Actor) -> Event:
    """Return a finished Mutant Chronicles event in which every third match was drawn."""
    return make.play_event(make.started(by, 8), by, _sometimes_drawn)


def _sometimes_drawn(match: Match, index: int) -> Claim:
    if match.draws and index % 3 == 1:
        return Claim(score=(20, 20))
    return make.a_wins(match, index)


def undone(by: Actor) -> Event:
    """Return a group in which acts were undone and redone, and a snapshot put back."""
    event = make.halfway(by, 6, formula="single-group")
    fresh: Any = lambda: Event.objects.get(pk=event.pk)  # noqa: E731
    departures.withdraw(entry=event.entries.get(number=1), reason="ill", by=by)
    undo(event=event, expected=fresh().version, by=by)
    redo(event=event, expected=fresh().version, by=by)
    strike(entry=event.entries.get(number=1), reason="left", by=by)
    departures.disqualify(entry=event.entries.get(number=2), reason="cheated", by=by)
    make.play_round(make.next_round(event, by), by)
    discard_round(event=event, ordinal=2, confirm="Round 2", by=by)
    snapshot = event.snapshots.latest("pk")
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    match = event.rounds.get(ordinal=2).matches.filter(state="final").last()
    claim = Claim(score=(5, 15))
    correct_result(match=match, version=match.version, claim=claim, reason="typed wrong", by=by)
    departures.withdraw(entry=event.entries.get(number=3), reason="train", by=by)
    undo(event=event, expected=fresh().version, by=by)
    give_penalty(entry=event.entries.get(number=4), level="warning", infraction="late", by=by)
    return fresh()
