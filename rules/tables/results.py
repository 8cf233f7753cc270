"""Results of tables: a place for each seat, and the points they give.

Source: tables, 1 and 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm

from rules.errors import BadInput
from rules.results import MatchEnding, Places, Result

_GONE = (MatchEnding.NO_SHOW, MatchEnding.DISQUALIFICATION)
"""Endings of a match of two whose loser was not there at its end."""
UNITS = lcm(*range(1, 6))
"""Points are counted in this part of a point, so that up to five can share them: 60."""


def to_table_result(result: Result) -> Result:
    """Return a match of a stage of multiplayer tables with places as at such a table.

    Only a two-player match changes: an absent or disqualified player has no place in it.
    """
    outcome = result.outcome
    if outcome is None or len(result.seats) != 2 or outcome.ended_by not in _GONE:
        return result
    places = tuple(place if place == 1 else None for place in outcome.places)
    return replace(result, outcome=replace(outcome, places=places))


def places_without_winner(seats: int) -> Places:
    """Return the places of a table that nobody won: all share place 2."""
    return (2,) * seats


def are_valid_places(places: Sequence[int | None]) -> bool:
    """Return whether these can be the places of a multiplayer table, by seat.

    Each is 1 + the number of players placed better. None is a seat without a place. All on place 2
    is the one result without a first place.
    """
    given = sorted([place for place in places if place is not None])
    if given and given[0] == given[-1] == 2:
        return True
    return all(place == 1 + given.index(place) for place in given)


def places_from_scores(figures: Sequence[int | None]) -> Places:
    """Return the places by seat for numbers of which the highest is best, such as scores.

    None has no place.
    """
    given = sorted([figure for figure in figures if figure is not None], reverse=True)
    return tuple([None if figure is None else 1 + given.index(figure) for figure in figures])


@dataclass(frozen=True, kw_only=True)
class TablePoints:
    """The points for places at a multiplayer table.

    ``by_place``: points of place 1, 2, … ; if empty: ``first`` for place 1 alone, ``drawn`` for
    each who shares it, ``other`` for all others. ``bye`` is for a bye. ``floor`` is the least
    percentage, None for one divided by the table size. ``bye_counts``: byes count in the player's
    own percentage; ``bye_adds``: each bye adds opponents at the floor, one fewer than a full table
    has seats.
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

    def of(self, result: Result) -> tuple[int, ...]:
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
    """Return the points for places of a preset by key; raises BadInput ``unknown_points``."""
    if key not in POINT_PRESETS:
        raise BadInput(
            "unknown_points",
            "Unknown option “%(key)s”. Options: %(known)s.",
            key=key,
            known=tuple(POINT_PRESETS),
        )
    return POINT_PRESETS[key]


def validate_points(points: TablePoints) -> TablePoints:
    """Return the points for places if valid; raises BadInput ``invalid_points``.

    By place they never rise; a win is worth no less than a draw, a draw no less than a loss.
    """
    if any(own < following for own, following in pairwise(points.by_place)):
        raise BadInput(
            "invalid_points",
            "A worse result can’t be worth more points than a better one.",
        )
    if not points.by_place and not points.first >= points.drawn >= points.other:
        raise BadInput(
            "invalid_points",
            "A worse result can’t be worth more points than a better one.",
        )
    return points
