"""Who is to be paired, as numbers, and the levels of equal points among them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """An even number of players 0 … n-1, the most points first.

    ``avoid`` holds for each player whom they can't meet, as indexes, both ways round.
    ``floats`` counts how often each met somebody with other points before; ``noise`` is a seeded
    random number each, by which everything else level is decided.
    """

    points: Sequence[int]
    avoid: Sequence[frozenset[int]]
    floats: Sequence[int]
    noise: Sequence[int]

    def cost(self, pairs: Sequence[Pair]) -> int:
        """Return the sum of the squared differences of points."""
        return sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs)


@dataclass(frozen=True, slots=True)
class Level:
    """The players ``start`` … ``end`` - 1, who all have ``points``."""

    points: int
    start: int
    end: int

    @property
    def members(self) -> range:
        """Return the players of the level."""
        return range(self.start, self.end)


def levels_of(points: Sequence[int]) -> list[Level]:
    """Return the levels of equal points, the highest first."""
    found, start = [], 0
    for value, same in groupby(points):
        end = start + sum(1 for _ in same)
        found.append(Level(value, start, end))
        start = end
    return found


def is_big(level: Level, avoid: Sequence[frozenset[int]]) -> bool:
    """Say whether a level can surely be paired within itself, whoever else joins it.

    Each must have at least half of the others to choose from. A wrong answer costs time, never
    a good pairing.
    """
    size = level.end - level.start
    if size < 4:
        return False
    members = level.members
    most = max(sum(1 for other in avoid[one] if other in members) for one in members)
    return size >= 2 * most + 2
