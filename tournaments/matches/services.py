"""What all writes on a match share (locking the row, adding a report, logging it), and what the
players of a multiplayer table come to.

Source: tables, 7.
"""

from collections.abc import Iterator, Mapping

from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.matches.agreement import ReportState, SeatReport, combine_reports, remove_absent_players
from rules.matches.settling import impossible_table_result_error, seats_with_mark
from rules.people.person_names import join_names
from rules.results import Outcome, SeatMark
from rules.wording import Sentence
from tournaments.core.acts import Act
from tournaments.core.mapping import absence_marks, outcome_from_report, report_from_outcome
from tournaments.core.permissions import Actor
from tournaments.log.services import lock_event, record
from tournaments.matches.selectors import match_stamp, reports_by_player
from tournaments.models import Match, MatchSeat, Report
from tournaments.models.play import seated_matches

PLAYS = Sentence("Paired manually by the organiser.")
"""Why the two of a match meet whom people paired, or gave it to."""


class StaleError(RuleError):
    """Error for a match that has changed since the page was made; ``match`` is as it is now."""

    def __init__(self, match: Match) -> None:
        super().__init__("stale")
        self.match = match


def lock_match(match: Match) -> Match:
    """Lock a match's event, and return the match reloaded.

    Raises RuleError ``match_gone``.
    """
    event = lock_event(match.round.event)
    seats = MatchSeat.objects.filter(match=match.pk).order_by("number")
    related = ("match__round", "match__group__stage", "match__decision", "entry")
    (found,) = seated_matches(seats.select_related(*related)) or (None,)
    if found is None:
        raise match_gone_error()
    found.round.event = event
    return found


def match_gone_error() -> RuleError:
    """Return the error ``match_gone`` for a match that doesn't exist any more."""
    return RuleError("match_gone", "Not found. Reload the page.")


def check_opponent(match: Match) -> None:
    """Raise RuleError ``no_opponent`` for a bye, whose result is fixed."""
    if match.size == 1:
        raise RuleError("no_opponent")


def check_match_stamp(match: Match, shown: str) -> None:
    """Raise RuleError ``table_changed`` if a match's table or players have changed.

    ``shown``: what `match_stamp` returned for the page; "" skips the check.
    """
    present = match_stamp(match.table, *(player.number for player in match.players))
    if shown and shown != present:
        raise RuleError("table_changed")


def add_outcome(match: Match, kind: str, outcome: Outcome, *, by: Actor, note: str = "") -> Report:
    """Store an outcome as the match's next report, and return the report.

    ``match.version`` grows by one; the match is not saved. ``kind``: one of ``Report.Kind``.
    """
    match.version += 1
    report = report_from_outcome(
        outcome,
        match=match,
        version=match.version,
        kind=kind,
        note=note[:500],
        by=by.user,
        by_entry=by.entry if by.user is None else None,
    )
    report.save(force_insert=True)
    return report


def settle_match(match: Match, outcome: Outcome, *, by: Actor) -> None:
    """Store an outcome that follows from the rules as final, and save the match.

    Such as a bye or forfeit.
    """
    report = add_outcome(match, Report.Kind.AUTOMATIC, outcome, by=by)
    set_decision(match, report, Match.State.FINAL)


def set_decision(match: Match, report: Report, state: str) -> None:
    """Make a report the one that decides the match, set its state, and save the match."""
    match.decision, match.state = report, state
    match.save(update_fields=["version", "decision", "state"])


def match_log_subject(match: Match) -> str:
    """Return the name of a match in log lines: "ROUND/TABLE: names"."""
    names = join_names(match.players)
    return f"{match.round.ordinal}/{match.table or match.number}: {names}"


def log_result(
    match: Match,
    act: Act,
    *,
    by: Actor,
    report: Report,
    before: Outcome | None = None,
    was: str = "",
    reason: str = "",
    further_values: Mapping[str, object] | None = None,
) -> None:
    """Write the log line of a report.

    ``before``: the outcome that it replaces; ``was``: the match's state before, "" to leave it out;
    ``further_values``: more values for the line.
    """
    record(
        match.round.event,
        act,
        by=by,
        subject=match_log_subject(match),
        before=({"state": was} if was else {}) | (outcome_log_json(before) if before else {}),
        after=report_log_json(match, report) | dict(further_values or {}),
        reason=reason,
    )


def report_log_json(match: Match, report: Report) -> dict[str, object]:
    """Return a report as JSON values for the log, with the match's number and state."""
    told = {"match": match.number, "version": report.version, "state": match.state}
    return told | outcome_log_json(outcome_from_report(report, match.size))


def outcome_log_json(outcome: Outcome) -> dict[str, object]:
    """Return an outcome as JSON values, as the log stores it."""
    if len(outcome.places) > 2:
        return {
            "places": list(outcome.places) if outcome.counts else None,
            "marks": {str(seat): str(mark) for seat, mark in outcome.marks},
            "ended_by": str(outcome.ended_by),
        }
    return {
        "winner": str(outcome.winner),
        "score": list(outcome.score) if outcome.score else None,
        "games": list(outcome.games),
        "ended_by": str(outcome.ended_by),
    }


OF_PLAYERS = (Report.Kind.REPORT, Report.Kind.CONFIRMATION, Report.Kind.DENIAL)
STEPS = {
    (Match.State.OPEN, ReportState.REPORTED): ("report",),
    (Match.State.OPEN, ReportState.FINAL): ("report", "confirm"),
    (Match.State.REPORTED, ReportState.REPORTED): ("report",),
    (Match.State.REPORTED, ReportState.DISPUTED): ("dispute",),
    (Match.State.REPORTED, ReportState.FINAL): ("confirm",),
    (Match.State.DISPUTED, ReportState.REPORTED): ("agree",),
    (Match.State.DISPUTED, ReportState.DISPUTED): (),
    (Match.State.DISPUTED, ReportState.FINAL): ("accept",),
}
"""The steps of the lifecycle from a state to what the statements come to."""


def latest_statements(match: Match) -> list[tuple[SeatReport, Report]]:
    """Return (statement, report) for the last statement of each player at the table.

    A statement is a report, confirmation or denial of a result; they are in the order in which they
    were made. One query, two more if the match is loaded without its players.
    """
    found: dict[int, tuple[SeatReport, Report]] = {}
    for seat, report in _told(match):
        denies = report.kind == Report.Kind.DENIAL
        found.pop(seat, None)
        told = SeatReport(seat=seat, outcome=outcome_from_report(report, match.size), denies=denies)
        found[seat] = (told, report)
    return list(found.values())


def _told(match: Match) -> Iterator[tuple[int, Report]]:
    own = match.reports.filter(version__gt=match.version_before, kind__in=OF_PLAYERS)
    seats = {player.pk: seat for seat, player in enumerate(match.players, start=1)}
    accounts = {player.user_id: player.pk for player in match.players if player.user_id}
    for player, report in reports_by_player(seats, own.order_by("version"), accounts):
        yield seats[player], report


def last_reported_result(match: Match) -> tuple[int, Report] | None:
    """Return (seat, report) of the last result that a player reported, None without one.

    Confirmations and denials are not among them.
    """
    told = [each for each in _told(match) if each[1].kind == Report.Kind.REPORT]
    return told[-1] if told else None


def remove_departed_players(match: Match, outcome: Outcome) -> Outcome:
    """Return a multiplayer outcome without absent and disqualified players.

    Raises BadInput ``impossible_result`` if one of them had won.
    """
    found = remove_absent_players(outcome, absence_marks(match))
    if found is None:
        raise impossible_table_result_error(
            match.size, "This player is absent: choose another winner."
        )
    return found


def apply_statements(match: Match) -> Outcome | None:
    """Set a match's state from its players' statements, unsaved.

    Return the outcome that enough players agree on, else None. Statements of absent and dropped
    players are ignored; an outcome that one of them had won is not agreed.
    """
    marks = absence_marks(match)
    gone = seats_with_mark(marks, *SeatMark)
    said = [told for told, _report in latest_statements(match)]
    told = combine_reports(said, size=match.size, gone=gone)
    agreed = None
    if told is ReportState.FINAL:
        last = [each.outcome for each in said if each.seat not in gone][-1]
        agreed = remove_absent_players(last, marks)
        told = ReportState.REPORTED if agreed is None else told
    for step in STEPS[Match.State(match.state), told]:
        match.state = next_state("match", match.state, step)
    return agreed


def settle_after_absence(match: Match) -> bool:
    """Update a table's state after a player dropped or is absent, and save it.

    A result that the remaining players agree on becomes final. Return whether one does.
    """
    agreed = apply_statements(match)
    if agreed is not None:
        match.decision = add_outcome(match, Report.Kind.CONFIRMATION, agreed, by=Actor())
    match.save(update_fields=["version", "state", "decision"])
    return agreed is not None
