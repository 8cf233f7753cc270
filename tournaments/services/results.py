"""Results by the staff: entered at once, and corrected with what that changes.

Reports are only added; the match names the one that counts.
"""

from collections.abc import Iterable
from dataclasses import replace

from config import transaction
from rules.errors import BadInput, RuleError
from rules.lifecycle import after
from rules.matches import Claim, settle
from rules.wording import gettext_noop as _
from tournaments.mapping import match_rules, outcome_of
from tournaments.models import Event, Match, Report, Round, Stage
from tournaments.permissions import Actor, can_enter_results, require
from tournaments.selectors.correction import may_correct
from tournaments.selectors.effects import Effects, correction_effects
from tournaments.selectors.facts import load_facts
from tournaments.services.matches import (
    StaleError,
    add_outcome,
    check_opponent,
    let_count,
    locked_match,
    log_result,
)
from tournaments.services.reopening import reopen_last, reopen_previous
from tournaments.services.rounds import check_untold, remove_round
from tournaments.services.strikes import check_not_struck

PLAYED_ON = _(
    "Round %(number)s has results already, so nothing was taken back and nothing was stored. Keep "
    "what was made, or throw away its rounds at the desk first, the last one first."
)


@transaction.atomic
def decide_result(*, match: Match, version: int, claim: Claim, by: Actor) -> Match:
    """Enter the result by the staff: it counts at once, whatever was reported."""
    match = locked_match(match)
    event = match.round.event
    require(can_enter_results(by, event))
    after("event", event.state, "play")
    after("round", match.round.state, "enter_result")
    check_opponent(match)
    if match.version != version:
        raise StaleError(match, by)
    was, state = match.state, after("match", match.state, "decide")
    outcome = settle(match_rules(match, event), replace(claim, by_staff=True))
    report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=claim.note)
    let_count(match, report, state)
    log_result(match, "result.entered", by=by, report=report, was=was)
    return match


@transaction.atomic
def correct_result(
    *, match: Match, version: int, claim: Claim, reason: str, take_back: bool = False, by: Actor
) -> tuple[Match, Effects]:
    """Change a final result; the old one is kept. Returns the match and what it changed.

    Results of a closed round or stage need the organiser or the head judge. ``take_back``
    removes what was made from the old result; without it later rounds and stages stay as they
    are. Raises RuleError ``round_has_results`` where somebody has played what would go.
    """
    match = locked_match(match)
    event = match.round.event
    require(may_correct(by, match))
    facts = load_facts(event)
    after("event", event.state, "play")
    if match.version != version:
        raise StaleError(match, by)
    state = after("match", match.state, "correct")
    check_opponent(match)
    check_not_struck(match.group.stage, match.a_id, match.b_id)
    if not reason.strip():
        raise BadInput(
            "reason_missing", _("A correction needs a reason. Nothing was stored: give one.")
        )
    outcome = settle(match_rules(match, event), replace(claim, by_staff=True))
    effects = correction_effects(facts, match, outcome)
    before = outcome_of(match.decision) if match.decision else None
    report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=reason)
    let_count(match, report, state)
    log_result(match, "result.corrected", by=by, report=report, before=before, reason=reason)
    if take_back and effects.reaches_further:
        try:
            _take_back(match, effects, by=by)
        except RuleError as error:
            if error.code != "round_has_results":
                raise
            raise RuleError(error.code, PLAYED_ON, **error.sentence.values) from error
    return match, effects


def _take_back(match: Match, effects: Effects, *, by: Actor) -> None:
    """Remove the stages opened after a match's own, and its stage's contradicted rounds.

    A closed stage that loses a round, or the places it gave, is open afterwards.
    """
    event, own = match.round.event, match.group.stage.number
    if match.group.stage.state == Stage.State.CLOSED:
        for item in Round.objects.filter(event=event, stage__number__gt=own):
            check_untold(item)
        facts = load_facts(event)
        if facts.open_stage is None:
            reopen_last(facts, by=by)
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
