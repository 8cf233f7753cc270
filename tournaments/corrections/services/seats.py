"""Give the seat of a player who has left to who comes next."""

from collections.abc import Collection

from config import transaction
from rules.errors import RuleError
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED
from tournaments.corrections.selectors.choices import Correction, departure_of
from tournaments.corrections.services.carrying import (
    TOUCHED,
    carry_through,
    check_possible,
    check_reason,
    check_shown,
    data_for_log,
)
from tournaments.log.services import begin
from tournaments.models import Entry
from tournaments.snapshots.services import take_snapshot
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def give_away(
    *,
    entry: Entry,
    reason: str,
    shown: str,
    void: Collection[int] = (),
    now: bool = False,
    by: Actor,
) -> Correction:
    """Give the seat of a player who has left to who comes next in the stage before.

    ``shown``, ``void`` and ``now`` are as for `follow`. Raises RuleError ``no_seat``,
    ``cannot_follow``, ``stale``, BadInput ``reason_missing``.
    """
    event = begin(entry.event, FOLLOWED, by=by)
    check_reason(reason)
    facts = load_facts(event)
    foretold = departure_of(facts, entry.number)
    found = departure_of(facts, entry.number, void)
    if foretold is None or found is None:
        raise RuleError(
            "no_seat",
            "Only a player who has left, with a seat in the stage in progress that came from an "
            "earlier one, can lose it. Nothing was stored.",
        )
    check_shown(foretold, shown)
    check_possible(found)
    take_snapshot(event, FOLLOWED.key, by=by)
    with undoable(event, FOLLOWED, TOUCHED, by=by, subject=entry.name, reason=reason) as act:
        act.after = data_for_log(found)
        carry_through(found, reason=reason, now=now, by=by)
    return found
