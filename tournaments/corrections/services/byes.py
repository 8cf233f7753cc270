"""Give the bye of a published Swiss round to who should have had it."""

from config import transaction
from rules.errors import BadInput
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.corrections.selectors.byes import bye_correction_of
from tournaments.corrections.selectors.choices import TAKE_BACK, Correction
from tournaments.corrections.services.carrying import (
    TOUCHED,
    carry_through,
    check_possible,
    check_reason,
    check_shown,
    check_taken_back,
    data_for_log,
    mark_by_hand,
    take_rounds_back,
)
from tournaments.log.services import check_allowed
from tournaments.matches.services import locked_match, subject_of
from tournaments.models import Match
from tournaments.snapshots.services import take_snapshot
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def move_bye(
    *,
    match: Match,
    player: int,
    way: str,
    shown: str,
    reason: str,
    void: bool = False,
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Let ``player`` rest instead of who does in ``match``, or take the round back.

    ``shown`` is the ``mark`` of what the page foretold; what ``player`` has played in the round is
    played again (``now``, or before the round to come), or ``void``. ``confirm`` is the event's
    name, typed where results go.

    Raises RuleError ``match_gone``, ``stale``, ``cannot_follow`` with the reason; BadInput
    ``unknown_player``, ``reason_missing``, ``not_confirmed``.
    """
    match = locked_match(match)
    event = match.round.event
    act = TAKEN_BACK if way == TAKE_BACK else FOLLOWED
    check_allowed(event, act, by=by)
    facts = load_facts(event)
    if way != TAKE_BACK:
        check_reason(reason)
    if player not in facts.entries:
        raise BadInput("unknown_player", "There is no such player. Nothing was stored.")
    found = bye_correction_of(facts, match, player)
    if way == TAKE_BACK:
        check_taken_back(found, shown, confirm)
    else:
        check_shown(found, shown)
        found = bye_correction_of(facts, match, player, void=void)
        check_possible(found)
    take_snapshot(event, act.key, by=by)
    tables = () if way == TAKE_BACK else TOUCHED
    with undoable(event, act, tables, by=by, subject=subject_of(match), reason=reason) as done:
        if way == TAKE_BACK:
            take_rounds_back(done, found, by=by)
        else:
            done.after = data_for_log(found) | {"rounds": [match.round.ordinal]}
            carry_through(found, reason=reason, now=now, by=by)
            mark_by_hand(found)
    return found
