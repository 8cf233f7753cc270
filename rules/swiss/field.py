"""The field of a round: players as indexes, and their score levels."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """An even number of players 0 … n-1, by points in descending order.

    ``avoid`` holds, for each player, the indexes they cannot meet (symmetric). ``floats`` counts
    previous matches against players with other points; ``noise`` is a seeded random number per
    player, the last tie-break.
    """

    points: Sequence[int]
    avoid: Sequence[AbstractSet[int]]
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
    """Return the levels of equal points, highest first."""
    found, start = [], 0
    for value, same in groupby(points):
        end = start + sum(1 for _ in same)
        found.append(Level(value, start, end))
        start = end
    return found


def is_big(level: Level, avoid: Sequence[AbstractSet[int]]) -> bool:
    """Return whether a level can certainly be paired within itself, whichever players join it.

    Sufficient condition: each member may meet at least half of the others. A wrong answer affects
    run time only, not the result.
    """
    size = level.end - level.start
    if size < 4:
        return False
    if size >= 2 * max(map(len, avoid[level.start : level.end])) + 2:
        return True  # even if all whom they may not meet are of this level
    members = level.members
    most = max(sum(1 for other in avoid[one] if other in members) for one in members)
    return size >= 2 * most + 2
