"""The log of an event: replayed to the content of each place, and chained by digests.

A payload has public rows and closed words by place ("event", "entry/7", "round/5/match/3"), and the
places removed, each with all places below it. A match of a draft has an empty row: its columns are
in its words, under ``draft``.

In the hash chain, each line contains the digest of the previous line and of its own content. A
line has an open part, public once the event is over, and a closed part with names and texts. Only a
salted digest of the closed part enters the chain: once the salt is deleted, names in it can be
changed without breaking the chain.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

Row = dict[str, Any]
DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class LedgerContent:
    """What the log says of one object, such as "entry/7": public and private columns.

    ``row`` holds the public ones, ``words`` the private ones, such as names and texts.
    """

    row: Row
    words: Row

    @property
    def columns(self) -> Row:
        """Return the public columns; in a draft the columns that become public with it."""
        columns: Row = self.row or self.words.get(DRAFT, {})
        return columns


@dataclass(slots=True)
class Ledger:
    """The state of an event replayed from its log lines.

    ``contents`` maps paths such as "entry/7" to their content, ``lines`` to the number of the last
    line about them; ``since`` is the number of the first line with the whole event.
    """

    contents: dict[str, LedgerContent] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    since: int | None = None

    def apply(self, number: int, facts: Mapping[str, Any], words: Mapping[str, Any]) -> Self:
        """Apply the payload of a line and return this ledger.

        Raises AttributeError, TypeError for a malformed payload; then nothing was applied.
        """
        rows, whole = facts.get("rows", {}), bool(facts.get("whole"))
        now = {place: LedgerContent(_row(row), _words(words, place)) for place, row in rows.items()}
        for place in words:
            if place not in now and place in self.contents:
                now[place] = LedgerContent(self.contents[place].row, _words(words, place))
        gone = list(self.contents if whole else self._with_inner(facts.get("gone", [])))
        for place in gone:
            self.contents.pop(place, None)
            self.lines.pop(place, None)
        self.contents |= now
        self.lines |= dict.fromkeys(now, number)
        if whole and self.since is None:
            self.since = number
        return self

    def _with_inner(self, places: Iterable[str]) -> Iterator[str]:
        """Yield these places and all places below them."""
        for place in places:
            yield place
            below = f"{place}/"
            yield from (each for each in self.contents if each.startswith(below))


def incomparable_columns(words: Row, then: Row) -> frozenset[str]:
    """Return the private columns of a player that can't be compared with an older log line.

    ``words`` are the private columns now, ``then`` those of the line. Older lines lack accounts and
    former decklists, and an account may be removed at any time.
    """
    accounts = {"account"} - (words.keys() & then.keys())
    return frozenset(accounts | ({"lists"} - then.keys()))


def _row(row: Any) -> Row:
    if not isinstance(row, dict):
        raise TypeError("a row is no object")
    return _with_seats_in_order(row) if "seats" in row else row


def _with_seats_in_order(match: Row) -> Row:
    """Return a match with its players in the order of their seats.

    Lines from before seats had numbers name them in the order of their own numbers.
    """
    seats = [player for player in (match.get("a"), match.get("b")) if player is not None]
    return match | {"seats": seats} if sorted(seats) == sorted(match["seats"]) else match


def _words(words: Mapping[str, Any], place: str) -> Row:
    row = _row(words.get(place, {}))
    return row | {DRAFT: _row(row[DRAFT])} if DRAFT in row else row


FIRST = "0" * 64
"""The previous digest of the first line."""


def canonical_json(content: Any) -> bytes:
    """Return JSON data as canonical UTF-8 bytes: sorted keys, no spaces.

    Data that was stored in the database and read again gives the same bytes.
    """
    plain = json.loads(json.dumps(content))
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def private_digest(salt: str, closed: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a salt and the private part of a log line, in hexadecimal.

    ``closed`` is the private part.
    """
    return sha256(salt.encode() + canonical_json(closed)).hexdigest()


def line_digest(before: str, content: Mapping[str, Any]) -> str:
    """Return the chained SHA-256 of a log line, in hexadecimal.

    ``before`` is the previous line's digest, ``content`` the public part of the line, which holds
    the digest of its private part.
    """
    return sha256(before.encode() + canonical_json(content)).hexdigest()
