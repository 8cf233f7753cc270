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


class ListPlayer(Protocol):
    """Protocol of a player in a row of a list."""

    @property
    def number(self) -> int:
        """Return the player's number in the event."""

    @property
    def name_key(self) -> str:
        """Return the name without case and accents."""


class ListRow(Protocol):
    """Protocol of a row of a list.

    ``mark`` stands for the row in links to parts: a table number or letters, "" for its position.
    """

    @property
    def players(self) -> Sequence[ListPlayer]:
        """Return the players of the row."""

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts, "" for its position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedPart:
    """The part of a long list that a request asks for.

    ``page``: number of the part, from 1. ``find``: text to search. ``whole``: all rows. ``beside``:
    other query parameters to keep in links.
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
class ListPart:
    """The rows to show of a long list, and links to its other parts.

    ``total``: number of all rows. ``links``: one per part with ``words``, ``query`` and
    ``current``; empty if no parts are needed. ``find``: text searched for. ``whole``: whether all
    rows were requested. ``first`` and ``every``: query strings of the first part and of the whole
    list.
    """

    rows: tuple[ListRow, ...]
    total: int
    links: tuple[dict[str, Any], ...] = ()
    find: str = ""
    whole: bool = False
    first: str = ""
    every: str = ""


def parse_requested_part(sent: QueryDict, **beside: str) -> RequestedPart:
    """Return the part of a list that query parameters ask for; invalid ones are ignored.

    beside: other parameters to keep in links, unless empty.
    """
    page = sent.get("page", "")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
    return RequestedPart(
        page=max(1, number),
        find=sent.get("find", "").replace("\x00", "").strip()[:LONGEST],
        whole=sent.get("all") == "1",
        beside=tuple((name, value) for name, value in beside.items() if value),
    )


def is_split_into_parts(total: int) -> bool:
    """Return whether a list with this number of rows is split into parts (over 128)."""
    return total > FULL


def select_part(
    rows: Sequence[ListRow], wanted: RequestedPart, own: int = 0, size: int = FULL
) -> ListPart:
    """Return the requested part of a list; the last one if the number is too high.

    own: the reader's player number; their row comes first, in addition. size: rows of a part.
    """
    total, first = len(rows), wanted.query()
    if wanted.find:
        found = tuple(_matching_rows(rows, wanted.find))
        return ListPart(rows=found, total=total, find=wanted.find, first=first)
    if total <= size:
        return ListPart(rows=tuple(rows), total=total)
    if wanted.whole:
        return ListPart(rows=tuple(rows), total=total, whole=True, first=first)
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

    return ListPart(
        rows=(*mine, *rows[(page - 1) * size : page * size]),
        total=total,
        links=tuple(map(link, range(1, count + 1))),
        first=first,
        every=wanted.query(all=1),
    )


def _matching_rows(rows: Sequence[ListRow], find: str) -> list[ListRow]:
    return [
        row
        for row in rows
        if row.mark == find or any(name_matches(player.name_key, find) for player in row.players)
    ]
