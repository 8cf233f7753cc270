"""All results of a stage of tables, collected once into lists by player.

Source: tables, 4. As in ``group_history``, a seat of these lists is a player's index, and the one
after the last stays zero.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import NamedTuple

from rules.history.group_history import GroupHistory, OutcomeCounts
from rules.results import Result
from rules.tables.results import UNITS, TablePoints


class SeatShares(NamedTuple):
    """A fraction for each seat (index of a player): numerators over one denominator."""

    numerators: list[int]
    denominator: int


@dataclass(frozen=True, kw_only=True)
class TableHistory(GroupHistory):
    """The players and results of a stage of multiplayer tables, and the points for places.

    ``usual`` is the full size of its tables. Tables without places are ignored. Raises ValueError
    if a table names an unknown player.
    """

    results: tuple[Result, ...]
    points: TablePoints = field(default_factory=TablePoints)
    usual: int = 4

    @cached_property
    def _seated(self) -> Sequence[tuple[Sequence[int], Result]]:
        """Return the seats and the result of each table that counts."""
        at = {player: seat for seat, player in enumerate(self.players)}
        found = []
        for result in self.results:
            try:
                seats = [at[player] for player in result.seats]
            except KeyError as unknown:
                name = unknown.args[0]
                raise ValueError(f"A table names {name!r}, not one of the players.") from None
            if result.places is not None:
                found.append((seats, result))
        return found

    @cached_property
    def outcomes(self) -> OutcomeCounts:
        """Return tables won alone (byes too), drawn, and all others, by seat."""
        won, drawn, lost = self.nothing(), self.nothing(), self.nothing()
        for seats, result in self._seated:
            places = result.places or ()
            first = won if places.count(1) == 1 else drawn
            for seat, place in zip(seats, places, strict=True):
                (first if place == 1 else lost)[seat] += 1
        return OutcomeCounts(won, drawn, lost)

    @cached_property
    def byes(self) -> list[int]:
        """Return the number of byes by seat."""
        byes = self.nothing()
        for seats, result in self._seated:
            if result.is_bye:
                byes[seats[0]] += 1
        return byes

    @cached_property
    def points_made(self) -> list[int]:
        """Return the points by seat, in units of 1 / ``UNITS``."""
        made = self.nothing()
        for seats, result in self._seated:
            for seat, points in zip(seats, self.points.of(result), strict=True):
                made[seat] += points
        return made

    @cached_property
    def places_made(self) -> list[tuple[int, ...]]:
        """Return how often each seat had place 1, 2, … at a table."""
        most = max((len(seats) for seats, _result in self._seated), default=0)
        counts: list[Counter[int]] = [Counter() for _seat in self.nothing()]
        for seats, result in self._seated:
            if len(seats) > 1:
                for seat, place in zip(seats, result.places or (), strict=True):
                    counts[seat][place or 0] += 1
        return [tuple(count[place] for place in range(1, most + 1)) for count in counts]

    @cached_property
    def met(self) -> list[list[int]]:
        """Return, by seat, the seats of all others at the same tables; each meeting once."""
        met: list[list[int]] = [[] for _seat in self.nothing()]
        for seats, _result in self._seated:
            for seat in seats:
                met[seat] += [other for other in seats if other != seat]
        return met

    @cached_property
    def beaten(self) -> list[int]:
        """Return how many different players each seat met at tables that it won alone."""
        beaten: list[set[int]] = [set() for _seat in self.nothing()]
        for seats, result in self._seated:
            places = result.places or ()
            if places.count(1) == 1:
                winner = seats[places.index(1)]
                beaten[winner].update(other for other in seats if other != winner)
        return [*map(len, beaten)]

    @cached_property
    def own_shares(self) -> SeatShares:
        """Return, by seat, points as a share of those for always winning, at least the floor."""
        floor, counts = self.points.floor_for(self.usual), self.points.bye_counts
        made, best = self.points_made.copy(), self.nothing()
        for seat, (played, byes) in enumerate(zip(self.played, self.byes, strict=True)):
            best[seat] = (played - byes) * self.points.most
            bye = byes * UNITS * self.points.bye
            if counts:
                best[seat] += bye
            else:
                made[seat] -= bye
        denominator = lcm(floor.denominator, *{most for most in best if most})
        least = floor.numerator * denominator // floor.denominator
        numerators = [
            max(least, own * (denominator // most)) if most else least
            for own, most in zip(made, best, strict=True)
        ]
        return SeatShares(numerators, denominator)

    @cached_property
    def opponents_shares(self) -> SeatShares:
        """Return, by seat, the mean of the opponents' shares; 0 without any.

        With ``bye_adds`` each bye adds a usual table of opponents at the floor.
        """
        own, floor = self.own_shares, self.points.floor_for(self.usual)
        least = floor.numerator * own.denominator // floor.denominator
        added = [byes * (self.usual - 1) * self.points.bye_adds for byes in self.byes]
        sums = [
            (sum(own.numerators[other] for other in met) + more * least, len(met) + more)
            for met, more in zip(self.met, added, strict=True)
        ]
        return _means(sums, own.denominator)

    @cached_property
    def opponents_averages(self) -> SeatShares:
        """Return, by seat, the mean of the opponents' points; 0 without opponents."""
        points = self.points_made
        return _means([(sum(points[one] for one in met), len(met)) for met in self.met], UNITS)


def _means(sums: Sequence[tuple[int, int]], denominator: int) -> SeatShares:
    every = lcm(*{count for _total, count in sums if count})
    numerators = [total * (every // count) if count else 0 for total, count in sums]
    return SeatShares(numerators, denominator * every)
