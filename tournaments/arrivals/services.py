"""Acts on many players at the door, each one line of the log that can be taken back."""

from collections.abc import Collection
from functools import partial

from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import is_allowed, next_state
from tournaments.core.acts import Act, CacheEffect, RowUndo, UndoTiming
from tournaments.core.permissions import Actor, can_run_rounds, is_staff
from tournaments.log.services import begin_act
from tournaments.models import Entry, Event
from tournaments.players.services.entries import promote_waiting_players
from tournaments.undo.services import undoable

act = partial(Act, may=is_staff, state="move_player", undo=RowUndo(), shows=CacheEffect.ADDS)
CHECKED_IN_MANY = act(
    key="entry.checked_in_many",
    words=_("Checked in"),
    order=UndoTiming.BEFORE_START,
)
WITHDRAWN_MANY = act(
    key="entry.withdrawn_many",
    words=_("Dropped"),
    may=can_run_rounds,
    state="add_player",
    order=UndoTiming.BEFORE_START,
)
FEE_PAID = act(key="fee.paid", words=_("Fee paid"), order=UndoTiming.BESIDE)
FEE_TAKEN_BACK = act(key="fee.taken_back", words=_("Fee to pay"), order=UndoTiming.BESIDE)


@transaction.atomic
def check_in_many(*, event: Event, numbers: Collection[int], by: Actor) -> tuple[Entry, ...]:
    """Check in the players with these ``numbers`` who are not yet; return them.

    By the staff. Raises RuleError ``event_finished``, ``nobody_left`` if nobody can be checked in.
    """
    event = begin_act(event, CHECKED_IN_MANY, by=by)
    found = _players_for_action(event, numbers, "check_in")
    return _change_status(event, CHECKED_IN_MANY, found, "check_in", by=by)


@transaction.atomic
def drop_absent_players(*, event: Event, numbers: Collection[int], by: Actor) -> tuple[Entry, ...]:
    """Drop the players with these ``numbers`` who are not checked in; return them.

    By the staff, before the start. Nobody moves up from the waiting list: at check-in, staff fill
    places with players who are there (``admit_waiting_player``). Raises RuleError
    ``event_started``, ``event_finished``, ``nobody_left`` if none of them is absent.
    """
    event = begin_act(event, WITHDRAWN_MANY, by=by)
    found = _players_for_action(event, numbers, "check_in")
    return _change_status(event, WITHDRAWN_MANY, found, "withdraw", by=by)


@transaction.atomic
def drop_players_without_list(
    *, event: Event, numbers: Collection[int], by: Actor
) -> tuple[Entry, ...]:
    """Drop the players with these ``numbers`` who have no decklist; return them.

    By the staff, before the start. The waiting list moves up unless one of them was checked in.
    Raises RuleError ``event_started``, ``event_finished``, ``nobody_left`` if all have a decklist
    by now.
    """
    event = begin_act(event, WITHDRAWN_MANY, by=by)
    found = _players_for_action(event, numbers, "withdraw", submission__isnull=True)
    was_here = any(entry.status == Entry.Status.CHECKED_IN for entry in found)
    return _change_status(event, WITHDRAWN_MANY, found, "withdraw", by=by, moves_up=not was_here)


@transaction.atomic
def record_fee_payment(*, entry: Entry, paid: bool, by: Actor) -> Entry:
    """Record whether a player has paid the entry fee; return the player.

    By the staff. Raises RuleError ``fee_noted`` if that is recorded already, ``event_finished``.
    """
    event = begin_act(entry.event, FEE_PAID, by=by)
    entry = event.entries.get(pk=entry.pk)
    if entry.fee_paid == paid:
        raise RuleError("fee_noted")
    act = FEE_PAID if paid else FEE_TAKEN_BACK
    after = {"number": entry.number}
    with undoable(event, act, (Entry,), by=by, subject=entry.name, after=after):
        entry.fee_paid = paid
        entry.save(update_fields=["fee_paid"])
    return entry


def _players_for_action(
    event: Event, numbers: Collection[int], action: str, **which: bool
) -> tuple[Entry, ...]:
    """Return the players with these numbers whose status allows the action, by number.

    ``which`` are further conditions on the entries. Raises RuleError ``nobody_left`` if there are
    none.
    """
    known = event.entries.filter(number__in=numbers, **which).order_by("number")
    found = tuple(entry for entry in known if is_allowed("entry", entry.status, action))
    if not found:
        raise RuleError(
            "nobody_left",
        )
    return found


def _change_status(
    event: Event,
    act: Act,
    found: tuple[Entry, ...],
    action: str,
    *,
    by: Actor,
    moves_up: bool = False,
) -> tuple[Entry, ...]:
    after = {"numbers": [entry.number for entry in found]}
    with undoable(event, act, (Entry,), by=by, subject=str(len(found)), after=after) as done:
        for entry in found:
            entry.status = next_state("entry", entry.status, action)
            entry.save(update_fields=["status"])
        if moves_up:
            done.then(promote_waiting_players, event, by=by)
    return found
