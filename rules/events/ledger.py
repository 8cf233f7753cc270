"""What an event's log says it holds: the state of each place, as its lines add up to it.

A line tells open rows and closed words by place ("event", "entry/7", "round/5/match/3"), and which
places are gone, with all below them. A match of a draft has an empty row: what it holds stands in
its words, under ``draft``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

Row = dict[str, Any]
DRAFT = "draft"
COUNTED: Mapping[str, frozenset[str]] = {
    "event": frozenset(
        ("state", "plan", "criteria", "points_win", "points_draw", "points_loss"),
    ),
    "entry/*": frozenset(("status", "seed")),
}
"""Open columns that count, by kind of place; of other places all do, and closed words too."""


def kind_of(place: str) -> str:
    """Return the kind of a place: "round/*/match/*" of "round/5/match/3"."""
    return "/".join("*" if part.isdigit() else part for part in place.split("/"))


def counts(kind: str, column: str) -> bool:
    """Return whether an open column counts for what an event comes to."""
    return kind not in COUNTED or column in COUNTED[kind]


@dataclass(frozen=True, slots=True)
class Held:
    """What a place holds. ``words`` is None where they are not known, as after an erasure."""

    row: Row
    words: Row | None

    @property
    def is_draft(self) -> bool:
        """Return whether this is a match that the public does not know yet."""
        return not self.row and DRAFT in (self.words or {})

    @property
    def columns(self) -> Row:
        """Return the open row; of a match of a draft the row that it will have."""
        return self.words[DRAFT] if self.words and self.is_draft else self.row


@dataclass(frozen=True, slots=True)
class Told:
    """A place that a line tells of, with what it held before and holds then, None for no place."""

    place: str
    before: Held | None
    now: Held | None

    @property
    def differs(self) -> bool:
        """Return whether the place holds something else, be it open or still closed.

        Whose account a player has is no act's business.
        """
        before, now = self.before, self.now
        if before is None or now is None or before.columns != now.columns:
            return before is not now
        if before.words is None or now.words is None:
            return False
        passed = {DRAFT, "account"} | not_told(now.words, before.words)
        names = {*before.words, *now.words} - passed
        return any(before.words.get(name) != now.words.get(name) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a line of the log adds. ``words`` is None for who may not read the closed part.

    ``names`` is the number of the line that an undo or a restored snapshot goes back to, ``since``
    that of the last line before its act, if the act wrote others meanwhile.
    """

    number: int
    facts: Mapping[str, Any]
    words: Mapping[str, Any] | None = None
    names: int | None = None
    since: int | None = None

    @property
    def is_whole(self) -> bool:
        """Return whether it tells everything that the event holds."""
        return bool(self.facts.get("whole"))

    @property
    def erases(self) -> bool:
        """Return whether closed words of earlier lines were rewritten, to erase a person."""
        return "erased" in self.facts


@dataclass(slots=True)
class Ledger:
    """State of all places after the lines applied so far.

    ``lines`` are the last lines that told of each place, ``since`` the first that told everything;
    ``laws`` is the version of the laws that the last lines were written under.
    """

    held: dict[str, Held] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    since: int | None = None
    laws: int | None = None
    _began: dict[int, int] = field(default_factory=dict)
    _past: dict[str, list[tuple[int, Held | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def told(self, line: Line) -> list[Told]:
        """Return the places that a line tells of. Raises TypeError for one that can't be read."""
        rows, words = line.facts.get("rows", {}), line.words
        now = {place: Held(_row(row), _words(words, place)) for place, row in rows.items()}
        for place in words or {}:
            if place not in now and place in self.held:
                now[place] = Held(self.held[place].row, _words(words, place))
        gone = self.held if line.is_whole else self._below(line.facts.get("gone", []))
        places = dict.fromkeys((*gone, *now))
        return [Told(place, self.held.get(place), now.get(place)) for place in places]

    def apply(self, line: Line, told: Iterable[Told] | None = None) -> Self:
        """Add what a line tells (``told``, if it is known already); return this ledger.

        Raises TypeError for a line that can't be read; then nothing was added.
        """
        for each in self.told(line) if told is None else told:
            if each.now is None:
                self.held.pop(each.place, None)
                self.lines.pop(each.place, None)
            else:
                self.held[each.place], self.lines[each.place] = each.now, line.number
            if each.now != each.before:
                self._past[each.place].append((line.number, each.now))
        if line.is_whole and self.since is None:
            self.since = line.number
        if line.erases:
            self._forget_words(line.number)
        if line.since is not None:
            self._began[line.number] = line.since
        self.laws = line.facts.get("laws", self.laws)
        return self

    def at(self, place: str, number: int) -> Held | None:
        """Return what a place held after the line with this number, None if it was not there."""
        past = (held for at, held in reversed(self._past.get(place, ())) if at <= number)
        return next(past, None)

    def before(self, number: int) -> int:
        """Return the last line before the act of a line."""
        return self._began.get(number, number - 1)

    def places(self, number: int) -> list[str]:
        """Return the places that were there after the line with this number."""
        return [place for place in self._past if self.at(place, number) is not None]

    def _below(self, places: Iterable[str]) -> Iterator[str]:
        """Yield the places that go with some, those themselves included."""
        for place in places:
            yield place
            below = f"{place}/"
            yield from (each for each in self.held if each.startswith(below))

    def _forget_words(self, number: int) -> None:
        """Forget all words told before a line: they may not be what they were."""
        for past in self._past.values():
            past[:] = [
                (at, held if held is None or at >= number else Held(held.row, None))
                for at, held in past
            ]


def not_told(words: Row, then: Row) -> frozenset[str]:
    """Return the closed columns of a player that can't be compared with what was told then.

    Early lines tell neither accounts nor former lists, and an account may always be removed.
    """
    accounts = {"account"} - (words.keys() & then.keys())
    return frozenset(accounts | ({"lists"} - then.keys()))


def _row(row: Any) -> Row:
    if not isinstance(row, dict):
        raise TypeError("a row is no object")
    return row


def _words(words: Mapping[str, Any] | None, place: str) -> Row | None:
    return None if words is None else _row(words.get(place, {}))
