"""Events of one day and one venue that have the same tables, and tables that are free."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from rules.errors import BadInput
from rules.names import name_key
from rules.stages.table_ranges import TableRanges, free_tables, table_ranges
from tournaments.core.permissions import Actor, can_view
from tournaments.events.selectors.events import count_players
from tournaments.models import Event

NEAR = timedelta(days=1, hours=2)
"""Two events of one day begin no further apart, whatever their time zones."""


@dataclass(frozen=True, kw_only=True)
class TableClash:
    """Tables that another event has too; ``event`` is None where the reader may not see it."""

    event: Event | None
    tables: str


@dataclass(frozen=True, kw_only=True)
class Clashes:
    """All events with the same tables, and the first free ones in a row."""

    clashes: tuple[TableClash, ...]
    free: str


def table_clashes(event: Event, actor: Actor) -> Clashes:
    """Return the events of the same day and venue whose tables are among this event's.

    An event without tables of its own has as many as its players need, from the first on. No
    query without a venue, else three, and those of ``can_view`` for each event found.
    """
    others = _events_of_day_and_venue(event)
    if not others:
        return Clashes(clashes=(), free="")
    count_players([event, *others])
    own, taken, found = {*_tables_of(event)}, set[int](), []
    for other in others:
        theirs = {*_tables_of(other)}
        taken |= theirs
        if both := own & theirs:
            seen = other if can_view(actor, other) else None
            found.append(TableClash(event=seen, tables=_in_words(both)))
    return Clashes(clashes=tuple(found), free=str(free_tables(len(own), taken)) if found else "")


def _events_of_day_and_venue(event: Event) -> list[Event]:
    """Return the events of the same day and venue that are not over; at most one query."""
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
        if name_key(other.venue) == venue and other.starts_at.astimezone(zone).date() == day
    ]


def _tables_of(event: Event) -> tuple[int, ...]:
    """Return the tables that an event has: those named, else as many as its players need."""
    try:
        hall = table_ranges(event.tables)
    except BadInput:  # damaged in the database: its own pages say so
        hall = TableRanges()
    players: int = event.players  # type: ignore[attr-defined]
    return hall.first(hall.size or max(1, -(-players // 2)))


def _in_words(tables: set[int]) -> str:
    runs = groupby(enumerate(sorted(tables)), lambda pair: pair[1] - pair[0])
    parts = [[table for _at, table in run] for _key, run in runs]
    return ", ".join(f"{part[0]}–{part[-1]}" if len(part) > 1 else f"{part[0]}" for part in parts)
