"""Free places, and who is next on the waiting list."""

from datetime import datetime

from tournaments.core.event_state import EventFacts
from tournaments.core.rows import AnyEntry
from tournaments.core.twins import marks_in, tell_apart
from tournaments.models import Entry, Event


def free_places(event: Event) -> int | None:
    """Return the number of free places, None without a limit; negative above it; one query."""
    if event.capacity is None:
        return None
    return event.capacity - event.entries.playing().count()


def is_door_in_use(event: Event) -> bool:
    """Return whether somebody is marked as present; one query."""
    return event.entries.filter(status=Entry.Status.CHECKED_IN).exists()


def waiting_order_key(entry: AnyEntry) -> tuple[bool, datetime | None, int]:
    """Return the sort key of the waiting list, the order of ``EntryQuerySet.waiting``."""
    return entry.waiting_since is None, entry.waiting_since, entry.number


def place_in_line(facts: EventFacts, number: int) -> int:
    """Return where a player stands in line for the next free place; no query.

    0: a place is free for them now, which the staff give out at the door.
    """
    entries, capacity = facts.entries.values(), facts.event.capacity
    waiting = (entry for entry in entries if entry.status == Entry.Status.WAITING)
    line = [entry.number for entry in sorted(waiting, key=waiting_order_key)]
    if number not in line or capacity is None:
        return 0
    free = max(0, capacity - sum(entry.plays for entry in entries))
    return max(0, line.index(number) + 1 - free)


def next_in_line(event: Event) -> list[Entry]:
    """Return the players for whom there is a place now; nobody after the start; three queries."""
    if event.plan is not None:
        return []
    free = free_places(event)
    found = list(event.entries.waiting()[: None if free is None else max(0, free)])
    return tell_apart(found, marks_in(event)) if found else []
