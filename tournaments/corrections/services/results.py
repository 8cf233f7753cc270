"""Correct a result from which more was made: keep that, let it follow, or take it back."""

from collections.abc import Collection

from config import transaction
from rules.matches.match_rules import Claim
from rules.results import Outcome
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.corrections.selectors.choices import Correction, correction_of
from tournaments.corrections.services.carrying import (
    TOUCHED,
    carry_through,
    check_possible,
    check_shown,
    check_taken_back,
    data_for_log,
    take_rounds_back,
)
from tournaments.log.services import check_allowed
from tournaments.matches.services import locked_match, plain_outcome, report_for_log, subject_of
from tournaments.models import Match
from tournaments.results.acts import CORRECTED
from tournaments.results.services.results import (
    checked_correction,
    correct_result,
    store_correction,
)
from tournaments.snapshots.services import take_snapshot
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def keep(*, match: Match, version: int, claim: Claim, reason: str, by: Actor) -> Correction:
    """Correct a result and keep what was made from the old one; return what would have followed.

    The line of the log says who holds a place against the standings. Raises as `correct_result`.
    """
    match = locked_match(match)
    found = _checked(match, version, claim, reason=reason, by=by)
    if found.reaches_further:
        take_snapshot(match.round.event, CORRECTED.key, by=by)
    correct_result(match=match, version=version, claim=claim, reason=reason, by=by)
    return found


@transaction.atomic
def follow(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str,
    void: Collection[int] = (),
    now: bool = False,
    by: Actor,
) -> Correction:
    """Correct a result, and give seats and matches to who belongs there; return what was done.

    ``shown`` is the ``mark`` of what the page foretold. Matches that were begun are played again
    ``now``, or before the round to come; those whose key is in ``void`` count for nothing.

    Raises as `correct_result`, RuleError ``cannot_follow`` with the reason, ``stale``.
    """
    match = locked_match(match)
    event = match.round.event
    check_allowed(event, FOLLOWED, by=by)
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    check_shown(correction_of(load_facts(event), match, outcome), shown)
    found = correction_of(load_facts(event), match, outcome, void)
    check_possible(found)
    take_snapshot(event, FOLLOWED.key, by=by)
    with undoable(event, FOLLOWED, TOUCHED, by=by, subject=subject_of(match), reason=reason) as act:
        act.before, act.after = _corrected(match, outcome, reason=reason, by=by)
        act.after |= data_for_log(found)
        carry_through(found, reason=reason, now=now, by=by)
    return found


@transaction.atomic
def take_back(
    *,
    match: Match,
    version: int,
    claim: Claim,
    reason: str,
    shown: str,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Correct a result and take back every round and stage made from it, results included.

    ``confirm`` is the event's name, typed where results go. Raises as `correct_result`, RuleError
    ``stale``, ``nothing_to_take_back``, BadInput ``not_confirmed``.
    """
    match = locked_match(match)
    event = match.round.event
    check_allowed(event, TAKEN_BACK, by=by)
    found = _checked(match, version, claim, reason=reason, by=by)
    check_taken_back(found, shown, confirm)
    take_snapshot(event, TAKEN_BACK.key, by=by)
    with undoable(event, TAKEN_BACK, by=by, subject=subject_of(match), reason=reason) as act:
        outcome = checked_correction(match, version, claim, reason=reason, by=by)
        act.before, act.after = _corrected(match, outcome, reason=reason, by=by)
        take_rounds_back(act, found, by=by)
    return found


def _checked(match: Match, version: int, claim: Claim, *, reason: str, by: Actor) -> Correction:
    outcome = checked_correction(match, version, claim, reason=reason, by=by)
    return correction_of(load_facts(match.round.event), match, outcome)


def _corrected(
    match: Match, outcome: Outcome, *, reason: str, by: Actor
) -> tuple[dict[str, object], dict[str, object]]:
    """Store the corrected result; return it before and after, as data for the log."""
    before = plain_outcome(outcome_of(match.decision, match.size)) if match.decision else {}
    report = store_correction(match, outcome, reason=reason, by=by)
    return before, {"round": match.round.ordinal} | report_for_log(match, report)
