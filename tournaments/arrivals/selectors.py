"""The list at the door: everybody by name, with what is still to be put in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.facts_cache import read_facts
from tournaments.core.names import surname_sort_key
from tournaments.models import Entry, Event
from tournaments.players.selectors.players import (
    JoiningPlayer,
    PlayerRow,
    joining_players,
    players_table_context,
)
from tournaments.players.selectors.returns import rejoin_requests, waiting_order_key


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInList:
    """The check-in list: active players by surname, and what is missing.

    ``here``, ``illegal`` (decklists), ``unpaid`` and ``waiting`` (for a place) are counts.
    ``called`` are the first on the waiting list for whom there are places; ``asking`` are dropped
    players who asked to return, earliest first; ``in_line`` are waiting players who can join the
    round in play.
    """

    rows: tuple[PlayerRow, ...]
    here: int
    absent: tuple[PlayerRow, ...]
    without_list: tuple[PlayerRow, ...]
    illegal: int
    unpaid: int
    waiting: int
    called: tuple[PlayerRow, ...]
    asking: tuple[JoiningPlayer, ...]
    in_line: tuple[JoiningPlayer, ...]

    @property
    def to_mark(self) -> bool:
        return any(row.can_check_in for row in self.absent)

    @property
    def expected(self) -> int:
        """Return the number of players who take part."""
        return len(self.rows)


def check_in_list(event: Event) -> CheckInList:
    """Return the check-in list of an event.

    The queries are those of `players_table_context`, and while the event runs those of its facts.
    """
    known = players_table_context(event)["rows"]
    playing = (row for row in known if row.entry.plays)
    rows = tuple(sorted(playing, key=lambda row: surname_sort_key(row.entry)))
    return CheckInList(
        rows=rows,
        here=sum(row.entry.status == Entry.Status.CHECKED_IN for row in rows),
        absent=tuple(row for row in rows if row.entry.status == Entry.Status.REGISTERED),
        without_list=tuple(row for row in rows if row.deck == "missing"),
        unpaid=sum(not row.entry.fee_paid for row in rows) if event.takes_fee else 0,
        illegal=sum(row.deck == "illegal" for row in rows),
        waiting=sum(row.entry.status == Entry.Status.WAITING for row in known),
        called=_called_from_waiting_list(event, known, len(rows)) if event.plan is None else (),
        asking=_asking_back(event, known),
        in_line=_in_line(event, known),
    )


def _asking_back(event: Event, known: Sequence[PlayerRow]) -> tuple[JoiningPlayer, ...]:
    """Return who has asked to come back and waits for an answer, with what they can join."""
    if event.plan is not None:
        facts = read_facts(event, for_staff=True)
        return joining_players(facts, rejoin_requests(facts))
    asked = [
        (entry.return_asked_at, entry.number, entry)
        for entry in (row.entry for row in known)
        if entry.status == Entry.Status.WITHDRAWN and entry.return_asked_at
        if entry.return_refused_at is None
    ]
    return tuple(
        JoiningPlayer(entry, ())
        for _at, _number, entry in sorted(asked, key=lambda found: found[:2])
    )


def _in_line(event: Event, known: Sequence[PlayerRow]) -> tuple[JoiningPlayer, ...]:
    """Return who waits and can join a match of the round in play, in the order of the list."""
    if event.state != Event.State.RUNNING:
        return ()
    found = joining_players(
        read_facts(event, for_staff=True), (row.entry for row in _waiting(known))
    )
    return tuple(one for one in found if one.offers)


def _waiting(known: Sequence[PlayerRow]) -> list[PlayerRow]:
    waiting = [row for row in known if row.entry.status == Entry.Status.WAITING]
    return sorted(waiting, key=lambda row: waiting_order_key(row.entry))


def _called_from_waiting_list(
    event: Event, known: Sequence[PlayerRow], playing: int
) -> tuple[PlayerRow, ...]:
    """Return the players for whom there is a place now; no query."""
    free = None if event.capacity is None else max(0, event.capacity - playing)
    return tuple(_waiting(known)[:free])
