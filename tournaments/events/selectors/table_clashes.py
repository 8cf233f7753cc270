"""Events of one day and one venue that have the same tables, and tables that are free."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from rules.errors import BadInput
from rules.names import name_key
from rules.results import PlayerId
from rules.stages.tables import (
    ANY_TABLE,
    TableRanges,
    free_tables,
    moved_tables,
    ranges_of,
    table_ranges,
)
from rules.tables.rounds import USUAL_SIZES, tables_of
from tournaments.core.formulas import begins_with_tables
from tournaments.core.permissions import Actor, can_view
from tournaments.events.selectors.events import count_players
from tournaments.models import Entry, Event

NEAR = timedelta(days=1, hours=2)
"""Two events of one day begin no further apart, whatever their time zones."""


@dataclass(frozen=True, kw_only=True)
class Clashes:
    """All events with the same tables, and the first free ones in a row.

    ``fixed`` are players whose fixed table moves along to the free ones, with it before and after.
    """

    clashes: tuple[dict[str, Any], ...] = ()
    free: TableRanges = ANY_TABLE
    fixed: tuple[tuple[Entry, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SameTables:
    """Events with tables of an event, each with those; ``taken`` are the tables of all others."""

    own: frozenset[int]
    clashes: tuple[tuple[Event, frozenset[int]], ...]
    taken: frozenset[int]


def table_clashes(event: Event, actor: Actor) -> Clashes:
    """Return the events of the same day and venue whose tables are among this event's.

    No query without a venue, else three; with such events those of ``can_view`` for each and of the
    players with a fixed table.

    Tables that another event has too; ``event`` is None where the reader may not see it.
    """
    found = events_with_same_tables(event)
    if not found.clashes:
        return Clashes()
    free = free_tables(len(found.own), found.taken)
    return Clashes(
        clashes=tuple(
            {"event": other if can_view(actor, other) else None, "tables": ranges_of(both)}
            for other, both in found.clashes
        ),
        free=free,
        fixed=_fixed_tables_moved(event, free),
    )


def events_with_same_tables(event: Event) -> SameTables:
    """Return the events of the same day and venue with tables of this one, whoever sees them.

    Events that were said to be in other rooms are left out. An event without tables of its own
    has as many as its players need, from the first on. No query without a venue, else three.
    """
    others = _events_of_day_and_venue(event)
    if others:
        count_players([event, *others])
    own = frozenset(_tables_of(event)) if others else frozenset[int]()
    theirs = [(other, frozenset(_tables_of(other))) for other in others]
    return SameTables(
        own=own,
        clashes=tuple((other, own & tables) for other, tables in theirs if own & tables),
        taken=frozenset(table for _other, tables in theirs for table in tables),
    )


def _fixed_tables_moved(event: Event, free: TableRanges) -> tuple[tuple[Entry, int, int], ...]:
    fixed = {e.number: e for e in event.entries.filter(fixed_table__isnull=False)}
    known: dict[PlayerId, int] = {n: entry.fixed_table or 0 for n, entry in fixed.items()}
    moved = moved_tables(known, _ranges_of(event), free)
    return tuple((fixed[int(n)], known[int(n)], table) for n, table in sorted(moved.items()))


def _events_of_day_and_venue(event: Event) -> list[Event]:
    """Return the events of the same day and venue that are not over; at most one query.

    Without those said to be in other rooms.
    """
    venue = name_key(event.venue)
    if not venue or event.state == Event.State.FINISHED:
        return []
    near = Event.objects.filter(
        starts_at__range=(event.starts_at - NEAR, event.starts_at + NEAR)
    ).exclude(pk=event.pk)
    zone = ZoneInfo(event.time_zone)
    day = event.starts_at.astimezone(zone).date()
    return [
        other
        for other in near.exclude(state=Event.State.FINISHED).exclude(venue="").order_by("pk")
        if other.pk not in event.other_rooms
        and event.pk not in other.other_rooms
        and name_key(other.venue) == venue
        and other.starts_at.astimezone(zone).date() == day
    ]


def _tables_of(event: Event) -> tuple[int, ...]:
    """Return the tables that an event has: those named, else as many as its players need."""
    hall = _ranges_of(event)
    return hall.first(hall.size or max(1, _tables_needed(event)))


def _tables_needed(event: Event) -> int:
    """Return how many tables the players of an event need in a round of all of them."""
    players: int = event.players  # type: ignore[attr-defined]
    if begins_with_tables(event.formula):
        return len(tables_of(players, event.options.get("sizes") or USUAL_SIZES))
    return -(-players // 2)


def _ranges_of(event: Event) -> TableRanges:
    try:
        return table_ranges(event.tables)
    except BadInput:  # damaged in the database: its own pages say so
        return TableRanges()
