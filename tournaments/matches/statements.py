"""What the players of a table of three and more have said of its result, and what it comes to.

Source: tables, 7.
"""

from collections.abc import Iterator

from rules.events.lifecycle import next_state
from rules.matches.agreement import without_absent
from rules.matches.quorum import Statement, Told, decided_by
from rules.matches.tables.claims import impossible, seats_with
from rules.results import Mark, Outcome
from tournaments.core.mapping import gone_from, outcome_of
from tournaments.core.permissions import Actor
from tournaments.matches.selectors import reports_by_player
from tournaments.matches.services import add_outcome
from tournaments.models import Match, Report

OF_PLAYERS = (Report.Kind.REPORT, Report.Kind.CONFIRMATION, Report.Kind.DENIAL)
STEPS = {
    (Match.State.OPEN, Told.REPORTED): ("report",),
    (Match.State.OPEN, Told.FINAL): ("report", "confirm"),
    (Match.State.REPORTED, Told.REPORTED): ("report",),
    (Match.State.REPORTED, Told.DISPUTED): ("dispute",),
    (Match.State.REPORTED, Told.FINAL): ("confirm",),
    (Match.State.DISPUTED, Told.REPORTED): ("agree",),
    (Match.State.DISPUTED, Told.DISPUTED): (),
    (Match.State.DISPUTED, Told.FINAL): ("accept",),
}
"""The steps of the lifecycle from a state to what the statements come to."""


def statements(match: Match) -> list[tuple[Statement, Report]]:
    """Return what each player who sits here now said last, with its report, oldest first.

    A seat that speaks again stands behind the others. One query; two more from a match that is not
    loaded with its players.
    """
    found: dict[int, tuple[Statement, Report]] = {}
    for seat, report in _told(match):
        denies = report.kind == Report.Kind.DENIAL
        found.pop(seat, None)
        told = Statement(seat=seat, outcome=outcome_of(report, match.size), denies=denies)
        found[seat] = (told, report)
    return list(found.values())


def _told(match: Match) -> Iterator[tuple[int, Report]]:
    own = match.reports.filter(version__gt=match.version_before, kind__in=OF_PLAYERS)
    seats = {player.pk: seat for seat, player in enumerate(match.players, start=1)}
    accounts = {player.user_id: player.pk for player in match.players if player.user_id}
    for player, report in reports_by_player(seats, own.order_by("version"), accounts):
        yield seats[player], report


def last_told(match: Match) -> tuple[int, Report] | None:
    """Return the last report with a result of its own and its seat, None before the first."""
    told = [each for each in _told(match) if each[1].kind == Report.Kind.REPORT]
    return told[-1] if told else None


def as_it_is_now(match: Match, outcome: Outcome) -> Outcome:
    """Return what was reported of a table, without those who were absent or are disqualified.

    Raises BadInput ``impossible_result`` where one of them was first.
    """
    found = without_absent(outcome, gone_from(match))
    if found is None:
        raise impossible(
            match.size, "Who was first there does not count at this table: say who wins instead."
        )
    return found


def bring_up_to_date(match: Match) -> Outcome | None:
    """Give a table, unsaved, the state that all statements come to; return what is agreed, if so.

    Those who have left or are absent are not asked: what they said counts no more. Where they had
    won, nothing is agreed.
    """
    marks = gone_from(match)
    gone = seats_with(marks, *Mark)
    said = [told for told, _report in statements(match)]
    told = decided_by(said, size=match.size, gone=gone)
    agreed = None
    if told is Told.FINAL:
        last = [each.outcome for each in said if each.seat not in gone][-1]
        agreed = without_absent(last, marks)
        told = Told.REPORTED if agreed is None else told
    for step in STEPS[Match.State(match.state), told]:
        match.state = next_state("match", match.state, step)
    return agreed


def ask_fewer(match: Match) -> bool:
    """Save what a reported or disputed table comes to now that somebody has left, or is absent.

    Where those who stay agree, that counts from now on: a confirmation by nobody. Return whether
    it does.
    """
    agreed = bring_up_to_date(match)
    if agreed is not None:
        match.decision = add_outcome(match, Report.Kind.CONFIRMATION, agreed, by=Actor())
    match.save(update_fields=["version", "state", "decision"])
    return agreed is not None
