"""Long lists in parts that a phone can take: pairings, standings, the ranking, the players.

A list of more than ``FULL`` rows is shown in parts. These parameters of its address choose, and no
other does:

``page=2``
    the part; the first without it. Links never write ``page=1``.
``all=1``
    the whole list, for print and the projector.
``find=anna``
    the rows of all parts with a player whose name begins so, or with this table.

``PART_PARAMETERS`` are those with which an answer may be cached. A reader with an entry has
their own row first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

from django.http import QueryDict

from tournaments.core.names import name_matches

FULL = 128
"""Rows of a part; as many players as a small event has are shown as one."""
PART_PARAMETERS = ("page", "all")
LONGEST = 80


class Player(Protocol):
    """Protocol of a player in a list's row."""

    @property
    def number(self) -> int:
        """Return the player's number in the event."""

    @property
    def name_key(self) -> str:
        """Return the name without case and accents."""


class Row(Protocol):
    """Protocol of a list's row: its players, and its ``mark`` in links to parts.

    The mark is a table number or letters; if "", links name the row's position.
    """

    @property
    def players(self) -> Sequence[Player]:
        """Return the players of the row."""

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts, "" for its position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedPart:
    """The part of a long list that a request asks for: page, search or all.

    ``beside`` are other query parameters, kept in links.
    """

    page: int = 1
    find: str = ""
    whole: bool = False
    beside: tuple[tuple[str, str], ...] = ()

    def query(self, **values: object) -> str:
        """Return the query of an address of the same list, with what else it depends on."""
        chosen = [*self.beside, *((name, value) for name, value in values.items() if value)]
        return f"?{urlencode(chosen)}" if chosen else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The rows to show of a long list, and links to its other parts.

    ``total`` counts all rows, ``links`` is empty if all are shown. ``find`` is what was searched
    for, ``whole``: the whole list was asked for. ``first`` and ``every`` are query strings for the
    first part and the whole list.
    """

    rows: tuple[Row, ...]
    total: int
    links: tuple[dict[str, Any], ...] = ()
    find: str = ""
    whole: bool = False
    first: str = ""
    every: str = ""


def requested_part(sent: QueryDict, **beside: str) -> WantedPart:
    """Return the part of a list that the query string asks for.

    Invalid parameters are ignored. ``beside`` are other parameters to keep in links, if not empty.
    """
    page = sent.get("page", "")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
    return WantedPart(
        page=max(1, number),
        find=sent.get("find", "").replace("\x00", "").strip()[:LONGEST],
        whole=sent.get("all") == "1",
        beside=tuple((name, value) for name, value in beside.items() if value),
    )


def is_long(total: int) -> bool:
    """Return whether a list of this many rows is split into parts."""
    return total > FULL


def part_of(rows: Sequence[Row], wanted: WantedPart, own: int = 0, size: int = FULL) -> Part:
    """Return the requested part of a list, the last one if the number is too high.

    ``own`` is the reader's player number: their row comes first. ``size`` is the number of rows of
    a part.
    """
    total, first = len(rows), wanted.query()
    if wanted.find:
        found = tuple(_matching_rows(rows, wanted.find))
        return Part(rows=found, total=total, find=wanted.find, first=first)
    if total <= size:
        return Part(rows=tuple(rows), total=total)
    if wanted.whole:
        return Part(rows=tuple(rows), total=total, whole=True, first=first)
    count = -(-total // size)
    page = min(wanted.page, count)
    mine = [row for row in rows if any(player.number == own for player in row.players)][:1]

    def link(number: int) -> dict[str, Any]:
        begin, end = (number - 1) * size, min(number * size, total) - 1
        return {
            "words": f"{rows[begin].mark or begin + 1} – {rows[end].mark or end + 1}",
            "query": wanted.query(page=number if number > 1 else None),
            "current": number == page,
        }

    return Part(
        rows=(*mine, *rows[(page - 1) * size : page * size]),
        total=total,
        links=tuple(map(link, range(1, count + 1))),
        first=first,
        every=wanted.query(all=1),
    )


def _matching_rows(rows: Sequence[Row], find: str) -> list[Row]:
    return [
        row
        for row in rows
        if row.mark == find or any(name_matches(player.name_key, find) for player in row.players)
    ]
