"""Results reported by the players of a table of three and more.

Source: tables, 7: one tells, the others confirm or contradict; more than half decide.
"""

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.matches.agreement import agree
from rules.matches.match_rules import Claim
from rules.matches.settling import settle, with_own_concession
from rules.results import Outcome
from tournaments.core.acts import Act
from tournaments.core.mapping import match_rules, outcome_of
from tournaments.core.permissions import Actor, can_report, require
from tournaments.matches.services import (
    StaleError,
    add_outcome,
    as_it_is_now,
    bring_up_to_date,
    last_told,
    locked_match,
    log_result,
    statements,
)
from tournaments.models import Match, Report
from tournaments.results.acts import CONFIRMED, CONTRADICTED, REPORTED


def report_table(match: Match, claim: Claim, *, shown: int | None, by: Actor) -> Match:
    """Store a player's report of a locked table and return the match.

    It replaces what the player said before. As ``reports.report_result``; BadInput
    ``impossible_result`` also for the concession of somebody else.
    """
    seat = seat_of(by, match)
    rules = match_rules(match, match.round.event)
    outcome = settle(rules, with_own_concession(claim, seat))
    if _says_already(match, seat, outcome):
        return match
    if (
        shown is not None
        and match.decision
        and agree(outcome_of(match.decision, match.size), outcome)
    ):
        return match
    own = [told for told in statements(match) if told[0].seat == seat]
    if shown is not None and own and own[-1][1].version > shown:
        raise RuleError(
            "reported_since",
            "You have reported something else meanwhile. This was not stored: look at your page.",
        )
    if match.state not in (Match.State.OPEN, Match.State.REPORTED, Match.State.DISPUTED):
        next_state("match", match.state, "report")
    report = add_outcome(match, Report.Kind.REPORT, outcome, by=by, note=claim.note)
    return _settled(match, report, REPORTED, by=by)


def confirm_table(match: Match, version: int, *, by: Actor) -> Match:
    """Store that a player of a locked table says the same as its last report; return the match.

    In a dispute of whoever contradicted it alone that settles it. As ``reports.confirm_result``.
    """
    seat = seat_of(by, match)
    last = last_told(match)
    if last is None:
        next_state("match", match.state, "confirm")
        raise StaleError(match, by)
    outcome = as_it_is_now(match, outcome_of(last[1], match.size))
    if _says_already(match, seat, outcome):
        return match
    if match.state == Match.State.FINAL:
        next_state("match", match.state, "confirm")
    if match.version != version:
        raise StaleError(match, by)
    report = add_outcome(match, Report.Kind.CONFIRMATION, outcome, by=by)
    return _settled(match, report, CONFIRMED, by=by)


@transaction.atomic
def contradict_result(*, match: Match, version: int, by: Actor) -> Match:
    """Store that a player says the reported result of their table is wrong; return the match.

    The match is disputed until they confirm or a judge decides. Said again, it changes nothing.

    Raises StaleError; RuleError ``match_gone``, ``own_report``, ``match_of_two``, and those of
    `rules.events.lifecycle`.
    """
    match = locked_match(match)
    require(can_report(by, match))
    next_state("event", match.round.event.state, "play")
    if match.size < 3:
        raise RuleError(
            "match_of_two",
            "In a match of two each tells their own result. Nothing was stored: report the result.",
        )
    seat = seat_of(by, match)
    own = [told for told, _report in statements(match) if told.seat == seat]
    if own and own[-1].denies:
        return match
    if match.state != Match.State.DISPUTED:
        next_state("match", match.state, "dispute")
    if match.version != version:
        raise StaleError(match, by)
    last = last_told(match)
    if last is None or last[0] == seat:
        raise RuleError(
            "own_report",
            "You reported this result yourself. Nothing was stored: report it as it was.",
        )
    report = add_outcome(match, Report.Kind.DENIAL, outcome_of(last[1], match.size), by=by)
    return _settled(match, report, CONTRADICTED, by=by)


def _says_already(match: Match, seat: int, outcome: Outcome) -> bool:
    """Return whether the seat has said exactly this, so that nothing need be stored."""
    own = [told for told, _report in statements(match) if told.seat == seat]
    return bool(own) and not own[-1].denies and own[-1].outcome == outcome


def _settled(match: Match, report: Report, act: Act, *, by: Actor) -> Match:
    """Give the match the state that all statements come to, save it and log the report."""
    if bring_up_to_date(match) is not None:
        match.decision = report
    match.save(update_fields=["version", "state", "decision"])
    log_result(match, act, by=by, report=report)
    return match


def seat_of(by: Actor, match: Match) -> int:
    """Return the seat, from 1, of the player who acts; raises PermissionDenied without one."""
    seats = [seat for seat, player in enumerate(match.players, start=1) if by.is_entry(player)]
    require(bool(seats))
    return seats[0]
