"""Results of tables: a place for each seat, and the points they give.

Source: tables, 1 and 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm

from rules.errors import BadInput
from rules.results import EndedBy, Mark, PlayerId, Result, of_two

Places = tuple[int | None, ...]
"""The place of each seat, None for whoever was absent or disqualified."""
Marks = tuple[tuple[int, Mark], ...]
"""What is noted of seats, by their numbers from 1, in their order."""
_GONE = (EndedBy.NO_SHOW, EndedBy.DISQUALIFICATION)
"""Endings of a match of two whose loser was not there at its end."""
UNITS = lcm(*range(1, 6))
"""Points are counted in this part of a point, so that up to five can share them: 60."""


class TableResult(Result):
    """One table of a stage: players in the order of their seats, and their places.

    ``places`` None: not played yet, or void (``ended_by``). ``marks`` are by number of the seat,
    from 1. A bye has one seat and place 1, a missed round one seat and place 2. What only matches
    of two have raises ValueError.
    """

    __slots__ = ("_places", "_seats", "marks")
    _places: Places | None
    _seats: tuple[PlayerId, ...]
    marks: Marks
    a = of_two("a")
    b = of_two("b")
    winner = of_two("winner")
    score = of_two("score")
    games = of_two("games")

    def __init__(
        self,
        *,
        seats: tuple[PlayerId, ...],
        places: Places | None = None,
        marks: Marks = (),
        round: int = 0,
        ended_by: EndedBy = EndedBy.PLAYED,
    ) -> None:
        values = {"_seats": seats, "_places": places, "marks": marks, "round": round}
        for name, value in (values | {"ended_by": ended_by}).items():
            object.__setattr__(self, name, value)  # the class is frozen

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """Return the players in the order of their seats."""
        return self._seats

    @property
    def places(self) -> Places | None:
        """Return the place of each seat, None if the table does not count."""
        return self._places

    @property
    def is_bye(self) -> bool:
        """Return whether a player rested, with the points of a bye."""
        return len(self.seats) == 1 and self.places == (1,)

    @property
    def is_played(self) -> bool:
        """Return whether the table has an outcome, void ones too."""
        return self.places is not None or self.ended_by is EndedBy.VOID

    @property
    def counts(self) -> bool:
        """Return whether the table counts: it has places."""
        return self.places is not None

    def without_outcome(self) -> "TableResult":
        """Return the same table as not played yet."""
        return TableResult(seats=self.seats, round=self.round)

    def with_outcome(self, places: Places | None, marks: Marks, ended_by: EndedBy) -> "TableResult":
        """Return the same table with this outcome."""
        return TableResult(
            seats=self.seats, places=places, marks=marks, round=self.round, ended_by=ended_by
        )

    def _key(self) -> tuple[object, ...]:
        return self.seats, self.places, self.marks, self.round, self.ended_by

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableResult) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"TableResult{self._key()}"


def as_table(result: Result) -> TableResult:
    """Return any match of a stage of tables as a table.

    In a match of two, whoever did not come or was disqualified has no place.
    """
    if isinstance(result, TableResult):
        return result
    places: Places | None = result.places
    if places is not None and len(places) == 2 and result.ended_by in _GONE:
        places = tuple(place if place == 1 else None for place in places)
    return TableResult(
        seats=result.seats, places=places, round=result.round, ended_by=result.ended_by
    )


def nobody_first(seats: int) -> Places:
    """Return the places of a table that nobody won: all share place 2."""
    return (2,) * seats


def are_places(places: Sequence[int | None]) -> bool:
    """Return whether these can be the places of a table: each is 1 + the number placed better.

    All on place 2 is the one result without a first place.
    """
    given = sorted([place for place in places if place is not None])
    if given and given[0] == given[-1] == 2:
        return True
    return all(place == 1 + given.index(place) for place in given)


def places_by(figures: Sequence[int | None]) -> Places:
    """Return the places by figures of which more are better; None has no place."""
    given = sorted([figure for figure in figures if figure is not None], reverse=True)
    return tuple([None if figure is None else 1 + given.index(figure) for figure in figures])


@dataclass(frozen=True, kw_only=True)
class TablePoints:
    """Points for the places at a table.

    ``by_place``: points of place 1, 2, … ; empty: ``first`` for place 1 alone, ``drawn`` for each
    who shares it, ``other`` for all others. ``floor`` is the least share, None for one divided by
    the usual size. ``bye_counts``: byes count in the own share; ``bye_adds``: each bye adds
    opponents at the floor, one fewer than a usual table has seats.
    """

    first: int = 5
    drawn: int = 1
    other: int = 0
    bye: int = 5
    by_place: tuple[int, ...] = ()
    floor: Fraction | None = Fraction(1, 5)
    bye_counts: bool = True
    bye_adds: bool = True

    @cached_property
    def most(self) -> int:
        """Return the points of place 1 held alone, in units of 1 / ``UNITS``."""
        return UNITS * (self.by_place[0] if self.by_place else self.first)

    def floor_for(self, usual: int) -> Fraction:
        """Return the least share, at tables of this usual size."""
        return Fraction(1, usual) if self.floor is None else self.floor

    def of(self, result: TableResult) -> tuple[int, ...]:
        """Return the points of each seat, in units; 0 where a table does not count."""
        places = result.places
        if places is None:
            return (0,) * len(result.seats)
        if len(result.seats) == 1:
            return (UNITS * self.bye if result.is_bye else 0,)
        present = [place for place in places if place is not None]
        worth = {None: 0} | {place: self._points_of_place(place, present) for place in {*present}}
        return tuple(worth[place] for place in places)

    def _points_of_place(self, place: int, present: Sequence[int]) -> int:
        sharing = present.count(place)
        if self.by_place:
            start = 0 if sharing == len(present) else place - 1  # all share where nobody is first
            numbers = (*self.by_place, *(0 for _place in present))[start : start + sharing]
            return UNITS * sum(numbers) // sharing
        if place > 1:
            return UNITS * self.other
        return UNITS * (self.first if sharing == 1 else self.drawn)


POINT_PRESETS: Mapping[str, TablePoints] = {
    "win5": TablePoints(),
    "win3": TablePoints(first=3, bye=3, floor=None),
    "places": TablePoints(
        by_place=(4, 3, 2, 1), bye=4, floor=None, bye_counts=False, bye_adds=False
    ),
}
"""Points as events know them by name. Source: tables, 3 (presets)."""


def preset_points(key: str) -> TablePoints:
    """Return points by their name; raises BadInput ``unknown_points``."""
    if key not in POINT_PRESETS:
        raise BadInput(
            "unknown_points",
            "“%(key)s” is not known here. Known: %(known)s.",
            key=key,
            known=tuple(POINT_PRESETS),
        )
    return POINT_PRESETS[key]


def checked_points(points: TablePoints) -> TablePoints:
    """Return points that make sense; raises BadInput ``invalid_points``.

    By place they never rise; a win is worth no less than a draw, a draw no less than a loss.
    """
    if any(own < following for own, following in pairwise(points.by_place)):
        raise BadInput(
            "invalid_points",
            "A later place has more points than the one before. Nothing was stored.",
        )
    if not points.by_place and not points.first >= points.drawn >= points.other:
        raise BadInput(
            "invalid_points",
            "A win has to be worth a draw at least, and a draw a loss. Nothing was stored.",
        )
    return points
