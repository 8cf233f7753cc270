"""Results by the staff: entered at once, and corrected with what that changes.

Reports are only added; the match names the one that counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from rules.matches.settling import Claim, Outcome, settle
from rules.wording import gettext_noop as _
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules, outcome_of
from tournaments.core.permissions import Actor, can_enter_results, require
from tournaments.models import Event, Match, Report, Round, Stage
from tournaments.players.services.strikes import check_not_struck
from tournaments.results.selectors.correction import may_correct
from tournaments.results.selectors.effects import Effects, correction_effects
from tournaments.results.services.matches import (
    StaleError,
    add_outcome,
    check_opponent,
    let_count,
    locked_match,
    log_result,
)
from tournaments.results.services.reports import same_outcome
from tournaments.rounds.services import check_untold, remove_round
from tournaments.stages.services import reopen_last, reopen_previous

PLAYED_ON = _(
    "Round %(number)s has results already, so nothing was taken back and nothing was stored. Keep "
    "what was made, or throw away its rounds at the desk first, the last one first."
)


CHANGED = frozenset({"stale", "match_final"})
"""Codes of refusals of a result whose match has changed since the page showed it."""


class ChoiceNeededError(RuleError):
    """A correction contradicts what was made from the old result, with no word on that."""

    def __init__(self, effects: Effects) -> None:
        super().__init__(
            "choice_needed",
            _(
                "Later rounds or stages were made from the old result. Nothing was stored: say "
                "whether to keep them or to take them back."
            ),
        )
        self.effects = effects


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """The present match after a result was entered.

    ``effects`` is what a correction changed. ``refused`` is the outcome that was not stored, as
    the match has had another one since the page showed it.
    """

    match: Match
    effects: Effects | None = None
    refused: Outcome | None = None


@transaction.atomic
def enter_result(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str | None,
    take_back: bool | None = False,
    compare: bool = False,
    by: Actor,
) -> Entered:
    """Enter a result by the staff: a final one is corrected for ``reason``, any other decided.

    Without a reason (None) a final result stays. ``take_back`` is that of ``correct_result``;
    None leaves the choice open. With ``compare`` a match that has changed since is no error:
    the same outcome stored again is the same result, another is returned as ``refused``.

    Raises the errors of ``decide_result`` and ``correct_result``, and ChoiceNeededError where the
    choice is open and later rounds or stages were made from the old result.
    """
    match = locked_match(match)
    if reason is not None and match.state == Match.State.FINAL:
        effects = _correct(match, version, claim, reason=reason, take_back=take_back, by=by)
        return Entered(match=match, effects=effects)
    try:
        _decide(match, version, claim, by=by)
    except RuleError as error:
        if not compare or error.code not in CHANGED:
            raise
        outcome = _outcome(match, claim)
        stored = match.decision
        same = stored is not None and same_outcome(outcome_of(stored), outcome)
        return Entered(match=match, refused=None if same else outcome)
    return Entered(match=match)


@transaction.atomic
def decide_result(*, match: Match, version: int, claim: Claim, by: Actor) -> Match:
    """Enter the result by the staff: it counts at once, whatever was reported.

    Raises StaleError, RuleError ``match_final``, ``no_opponent``, ``round_not_published``,
    ``event_not_running``; BadInput ``impossible_result``.
    """
    match = locked_match(match)
    _decide(match, version, claim, by=by)
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
    return match, _correct(match, version, claim, reason=reason, take_back=take_back, by=by)


def _decide(match: Match, version: int, claim: Claim, *, by: Actor) -> None:
    """Let the claim be the result of a locked match."""
    event = match.round.event
    require(can_enter_results(by, event))
    next_state("event", event.state, "play")
    next_state("round", match.round.state, "enter_result")
    check_opponent(match)
    if match.version != version:
        raise StaleError(match, by)
    was, state = match.state, next_state("match", match.state, "decide")
    outcome = _outcome(match, claim)
    report = add_outcome(match, Report.Kind.DECISION, outcome, by=by, note=claim.note)
    let_count(match, report, state)
    log_result(match, "result.entered", by=by, report=report, was=was)


def _correct(
    match: Match, version: int, claim: Claim, *, reason: str, take_back: bool | None, by: Actor
) -> Effects:
    """Let the claim be the result of a locked match that has one; return what that changed."""
    event = match.round.event
    require(may_correct(by, match))
    facts = load_facts(event)
    next_state("event", event.state, "play")
    if match.version != version:
        raise StaleError(match, by)
    state = next_state("match", match.state, "correct")
    check_opponent(match)
    check_not_struck(match.group.stage, match.a_id, match.b_id)
    if not reason.strip():
        raise BadInput(
            "reason_missing", _("A correction needs a reason. Nothing was stored: give one.")
        )
    outcome = _outcome(match, claim)
    effects = correction_effects(facts, match, outcome)
    if take_back is None and effects.reaches_further:
        raise ChoiceNeededError(effects)
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
    return effects


def _outcome(match: Match, claim: Claim) -> Outcome:
    """Return what the claim means as the staff's word; raises BadInput ``impossible_result``."""
    return settle(match_rules(match, match.round.event), replace(claim, by_staff=True))


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
