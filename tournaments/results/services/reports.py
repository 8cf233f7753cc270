"""Results reported by the players: one reports, the other confirms or contradicts.

Of a multiplayer table one tells, the others confirm or contradict; more than half decide.

Source: tables, 7."""

from dataclasses import replace

from django.db.models import QuerySet

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.matches.agreement import is_more_detailed, reports_agree
from rules.matches.match_rules import Claim
from rules.matches.settling import player_claim, resolve_claim
from rules.results import Outcome
from tournaments.core.acts import Act
from tournaments.core.mapping import match_rules, outcome_from_report
from tournaments.core.permissions import Actor, can_report, require_permission
from tournaments.matches.services import (
    StaleError,
    add_outcome,
    apply_statements,
    last_reported_result,
    latest_statements,
    lock_match,
    log_result,
    remove_departed_players,
    set_decision,
)
from tournaments.models import Match, Report
from tournaments.results.acts import CONFIRMED, CONTRADICTED, REPORTED

BY_PLAYERS = (Report.Kind.REPORT, Report.Kind.CONFIRMATION)


@transaction.atomic
def report_result(*, match: Match, claim: Claim, shown: int | None = None, by: Actor) -> Match:
    """Store a result reported by a player, and return the match.

    Equal reports by both players make it final (the more detailed one counts), different ones
    disputed; in a dispute, agreeing with the opponent settles it. Repeating a report changes
    nothing.

    ``shown`` is the match's version on the page: an outdated report doesn't replace a newer one by
    the same player. Raises RuleError ``match_gone``, ``reports_off``, ``reported_since``, and those
    of `rules.events.lifecycle`; BadInput ``impossible_result``.
    """
    match = lock_match(match)
    require_permission(can_report(by, match))
    event = match.round.event
    next_state("event", event.state, "play")
    next_state("round", match.round.state, "enter_result")
    if not event.player_reports:
        raise RuleError("reports_off", "Tell a judge the result.")
    if match.size > 2:
        return report_table(match, claim, shown=shown, by=by)
    outcome = resolve_claim(match_rules(match, event), replace(claim, by_staff=False))
    side = _side_of(by, match)
    own, theirs = _last_of_each(match, side)
    if own is not None and outcome_from_report(own, 2) == outcome and _already_stored(match, own):
        return match
    if (
        shown is not None
        and match.decision
        and reports_agree(outcome_from_report(match.decision, 2), outcome)
    ):
        return match
    if shown is not None and own is not None and own.version > shown:
        raise _reported_since()
    accepts = (
        match.state == Match.State.DISPUTED
        and theirs is not None
        and reports_agree(outcome_from_report(theirs, 2), outcome)
    )
    state = next_state("match", match.state, "accept" if accepts else "report")
    report = add_outcome(match, Report.Kind.REPORT, outcome, by=by, note=claim.note)
    if theirs is not None:
        before = outcome_from_report(theirs, 2)
        same = reports_agree(before, outcome)
        if not accepts:
            state = next_state("match", state, "confirm" if same else "dispute")
        if same:
            match.decision = _deciding_report(match, before, report, by=by)
    match.state = state
    match.save(update_fields=["version", "state", "decision"])
    log_result(match, REPORTED, by=by, report=report)
    return match


@transaction.atomic
def confirm_result(*, match: Match, version: int, by: Actor) -> Match:
    """Confirm the opponent's report of this match version, and return the match.

    In a dispute this accepts it. Repeating it changes nothing. Raises StaleError; RuleError
    ``match_gone``, ``own_report``, and those of `rules.events.lifecycle`.
    """
    match = lock_match(match)
    require_permission(can_report(by, match))
    next_state("event", match.round.event.state, "play")
    if match.size > 2:
        return confirm_table(match, version, by=by)
    if _confirmed_already(match, version, _side_of(by, match)):
        return match
    disputed = match.state == Match.State.DISPUTED
    state = next_state("match", match.state, "accept" if disputed else "confirm")
    if match.version != version:
        raise StaleError(match)
    side = _side_of(by, match)
    last = _last_of_each(match, side)[1]
    if last is None:
        raise RuleError("own_report")
    report = add_outcome(match, Report.Kind.CONFIRMATION, outcome_from_report(last, 2), by=by)
    set_decision(match, report, state)
    log_result(match, CONFIRMED, by=by, report=report)
    return match


def restore_player_reports(match: Match) -> None:
    """Return a match to its state from before the result was final.

    Each player's last report is stored again as a copy, as reports never change.
    """
    last = {_reporter_side(report, match): report for report in _by_version(match)}
    for report in sorted(last.values(), key=lambda report: report.version):
        match.version += 1
        report.pk, report.version = None, match.version
        report.save(force_insert=True)
    match.decision = None
    match.state = Match.State.DISPUTED if len(last) > 1 else Match.State.REPORTED
    match.save(update_fields=["version", "decision", "state"])


def same_outcome(one: Outcome, other: Outcome) -> bool:
    """Return whether two outcomes are equal, ignoring games and who decided."""
    same = (replace(each, games=(), tie_break=None, by_decision=False) for each in (one, other))
    return next(same) == next(same)


def _last_of_each(match: Match, side: str) -> tuple[Report | None, Report | None]:
    """Return the last report of this side and that of the other."""
    last: dict[bool, Report] = {}
    for report in _by_version(match):
        last[_reporter_side(report, match) == side] = report
    return last.get(True), last.get(False)


def _by_version(match: Match) -> QuerySet[Report]:
    """Return the reports made by the players who sit here now, oldest first."""
    own = match.reports.filter(version__gt=match.version_before)
    return own.filter(kind=Report.Kind.REPORT).order_by("version")


def _already_stored(match: Match, own: Report) -> bool:
    """Return whether storing this report again would change nothing."""
    if match.state == Match.State.REPORTED:
        return own.version == match.version
    if match.decision is None or match.decision.kind not in BY_PLAYERS:
        return match.state == Match.State.DISPUTED
    return reports_agree(outcome_from_report(own, 2), outcome_from_report(match.decision, 2))


def _deciding_report(match: Match, before: Outcome, report: Report, *, by: Actor) -> Report:
    """Return the report that counts, of two that agree: the more detailed one.

    If that is the opponent's, a confirmation of it is added and returned.
    """
    if not is_more_detailed(before, outcome_from_report(report, 2)):
        return report
    return add_outcome(match, Report.Kind.CONFIRMATION, before, by=by)


def _confirmed_already(match: Match, version: int, side: str) -> bool:
    decision = match.decision
    return (
        decision is not None
        and decision.kind == Report.Kind.CONFIRMATION
        and decision.version == version + 1 == match.version
        and (_confirmed_by_time(decision) or _reporter_side(decision, match) == side)
    )


def _confirmed_by_time(report: Report) -> bool:
    return report.by_id is None and report.by_entry_id is None


def _reported_since() -> RuleError:
    return RuleError("reported_since")


def _side_of(by: Actor, match: Match) -> str:
    return "a" if by.is_entry(match.players[0]) else "b"


def _reporter_side(report: Report, match: Match) -> str:
    first = match.players[0]
    by_a = report.by_entry_id == first.pk or (
        report.by_id is not None and report.by_id == first.user_id
    )
    return "a" if by_a else "b"


def report_table(match: Match, claim: Claim, *, shown: int | None, by: Actor) -> Match:
    """Store a result that a player reports at a locked multiplayer table.

    Return the match. It replaces the player's last report or answer. Arguments and errors are those
    of `report_result`; BadInput ``impossible_result`` also if the claim has others concede.
    """
    seat = acting_seat(by, match)
    rules = match_rules(match, match.round.event)
    outcome = resolve_claim(rules, player_claim(claim, seat))
    if _says_already(match, seat, outcome):
        return match
    if (
        shown is not None
        and match.decision
        and reports_agree(outcome_from_report(match.decision, match.size), outcome)
    ):
        return match
    own = [told for told in latest_statements(match) if told[0].seat == seat]
    if shown is not None and own and own[-1][1].version > shown:
        raise _reported_since()
    if match.state not in (Match.State.OPEN, Match.State.REPORTED, Match.State.DISPUTED):
        next_state("match", match.state, "report")
    report = add_outcome(match, Report.Kind.REPORT, outcome, by=by, note=claim.note)
    return _settled(match, report, REPORTED, by=by)


def confirm_table(match: Match, version: int, *, by: Actor) -> Match:
    """Confirm the last report at a locked multiplayer table; return the match.

    This settles a dispute if only this player had contradicted. Raises as `confirm_result`.
    """
    seat = acting_seat(by, match)
    last = last_reported_result(match)
    if last is None:
        next_state("match", match.state, "confirm")
        raise StaleError(match)
    outcome = remove_departed_players(match, outcome_from_report(last[1], match.size))
    if _says_already(match, seat, outcome):
        return match
    if match.state == Match.State.FINAL:
        next_state("match", match.state, "confirm")
    if match.version != version:
        raise StaleError(match)
    report = add_outcome(match, Report.Kind.CONFIRMATION, outcome, by=by)
    return _settled(match, report, CONFIRMED, by=by)


@transaction.atomic
def dispute_result(*, match: Match, version: int, by: Actor) -> Match:
    """Contradict the reported result of the player's own table; return the match.

    It is disputed until the player confirms or a judge decides. Repeating it changes nothing.
    Raises StaleError; RuleError ``match_gone``, ``own_report``, ``match_of_two``, and those of
    `rules.events.lifecycle`.
    """
    match = lock_match(match)
    require_permission(can_report(by, match))
    next_state("event", match.round.event.state, "play")
    if match.size < 3:
        raise RuleError("match_of_two")
    seat = acting_seat(by, match)
    own = [told for told, _report in latest_statements(match) if told.seat == seat]
    if own and own[-1].denies:
        return match
    if match.state != Match.State.DISPUTED:
        next_state("match", match.state, "dispute")
    if match.version != version:
        raise StaleError(match)
    last = last_reported_result(match)
    if last is None or last[0] == seat:
        raise RuleError("own_report")
    report = add_outcome(match, Report.Kind.DENIAL, outcome_from_report(last[1], match.size), by=by)
    return _settled(match, report, CONTRADICTED, by=by)


def _says_already(match: Match, seat: int, outcome: Outcome) -> bool:
    """Return whether the seat has said exactly this, so that nothing need be stored."""
    own = [told for told, _report in latest_statements(match) if told.seat == seat]
    return bool(own) and not own[-1].denies and own[-1].outcome == outcome


def _settled(match: Match, report: Report, act: Act, *, by: Actor) -> Match:
    """Give the match the state that all statements come to, save it and log the report."""
    if apply_statements(match) is not None:
        match.decision = report
    match.save(update_fields=["version", "state", "decision"])
    log_result(match, act, by=by, report=report)
    return match


def acting_seat(by: Actor, match: Match) -> int:
    """Return the seat (from 1) of the acting player. Raises PermissionDenied."""
    seats = [seat for seat, player in enumerate(match.players, start=1) if by.is_entry(player)]
    require_permission(bool(seats))
    return seats[0]
