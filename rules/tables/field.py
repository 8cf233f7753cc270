"""What a set of tables costs, and the order of the seats at a table.

A cost is five numbers, compared in their order, as one integer. All five are sums over pairs of
players at a table and over single players at small tables, so one matrix and one vector of integers
hold them. Chance is digests of a seed: the same on every machine, in whatever order players come.

Source: tables, 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import combinations, count, permutations
from math import lcm
from typing import NamedTuple

from rules.results import PlayerId


def random_key(seed: str, player: PlayerId) -> bytes:
    """Return ``sha256(seed:player)``, a random sort key for players who are otherwise tied."""
    return sha256(f"{seed}:{player}".encode()).digest()


class RandomSource:
    """A reproducible source of random numbers, from ``sha256(seed:counter)``."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counter = count()

    def below(self, most: int) -> int:
        """Return a number from 0 to ``most`` - 1."""
        digest = sha256(f"{self._seed}:{next(self._counter)}".encode()).digest()
        return int.from_bytes(digest, "big") % most


Table = tuple[int, ...]
"""Players of a table, by their index in the field."""
Tables = Sequence[Sequence[int]]


class SmallTableRule(StrEnum):
    """Which players should sit at tables smaller than the others.

    LOW: those with the fewest points; HIGH: with the most; ANY.
    """

    LOW = "low"
    HIGH = "high"
    ANY = "any"


class SeatingCost(NamedTuple):
    """The cost of the multiplayer tables of a round, compared from the left; less is better.

    ``repeats``: earlier meetings of two at a table. ``apart``: pairs at a table who should be kept
    apart. ``again``: earlier small tables of those at small tables. ``low``: points of those at
    small tables above the fewest (or below the most). ``spread``: squared differences of points of
    all pairs at a table.
    """

    repeats: int
    apart: int
    again: int
    low: int
    spread: int


@dataclass(frozen=True, kw_only=True)
class TableEntrant:
    """A player to seat at a multiplayer table.

    ``points`` and ``byes`` are those of earlier rounds; ``met`` counts how often each other player
    sat at the same table, ``small`` the small tables, ``seats`` holds (seat, size) of each table.
    ``apart``: players to be seated elsewhere.
    """

    player: PlayerId
    points: int | Fraction = 0
    met: Mapping[PlayerId, int] = field(default_factory=dict)
    byes: int = 0
    small: int = 0
    seats: tuple[tuple[int, int], ...] = ()
    apart: frozenset[PlayerId] = frozenset()


@dataclass(frozen=True, kw_only=True)
class SeatingField:
    """The players of a round by points, most first, and the sizes of their tables.

    ``points`` are integers. Tied players are in random order, by the seed. Tables with fewer than
    ``usual`` players are small; ``small`` says who should sit at them.
    """

    entrants: tuple[TableEntrant, ...]
    points: tuple[int, ...]
    sizes: tuple[int, ...]
    usual: int
    small: SmallTableRule

    @cached_property
    def _index(self) -> Mapping[PlayerId, int]:
        return {one.player: index for index, one in enumerate(self.entrants)}

    @cached_property
    def met(self) -> tuple[Mapping[int, int], ...]:
        """Return, for each player, how often they met each other one, as either of the two says."""
        met: tuple[dict[int, int], ...] = tuple({} for _one in self.entrants)
        for index, one in enumerate(self.entrants):
            for player, times in one.met.items():
                other = self._index.get(player)
                if times and other is not None:
                    met[index][other] = met[other][index] = max(times, met[other].get(index, 0))
        return met

    @cached_property
    def apart(self) -> tuple[frozenset[int], ...]:
        """Return, for each player, the indexes to be kept apart, if either of the two says so."""
        apart: tuple[set[int], ...] = tuple(set() for _one in self.entrants)
        for index, one in enumerate(self.entrants):
            for player in one.apart:
                if player in self._index:
                    apart[index].add(self._index[player])
                    apart[self._index[player]].add(index)
        return tuple(map(frozenset, apart))

    @cached_property
    def again(self) -> tuple[int, ...]:
        """Return how many small tables each player had."""
        return tuple(one.small for one in self.entrants)

    @cached_property
    def low(self) -> tuple[int, ...]:
        """Return the cost of each player's points at a small table: the distance from the ideal."""
        least, most = min(self.points, default=0), max(self.points, default=0)
        if self.small is SmallTableRule.LOW:
            return tuple(points - least for points in self.points)
        if self.small is SmallTableRule.HIGH:
            return tuple(most - points for points in self.points)
        return (0,) * len(self.points)

    @cached_property
    def unit_low(self) -> int:
        """Return the factor of ``low`` in the total cost: one more than the largest spread."""
        pairs = sum(size * (size - 1) // 2 for size in self.sizes)
        widest = max(self.points, default=0) - min(self.points, default=0)
        return pairs * widest**2 + 1

    @cached_property
    def unit_again(self) -> int:
        """Return the factor of ``again`` in the total cost: one more than all that counts less."""
        seats = sum(size for size in self.sizes if size < self.usual)
        return self.unit_low * (seats * max(self.low, default=0) + 1)

    @cached_property
    def unit_apart(self) -> int:
        """Return the factor of ``apart`` in the total cost: one more than all that counts less."""
        seats = sum(size for size in self.sizes if size < self.usual)
        return self.unit_again * (seats * max(self.again, default=0) + 1)

    @cached_property
    def unit_repeats(self) -> int:
        """Return the factor of ``repeats`` in the total cost: more than all that counts less."""
        pairs = sum(size * (size - 1) // 2 for size in self.sizes)
        return self.unit_apart * (pairs + 1)

    @cached_property
    def pair_costs(self) -> tuple[list[int], ...]:
        """Return the cost of each pair at one table, player by player."""
        of_level = {own: [(own - theirs) ** 2 for theirs in self.points] for own in {*self.points}}
        rows = []
        for own, met, apart in zip(self.points, self.met, self.apart, strict=True):
            row = of_level[own].copy()
            for other, times in met.items():
                row[other] += times * self.unit_repeats
            for other in apart:
                row[other] += self.unit_apart
            rows.append(row)
        return tuple(rows)

    @cached_property
    def small_costs(self) -> tuple[int, ...]:
        return tuple(
            again * self.unit_again + low * self.unit_low
            for again, low in zip(self.again, self.low, strict=True)
        )

    def is_small(self, table: Sequence[int]) -> bool:
        return len(table) < self.usual

    def cost_of(self, table: Sequence[int]) -> int:
        """Return the cost of one table as an integer."""
        pairs = sum(self.pair_costs[a][b] for a, b in combinations(table, 2))
        return pairs + (sum(self.small_costs[one] for one in table) if self.is_small(table) else 0)

    def cost(self, tables: Iterable[Sequence[int]]) -> SeatingCost:
        """Return the cost of a set of tables, counted from the start."""
        total = SeatingCost(0, 0, 0, 0, 0)
        for table in tables:
            pairs = [*combinations(table, 2)]
            at_small = table if self.is_small(table) else ()
            own = SeatingCost(
                sum(self.met[a].get(b, 0) for a, b in pairs),
                sum(b in self.apart[a] for a, b in pairs),
                sum(self.again[one] for one in at_small),
                sum(self.low[one] for one in at_small),
                sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs),
            )
            total = SeatingCost._make(map(sum, zip(total, own, strict=True)))
        return total


def build_field(
    entrants: Iterable[TableEntrant],
    sizes: tuple[int, ...],
    *,
    usual: int,
    small: SmallTableRule,
    seed: str,
) -> SeatingField:
    """Return the players to seat at tables of these sizes, sorted by points.

    Points become integers by their least common denominator. Tables with fewer than ``usual``
    players are small.
    """
    known = [*entrants]
    unit = lcm(*(Fraction(one.points).denominator for one in known))
    ordered = sorted(known, key=lambda one: (-one.points, random_key(seed, one.player)))
    return SeatingField(
        entrants=tuple(ordered),
        points=tuple(int(one.points * unit) for one in ordered),
        sizes=sizes,
        usual=usual,
        small=small,
    )


Seats = Sequence[tuple[int, int]]
"""Seat and size of each table of a player."""


def assign_seats(company: Sequence[TableEntrant], seed: str) -> tuple[TableEntrant, ...]:
    """Return the players of a table (``company``) in the fairest order of seats.

    The player who was first least often is first; then late seats and early seats balance; then
    nobody gets the same seat number again; then the seed decides.
    """
    players = sorted(company, key=lambda one: random_key(seed, one.player))
    begun = [sum(seat == 1 for seat, _size in one.seats) for one in players]
    late = _as_whole_numbers([_lateness(one.seats) for one in players])
    had = [
        [sum(was == seat for was, _size in one.seats) for seat in range(1, len(players) + 1)]
        for one in players
    ]

    def cost(order: Sequence[int]) -> tuple[int, int, int]:
        early = sum((len(order) - seat) * late[one] for seat, one in enumerate(order))
        return begun[order[0]], -early, sum(had[one][seat] for seat, one in enumerate(order))

    return tuple(players[one] for one in min(permutations(range(len(players))), key=cost))


def _lateness(seats: Seats) -> Fraction:
    """Return how late a player sat so far: 0 always first, 1 always last; 1/2 without a table."""
    if not seats:
        return Fraction(1, 2)
    return sum((Fraction(seat - 1, size - 1) for seat, size in seats), Fraction()) / len(seats)


def _as_whole_numbers(numbers: Sequence[Fraction]) -> list[int]:
    unit = lcm(*(number.denominator for number in numbers))
    return [int(number * unit) for number in numbers]
