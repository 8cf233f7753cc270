"""The waiting list: who moves up by itself, whom the staff lets in, who is asked later."""

from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from tournaments.core.permissions import Actor
from tournaments.log.services import begin, record
from tournaments.models import Entry, Event
from tournaments.players.acts import ASKED_LATER, LET_IN, PROMOTED
from tournaments.players.selectors.waiting_list import free_places, is_door_in_use, next_in_line
from tournaments.undo.services.row_diff import undoable


def fill_places(event: Event, *, by: Actor) -> list[Entry]:
    """Move players up from the waiting list into free places, and return them.

    Nobody while the door is in use: places then go to players present (``let_in``). Call
    it inside a transaction with the event locked.
    """
    if is_door_in_use(event):
        return []
    moved = next_in_line(event)
    for entry in moved:
        entry.status = next_state("entry", entry.status, "promote")
        entry.waiting_since = None
        entry.save(update_fields=["status", "waiting_since"])
        record(event, PROMOTED, by=by, subject=entry.name, after={"status": entry.status})
    return moved


@transaction.atomic
def let_in(*, entry: Entry, here: bool = True, by: Actor) -> Entry:
    """Give a player on the waiting list a free place before the start; by the staff.

    With ``here`` they are marked as present too. Whoever is there may be let in before others who
    wait. Raises RuleError ``event_started``, ``entry_not_waiting``, ``no_free_place``.
    """
    event, entry = _waiting_player(entry, by)
    free = free_places(event)
    if free is not None and free <= 0:
        raise RuleError(
            "no_free_place",
            "All places are taken. Nothing was stored: withdraw who is absent, or change the "
            "number of places in the settings.",
        )
    status = next_state("entry", entry.status, "promote")
    if here:
        status = next_state("entry", status, "check_in")
    was, now = {"status": entry.status}, {"number": entry.number, "status": status}
    with undoable(event, LET_IN, (Entry,), by=by, subject=entry.name, before=was, after=now):
        entry.status, entry.waiting_since = status, None
        entry.save(update_fields=["status", "waiting_since"])
    return entry


@transaction.atomic
def ask_later(*, entry: Entry, by: Actor) -> Entry:
    """Put a player at the end of the waiting list, so that the next is named; by the staff.

    Raises RuleError ``event_started``, ``entry_not_waiting``.
    """
    event, entry = _waiting_player(entry, by)
    now = {"number": entry.number}
    with undoable(event, ASKED_LATER, (Entry,), by=by, subject=entry.name, after=now):
        entry.waiting_since = timezone.now()
        entry.save(update_fields=["waiting_since"])
    return entry


def _waiting_player(entry: Entry, by: Actor) -> tuple[Event, Entry]:
    """Return the locked event and the player, who waits in it; raises RuleError."""
    event = begin(entry.event, LET_IN, by=by)
    if event.plan is not None:
        raise RuleError(
            "event_started",
            "The event has started. Nothing was stored: let the player in as a late entry.",
        )
    entry = event.entries.get(pk=entry.pk)
    next_state("entry", entry.status, "promote")
    return event, entry
