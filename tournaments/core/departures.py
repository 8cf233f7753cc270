"""How withdrawn players have left, in the rows of an event and in players read as models."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from rules.events.departures import departure_of, was_played
from rules.results import PlayerId
from tournaments.core.row_queries import EventRows
from tournaments.core.rows import EntryRow
from tournaments.models import Entry

Entries = TypeVar("Entries", bound=Iterable[Entry])


def entries_of(rows: EventRows, *, started: bool) -> dict[PlayerId, EntryRow]:
    """Return the players by number; those who withdrew say how they left, once it has started.

    Before the start only what was said counts, as nobody could play yet.
    """
    gone = {entry.pk: entry for entry in rows.entries if entry.status == Entry.Status.WITHDRAWN}
    played = (
        _who_played(rows) if started and not all(e.left for e in gone.values()) else frozenset()
    )
    told = {
        entry.number: entry._replace(
            departure=departure_of(entry.left, played=key in played)
            if started or entry.left
            else ""
        )
        for key, entry in gone.items()
    }
    return {entry.number: told.get(entry.number, entry) for entry in rows.entries}


def _who_played(rows: EventRows) -> frozenset[int]:
    """Return the keys of the players who have played a match."""
    found = set[int]()
    for matches in rows.matches.values():
        for match in matches:
            made = match.decision
            if made and was_played(made.ended_by, scored=made.is_scored):
                found.update(match.seats)
    return frozenset(found)


def tell_departures(entries: Entries, known: Mapping[PlayerId, EntryRow]) -> Entries:
    """Give players read as models how they left, as rows of ``entries_of`` know it; return them."""
    for entry in entries:
        entry.departure = known[entry.number].departure if entry.number in known else ""
    return entries
