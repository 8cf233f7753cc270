"""Marks for players read as model instances; rows of ``load_facts`` have theirs already."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from tournaments.core.names import marks_of
from tournaments.models import Entry, Event

Entries = TypeVar("Entries", bound=Iterable[Entry])


def marks_in(event: Event) -> dict[int, str]:
    """Return the marks of an event's players by their number; one query."""
    return marks_of(event.entries.only("event", "number", "name", "club"))


def marks_in_each(events: Iterable[int]) -> dict[int, dict[int, str]]:
    """Return the marks of the players of some events, by the event's primary key; one query."""
    players: dict[int, list[Entry]] = {event: [] for event in events}
    found = Entry.objects.filter(event__in=players).order_by()
    for entry in found.only("event", "number", "name", "club"):
        players[entry.event_id].append(entry)
    return {event: marks_of(entries) for event, entries in players.items()}


def tell_apart(entries: Entries, marks: Mapping[int, str]) -> Entries:
    """Give entries of an event their marks, as ``marks_in`` or ``marks_of``; return them."""
    for entry in entries:
        entry.mark = marks.get(entry.number, "")
    return entries
