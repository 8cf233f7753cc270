"""Results: reported and confirmed by players, entered and corrected by the staff.

Reports are only added; the match names the one that counts.
"""

from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction

from rules.errors import BadInput, RuleError
from rules.lifecycle import after
from rules.matches import Claim, Outcome, settle
from rules.wording import gettext_noop as _
from tournaments.mapping import match_rules, outcome_of
from tournaments.models import Event, Match, Report, Round, Stage
from tournaments.permissions import (
    Actor,
    can_enter_results,
    can_report,
    can_rule,
    require,
)
from tournaments.selectors.effects import Effects, correction_effects
from tournaments.selectors.facts import load_facts
from tournaments.services.log import locked, record
from tournaments.services.rounds import add_report, remove_round
from tournaments.services.stages import reopen_previous


class StaleError(RuleError):
    """The page showed an older version of the match; ``match`` is the present one."""

    def __init__(self, match: Match) -> None:
        super().__init__(
            "stale",
            _("Somebody changed this match meanwhile. Nothing was stored: look at it again."),
        )
        self.match = match


@transaction.atomic
def report_result(*, match: Match, claim: Claim, by: Actor) -> Match:
    """Take a player's report: the second equal one makes it final, a different one a dispute."""
    match = _locked_match(match)
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
    report = _add(match, Report.Kind.REPORT, outcome, by=by, note=claim.note)
    if others:
        agree = same_outcome(outcome, outcome_of(others[-1]))
        state = after("match", state, "confirm" if agree else "dispute")
        if agree:
            match.decision = report
    match.state = state
    match.save(update_fields=["version", "state", "decision"])
    _log(match, "result.reported", by=by, report=report)
    return match


@transaction.atomic
def confirm_result(*, match: Match, version: int, by: Actor) -> Match:
    """Confirm the opponent's report, as the page with this version showed it."""
    match = _locked_match(match)
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
    report = _add(match, Report.Kind.CONFIRMATION, outcome_of(last), by=by)
    match.decision, match.state = report, state
    match.save(update_fields=["version", "state", "decision"])
    _log(match, "result.confirmed", by=by, report=report)
    return match


@transaction.atomic
def decide_result(*, match: Match, version: int, claim: Claim, by: Actor) -> Match:
    """Enter the result by the staff: it counts at once, whatever was reported."""
    match = _locked_match(match)
    event = match.round.event
    require(can_enter_results(by, event))
    after("event", event.state, "play")
    after("round", match.round.state, "enter_result")
    if match.version != version:
        raise StaleError(match)
    state = after("match", match.state, "decide")
    outcome = settle(match_rules(match, event), replace(claim, by_staff=True))
    report = _add(match, Report.Kind.DECISION, outcome, by=by, note=claim.note)
    match.decision, match.state = report, state
    match.save(update_fields=["version", "state", "decision"])
    _log(match, "result.entered", by=by, report=report)
    return match


@transaction.atomic
def correct_result(
    *, match: Match, version: int, claim: Claim, reason: str, take_back: bool = False, by: Actor
) -> tuple[Match, Effects]:
    """Change a final result; the old one is kept. Returns the match and what it changed.

    Results of a closed round or stage need the organiser or the head judge. ``take_back``
    removes what was made from the old result, if nobody has played it; without it later rounds
    and stages stay as they are.
    """
    match = _locked_match(match)
    event = match.round.event
    facts = load_facts(event)
    is_last = match.round.ordinal == facts.last_ordinal and not _stage_closed(match)
    require(can_enter_results(by, event) if is_last else can_rule(by, event))
    after("event", event.state, "play")
    if match.version != version:
        raise StaleError(match)
    state = after("match", match.state, "correct")
    if not reason.strip():
        raise BadInput(
            "reason_missing", _("A correction needs a reason. Nothing was stored: give one.")
        )
    outcome = settle(match_rules(match, event), replace(claim, by_staff=True))
    effects = correction_effects(facts, match, outcome)
    before = outcome_of(match.decision) if match.decision else None
    report = _add(match, Report.Kind.DECISION, outcome, by=by, note=reason)
    match.decision, match.state = report, state
    match.save(update_fields=["version", "state", "decision"])
    _log(match, "result.corrected", by=by, report=report, before=before, reason=reason)
    if take_back and effects.reaches_further:
        _take_back(match, effects, by=by)
    return match, effects


def same_outcome(one: Outcome, other: Outcome) -> bool:
    """Say whether two reports tell the same."""
    return (one.winner, one.score, one.games_won, one.ended_by) == (
        other.winner,
        other.score,
        other.games_won,
        other.ended_by,
    )


def _take_back(match: Match, effects: Effects, *, by: Actor) -> None:
    """Remove the stages opened after a match's own, and its stage's contradicted rounds."""
    event, own = match.round.event, match.group.stage.number
    while (current := load_facts(event).open_stage) is not None and current.stage.number > own:
        _remove_rounds(current.rounds, event, by=by)
        facts = load_facts(event)
        reopen_previous(facts, facts.stages[current.stage.number - 1], by=by)
    if effects.rounds:
        first = min(item.ordinal for item in effects.rounds)
        later = event.rounds.filter(stage=match.group.stage, ordinal__gte=first)
        _remove_rounds(later, event, by=by)


def _remove_rounds(rounds: Iterable[Round], event: Event, *, by: Actor) -> None:
    for item in sorted(rounds, key=lambda item: -item.ordinal):
        item.event = event
        remove_round(item, by=by)


def _locked_match(match: Match) -> Match:
    event = locked(match.round.event)
    fresh = Match.objects.select_related("round", "group__stage", "a", "b", "decision")
    found = fresh.filter(pk=match.pk).first()
    if found is None:
        raise RuleError(
            "match_gone",
            _("This match was taken back. Nothing was stored: load the page again."),
        )
    found.round.event = event
    return found


def _stage_closed(match: Match) -> bool:
    return match.group.stage.state == Stage.State.CLOSED


def _players_reports(match: Match) -> list[Report]:
    return list(match.reports.filter(kind=Report.Kind.REPORT).order_by("version"))


def _side_of(by: Actor, match: Match) -> str:
    return "a" if by.is_entry(match.a) else "b"


def _reporter_side(report: Report, match: Match) -> str:
    by_a = report.by_entry_id == match.a_id or (
        report.by_id is not None and report.by_id == match.a.user_id
    )
    return "a" if by_a else "b"


def _add(match: Match, kind: str, outcome: Outcome, *, by: Actor, note: str = "") -> Report:
    return add_report(
        match,
        kind=kind,
        by=by,
        winner=outcome.winner,
        ended_by=outcome.ended_by,
        score=outcome.score,
        games=outcome.games,
        games_won=outcome.games_won,
        tie_break=outcome.tie_break or "",
        by_decision=outcome.by_decision,
        note=note,
    )


def _log(
    match: Match,
    action: str,
    *,
    by: Actor,
    report: Report,
    before: Outcome | None = None,
    reason: str = "",
) -> None:
    names = f"{match.a} – {match.b}"
    record(
        match.round.event,
        action,
        by=by,
        subject=f"{match.round.ordinal}/{match.table or match.number}: {names}",
        before=_plain(before) if before else {},
        after={"version": report.version, "state": match.state} | _plain(outcome_of(report)),
        reason=reason,
    )


def _plain(outcome: Outcome) -> dict[str, object]:
    return {
        "winner": str(outcome.winner),
        "score": list(outcome.score) if outcome.score else None,
        "games": list(outcome.games),
        "ended_by": str(outcome.ended_by),
    }
