"""Put right an order of lots that was recorded the wrong way, however far play has gone."""

from collections.abc import Collection, Sequence

from config import transaction
from rules.errors import RuleError
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED, TAKEN_BACK
from tournaments.corrections.selectors.choices import FOLLOW, TAKE_BACK, Correction
from tournaments.corrections.selectors.lots import lots_correction_of
from tournaments.corrections.services.carrying import (
    TOUCHED,
    carry_through,
    check_possible,
    check_reason,
    check_shown,
    check_taken_back,
    data_for_log,
    take_rounds_back,
)
from tournaments.log.services import begin, check_allowed
from tournaments.lots.acts import LOTS_CORRECTED
from tournaments.lots.services import correct_order
from tournaments.models import Draw, Event
from tournaments.snapshots.services import take_snapshot
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def correct_lots(
    *,
    event: Event,
    number: int,
    order: Sequence[int],
    way: str,
    shown: str,
    reason: str,
    void: Collection[int] = (),
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Record the right order of draw ``number``, and go on in a ``way``; return what was done.

    ``shown`` is the ``mark`` of what the page foretold; ``void``, ``now`` and ``confirm`` are as
    for `follow` and `take_back` of ``results``. The order has a line of its own and stays on
    record; what was made from the wrong one is the line after it, which can be undone.

    Raises RuleError ``lots_stay``, ``stale``, ``cannot_follow``, ``nothing_to_take_back``; BadInput
    ``bad_order``, ``same_order``, ``reason_missing``, ``not_confirmed``.
    """
    event = begin(event, LOTS_CORRECTED, by=by)
    check_reason(reason)
    facts = load_facts(event)
    draw = next((each for each in facts.draws if each.number == number), None)
    if draw is None:
        raise RuleError("lots_stay", "There is no such draw. Nothing was stored.")
    found = lots_correction_of(facts, draw, order)
    check_shown(found, shown)
    if way == FOLLOW:
        check_allowed(event, FOLLOWED, by=by)
        found = lots_correction_of(facts, draw, order, void)
        check_possible(found)
    elif way == TAKE_BACK:
        check_allowed(event, TAKEN_BACK, by=by)
        check_taken_back(found, shown, confirm)
    if found.reaches_further:
        take_snapshot(event, LOTS_CORRECTED.key, by=by)
    stays = found.effects.kept if way not in (FOLLOW, TAKE_BACK) else []
    made = correct_order(event, draw, order, reason=reason, kept=stays, by=by)
    _go_on(found, way, made, reason=reason, now=now, by=by)
    return found


def _go_on(found: Correction, way: str, made: Draw, *, reason: str, now: bool, by: Actor) -> None:
    """Bring what was made from the wrong order in line with the right one, or take it back."""
    event, subject = found.facts.event, str(made.number)
    if way == FOLLOW:
        with undoable(event, FOLLOWED, TOUCHED, by=by, subject=subject, reason=reason) as act:
            act.after = data_for_log(found)
            carry_through(found, reason=reason, now=now, by=by)
    elif way == TAKE_BACK:
        with undoable(event, TAKEN_BACK, by=by, subject=subject, reason=reason) as act:
            take_rounds_back(act, found, by=by)
