"""The list at the door: everybody by name, with what is still to be put in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.names import by_surname
from tournaments.models import Entry, Event
from tournaments.players.selectors.players import PlayerRow, players_page
from tournaments.players.selectors.returns import waiting_order_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The players who take part, by name; ``absent`` and ``without_list`` are parts of them.

    ``called`` are the first on the waiting list, as many as there are free places; ``asking`` who
    has left before the start and asked to come back, the earliest request first.
    """

    rows: tuple[PlayerRow, ...]
    here: int
    absent: tuple[PlayerRow, ...]
    without_list: tuple[PlayerRow, ...]
    illegal: int
    unpaid: int
    waiting: int
    called: tuple[PlayerRow, ...]
    asking: tuple[Entry, ...]

    @property
    def to_mark(self) -> bool:
        return any(row.can_check_in for row in self.absent)

    @property
    def expected(self) -> int:
        """Return the number of players who take part."""
        return len(self.rows)


def arrivals(event: Event) -> Arrivals:
    """Return the list at the door; one query."""
    known = players_page(event)["rows"]
    playing = (row for row in known if row.entry.plays)
    rows = tuple(sorted(playing, key=lambda row: by_surname(row.entry)))
    return Arrivals(
        rows=rows,
        here=sum(row.entry.status == Entry.Status.CHECKED_IN for row in rows),
        absent=tuple(row for row in rows if row.entry.status == Entry.Status.REGISTERED),
        without_list=tuple(row for row in rows if row.deck == "missing"),
        unpaid=sum(not row.entry.fee_paid for row in rows) if event.takes_fee else 0,
        illegal=sum(row.deck == "illegal" for row in rows),
        waiting=sum(row.entry.status == Entry.Status.WAITING for row in known),
        called=_called_from_waiting_list(event, known, len(rows)) if event.plan is None else (),
        asking=_asking_back(known) if event.plan is None else (),
    )


def _asking_back(known: Sequence[PlayerRow]) -> tuple[Entry, ...]:
    """Return who has asked to come back and waits for an answer; no query."""
    asked = [
        (entry.return_asked_at, entry.number, entry)
        for entry in (row.entry for row in known)
        if entry.status == Entry.Status.WITHDRAWN and entry.return_asked_at
        if entry.return_refused_at is None
    ]
    return tuple(entry for _at, _number, entry in sorted(asked, key=lambda found: found[:2]))


def _called_from_waiting_list(
    event: Event, known: Sequence[PlayerRow], playing: int
) -> tuple[PlayerRow, ...]:
    """Return the players for whom there is a place now; no query."""
    waiting = [row for row in known if row.entry.status == Entry.Status.WAITING]
    waiting.sort(key=lambda row: waiting_order_key(row.entry))
    free = None if event.capacity is None else max(0, event.capacity - playing)
    return tuple(waiting[:free])
