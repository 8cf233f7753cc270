"""Results by the players: one reports, the other confirms or reports something else."""

from dataclasses import replace

from django.db import transaction

from rules.errors import RuleError
from rules.lifecycle import after
from rules.matches import Claim, Outcome, settle
from rules.wording import gettext_noop as _
from tournaments.mapping import match_rules, outcome_of
from tournaments.models import Match, Report
from tournaments.permissions import Actor, can_report, require
from tournaments.services.matches import StaleError, add_outcome, locked_match, log_result


@transaction.atomic
def report_result(*, match: Match, claim: Claim, by: Actor) -> Match:
    """Take a player's report: the second equal one makes it final, a different one a dispute."""
    match = locked_match(match)
    require(can_report(by, match))
    event = match.round.event
    after("event", event.state, "play")
    after("round", match.round.state, "enter_result")
    if not event.player_reports:
        raise RuleError(
            "reports_off",
            _("In this event the staff enters results. Nothing was stored: tell a judge."),
        )
    state = after("match", match.state, "report")
    outcome = settle(match_rules(match, event), replace(claim, by_staff=False))
    side = _side_of(by, match)
    others = [r for r in _players_reports(match) if _reporter_side(r, match) != side]
    report = add_outcome(match, Report.Kind.REPORT, outcome, by=by, note=claim.note)
    if others:
        agree = same_outcome(outcome, outcome_of(others[-1]))
        state = after("match", state, "confirm" if agree else "dispute")
        if agree:
            match.decision = report
    match.state = state
    match.save(update_fields=["version", "state", "decision"])
    log_result(match, "result.reported", by=by, report=report)
    return match


@transaction.atomic
def confirm_result(*, match: Match, version: int, by: Actor) -> Match:
    """Confirm the opponent's report, as the page with this version showed it."""
    match = locked_match(match)
    require(can_report(by, match))
    after("event", match.round.event.state, "play")
    state = after("match", match.state, "confirm")
    if match.version != version:
        raise StaleError(match)
    last = match.reports.order_by("-version")[0]
    if _reporter_side(last, match) == _side_of(by, match):
        raise RuleError(
            "own_report",
            _("You reported this result yourself. Nothing was stored: your opponent confirms it."),
        )
    report = add_outcome(match, Report.Kind.CONFIRMATION, outcome_of(last), by=by)
    match.decision, match.state = report, state
    match.save(update_fields=["version", "state", "decision"])
    log_result(match, "result.confirmed", by=by, report=report)
    return match


def same_outcome(one: Outcome, other: Outcome) -> bool:
    """Say whether two reports tell the same."""
    return (one.winner, one.score, one.games_won, one.ended_by) == (
        other.winner,
        other.score,
        other.games_won,
        other.ended_by,
    )


def _players_reports(match: Match) -> list[Report]:
    return list(match.reports.filter(kind=Report.Kind.REPORT).order_by("version"))


def _side_of(by: Actor, match: Match) -> str:
    return "a" if by.is_entry(match.a) else "b"


def _reporter_side(report: Report, match: Match) -> str:
    by_a = report.by_entry_id == match.a_id or (
        report.by_id is not None and report.by_id == match.a.user_id
    )
    return "a" if by_a else "b"
