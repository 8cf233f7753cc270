"""Replay of an event's log: the content of each place, from the payloads of the lines so far.

A payload has public rows and closed words by place ("event", "entry/7", "round/5/match/3"), and the
places removed, each with all places below it. A match of a draft has an empty row: its columns are
in its words, under ``draft``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

Row = dict[str, Any]
DRAFT = "draft"
COUNTED: Mapping[str, frozenset[str]] = {
    "event": frozenset(
        ("state", "plan", "criteria", "points_win", "points_draw", "points_loss", "table_points"),
    ),
    "entry/*": frozenset(("status", "seed")),
}
"""Open columns that count, by kind of place; of other places all do, and closed words too."""
LEFT_OUT = frozenset(("earlier", "absent", "table_points"))
"""Columns that lines leave out while they are empty; other new ones come with newer versions."""


def kind_of(place: str) -> str:
    """Return the kind of a place: "round/*/match/*" of "round/5/match/3"."""
    return "/".join("*" if part.isdigit() else part for part in place.split("/"))


def affects_results(kind: str, column: str) -> bool:
    """Return whether a public column can affect results or ranks: a seed does, a name does not."""
    return kind not in COUNTED or column in COUNTED[kind]


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a place; ``words`` is None where they are unknown, as after an erasure."""

    row: Row
    words: Row | None

    @property
    def is_draft(self) -> bool:
        """Return whether this is a match of a draft, which is not public yet."""
        return not self.row and DRAFT in (self.words or {})

    @property
    def columns(self) -> Row:
        """Return the public columns; in a draft the columns that become public with it."""
        return self.words[DRAFT] if self.words and self.is_draft else self.row


@dataclass(frozen=True, slots=True)
class Change:
    """A place in the payload of a line, with its content before and after; None: no such place."""

    place: str
    before: Content | None
    now: Content | None

    @property
    def differs(self) -> bool:
        """Return whether the content changed, public or closed.

        A change of the account that a player has does not count.
        """
        before, now = self.before, self.now
        if before is None or now is None or before.columns != now.columns:
            return before is not now
        if before.words is None or now.words is None:
            return False
        passed = {DRAFT, "account"} | incomparable_words(now.words, before.words)
        names = {*before.words, *now.words} - passed
        return any(before.words.get(name) != now.words.get(name) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The payload of a log line; ``words`` is None for readers who may not see the closed part.

    ``names`` is the number of the line that an undo or a restored snapshot goes back to, ``since``
    that of the last line before its act, if the act wrote others meanwhile.
    """

    number: int
    facts: Mapping[str, Any]
    words: Mapping[str, Any] | None = None
    names: int | None = None
    since: int | None = None

    @property
    def has_whole_event(self) -> bool:
        """Return whether the payload is the whole event, not only what changed."""
        return bool(self.facts.get("whole"))

    @property
    def erases(self) -> bool:
        """Return whether the line records an erasure, which rewrote words of earlier lines."""
        return "erased" in self.facts


@dataclass(slots=True)
class Ledger:
    """The content of all places after the lines applied so far.

    ``lines`` maps each place to the number of the last line about it. ``since`` is the number of
    the first line with the whole event, ``laws`` the version of the laws in force at the last line.
    """

    contents: dict[str, Content] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    since: int | None = None
    laws: int | None = None
    _began: dict[int, int] = field(default_factory=dict)
    _past: dict[str, list[tuple[int, Content | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def changes_by(self, line: Line) -> list[Change]:
        """Return the places in a line's payload; raises TypeError for a malformed one."""
        rows, words = line.facts.get("rows", {}), line.words
        now = {place: Content(_row(row), _words(words, place)) for place, row in rows.items()}
        for place in words or {}:
            if place not in now and place in self.contents:
                now[place] = Content(self.contents[place].row, _words(words, place))
        gone = (
            self.contents if line.has_whole_event else self._with_inner(line.facts.get("gone", []))
        )
        places = dict.fromkeys((*gone, *now))
        return [Change(place, self.contents.get(place), now.get(place)) for place in places]

    def apply(self, line: Line, changes: Iterable[Change] | None = None) -> Self:
        """Apply a line and return this ledger; ``changes`` is what ``changes_by(line)`` returned.

        Raises TypeError for a malformed line; then nothing was applied.
        """
        for each in self.changes_by(line) if changes is None else changes:
            if each.now is None:
                self.contents.pop(each.place, None)
                self.lines.pop(each.place, None)
            else:
                self.contents[each.place], self.lines[each.place] = each.now, line.number
            if each.now != each.before:
                self._past[each.place].append((line.number, each.now))
        if line.has_whole_event and self.since is None:
            self.since = line.number
        if line.erases:
            self._forget_words(line.number)
        if line.since is not None:
            self._began[line.number] = line.since
        self.laws = line.facts.get("laws", self.laws)
        return self

    def at(self, place: str, number: int) -> Content | None:
        """Return the content of a place after the line with this number, None if there is none."""
        past = (held for at, held in reversed(self._past.get(place, ())) if at <= number)
        return next(past, None)

    def before(self, number: int) -> int:
        """Return the number of the last line before the act of a line.

        An act that calls others writes several lines; this is the one before the first of them.
        """
        return self._began.get(number, number - 1)

    def places(self, number: int) -> list[str]:
        """Return the places that existed after the line with this number."""
        return [place for place in self._past if self.at(place, number) is not None]

    def _with_inner(self, places: Iterable[str]) -> Iterator[str]:
        """Yield these places and all places below them."""
        for place in places:
            yield place
            below = f"{place}/"
            yield from (each for each in self.contents if each.startswith(below))

    def _forget_words(self, number: int) -> None:
        """Set the words before a line to unknown, as an erasure may have rewritten them."""
        for past in self._past.values():
            past[:] = [
                (at, held if held is None or at >= number else Content(held.row, None))
                for at, held in past
            ]


def incomparable_words(words: Row, then: Row) -> frozenset[str]:
    """Return the closed columns of a player that can't be compared, as older lines lack them.

    Older lines hold neither accounts nor former lists, and an account may be removed at any time.
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


def _words(words: Mapping[str, Any] | None, place: str) -> Row | None:
    if words is None:
        return None
    row = _row(words.get(place, {}))
    return row | {DRAFT: _row(row[DRAFT])} if DRAFT in row else row
