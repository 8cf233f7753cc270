"""Put right the seeds of a start, however far play has gone."""

from collections.abc import Collection, Mapping, Sequence

from config import transaction
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import SEEDS_CORRECTED, SEEDS_TAKEN_BACK
from tournaments.corrections.selectors.choices import FOLLOW, TAKE_BACK, Correction
from tournaments.corrections.selectors.start import order_of_start, seeds_correction_of
from tournaments.corrections.services.carrying import (
    carry_through,
    check_possible,
    check_reason,
    check_shown,
    check_taken_back,
    data_for_log,
    store_holders,
    take_rounds_back,
)
from tournaments.log.services import begin, check_allowed
from tournaments.models import Event
from tournaments.players.services.seeds import all_seeds, store_seeds
from tournaments.snapshots.services import take_snapshot
from tournaments.undo.services.row_diff import undoable


def right_seeds(
    facts: EventFacts, seeds: Mapping[PlayerId, int | None]
) -> dict[PlayerId, int | None]:
    """Return the seeds of all players, of whom some have another, None for none.

    Who waits, or is out, loses a seed that somebody of the start has. Raises BadInput ``bad_seed``
    for a duplicate among the others.
    """
    seated, given = {*order_of_start(facts)}, {*seeds.values()}
    now = {
        player: None if entry.seed in given and player not in seated else entry.seed
        for player, entry in facts.entries.items()
    }
    return all_seeds(now, seeds)


@transaction.atomic
def correct_seeds(
    *,
    event: Event,
    seeds: Mapping[PlayerId, int | None],
    order: Sequence[int] = (),
    way: str,
    shown: str,
    reason: str,
    void: Collection[int] = (),
    now: bool = False,
    confirm: str = "",
    by: Actor,
) -> Correction:
    """Record the right seeds, and go on in a ``way``; return what was done.

    ``seeds`` are as for `right_seeds`, ``order`` is the right order of a start that was drawn by
    hand. ``shown`` is the ``mark`` of what was foretold; ``void``, ``now`` and ``confirm`` are as
    for `follow` and `take_back` of ``results``. Seats stay where they are not said to follow.

    Raises RuleError ``no_start``, ``stale``, ``cannot_follow``, ``nothing_to_take_back``; BadInput
    ``bad_seed``, ``bad_order``, ``same_seeds``, ``reason_missing``, ``not_confirmed``.
    """
    act = SEEDS_TAKEN_BACK if way == TAKE_BACK else SEEDS_CORRECTED
    event = begin(event, SEEDS_CORRECTED, by=by)
    check_reason(reason)
    facts = load_facts(event)
    wanted = right_seeds(facts, seeds)
    found = seeds_correction_of(facts, wanted, order)
    check_shown(found, shown)
    if way == FOLLOW:
        found = seeds_correction_of(facts, wanted, order, void)
        check_possible(found)
    elif way == TAKE_BACK:
        check_allowed(event, act, by=by)
        check_taken_back(found, shown, confirm)
    if found.reaches_further:
        take_snapshot(event, act.key, by=by)
    changed = [entry for entry in event.entries.all() if entry.seed != wanted[entry.number]]
    names = str(len(changed))
    with undoable(event, act, by=by, subject=names, reason=reason) as done:
        done.before = {"seeds": {str(entry.number): entry.seed for entry in changed}}
        done.after = {"seeds": {str(entry.number): wanted[entry.number] for entry in changed}}
        store_seeds(changed, wanted)
        if way == FOLLOW:
            done.after |= data_for_log(found)
            carry_through(found, reason=reason, now=now, by=by)
        elif way == TAKE_BACK:
            take_rounds_back(done, found, by=by)
        elif not found.reaches_further:
            store_holders(found)
    return found
