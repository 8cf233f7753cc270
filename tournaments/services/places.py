"""Places in an event: who gets one, and who waits for it."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from rules.events.lifecycle import after
from rules.names import name_key
from tournaments.models import Entry, Event
from tournaments.permissions import Actor
from tournaments.services.log import record


def store_entries(
    event: Event, people: Sequence[tuple[str, str]], user: User | None = None
) -> list[Entry]:
    """Enter people (name, club); whoever finds no room waits. Inside a transaction."""
    free = free_places(event)
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    entries = []
    for index, (name, club) in enumerate(people):
        waits = free is not None and index >= free
        entries.append(
            Entry(
                event=event,
                number=last + index + 1,
                name=name,
                name_key=name_key(name),
                club=club,
                user=user,
                status=Entry.Status.WAITING if waits else Entry.Status.REGISTERED,
                waiting_since=now if waits else None,
            )
        )
    return Entry.objects.bulk_create(entries)


def new_entry(event: Event, name: str, club: str) -> Entry:
    """Enter one person who is here already, whatever room there is. Inside a transaction."""
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    return Entry.objects.create(
        event=event,
        number=last + 1,
        name=name,
        name_key=name_key(name),
        club=club,
        status=Entry.Status.CHECKED_IN,
    )


def fill_places(event: Event, *, by: Actor) -> list[Entry]:
    """Move up from the waiting list as far as there is room; inside a transaction."""
    free = free_places(event)
    waiting = event.entries.waiting()
    moved = list(waiting if free is None else waiting[: max(free, 0)])
    for entry in moved:
        entry.status = after("entry", entry.status, "promote")
        entry.waiting_since = None
        entry.save(update_fields=["status", "waiting_since"])
        record(event, "entry.promoted", by=by, subject=entry.name, after={"status": entry.status})
    return moved


def free_places(event: Event) -> int | None:
    """Return how many places are free, None without a limit; negative when too many play."""
    if event.capacity is None:
        return None
    return event.capacity - event.entries.playing().count()


def entry_facts(entry: Entry) -> dict[str, Any]:
    """Return an entry as plain data for the log."""
    return {
        "number": entry.number,
        "name": entry.name,
        "club": entry.club,
        "seed": entry.seed,
        "status": str(entry.status),
        **({"fixed_table": entry.fixed_table} if entry.fixed_table else {}),
    }
