"""Exact matching of a segment between two big levels, which are represented by stand-ins.

Any pairing of the whole field can be cut at the big levels that its pairs reach into or cross. As
(x + y)² is at least x² + y², the pieces of a segment never cost more than the part of the pairs
that they come from. So the minimum-cost matching of each segment, with the number of pieces into
adjacent big levels that parity requires, gives a lower bound for every pairing.
"""

from dataclasses import dataclass

from rules.swiss.field import Field, Level
from rules.swiss.matching import Edge, perfect_matching

HISTORY = 1 << 44  # one previous float outweighs the noise of the whole field
POINTS = 1 << 64  # one squared point outweighs all previous floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The players between two big levels (None at an end of the field), and parities.

    An odd number of players above a border means an odd number of pairs across it.
    """

    upper: Level | None
    lower: Level | None
    start: int
    end: int

    @property
    def from_upper(self) -> bool:
        """Return whether an additional piece reaches into the upper level."""
        return self.upper is not None and self.start % 2 == 1

    @property
    def into_lower(self) -> bool:
        """Return whether an additional piece reaches into the lower level."""
        return self.lower is not None and self.end % 2 == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedSegment:
    """A segment's pairs, the players who float into the big levels, and the total cost.

    ``crossing``: a member of the upper level meets one of the lower.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    up: tuple[int, ...] = ()
    down: tuple[int, ...] = ()
    crossing: bool = False
    cost: int = 0


def solve(segment: Segment, field: Field) -> SolvedSegment | None:
    """Return the minimum-cost matching of a segment, None if there is none."""
    if segment.start == segment.end:
        return _empty_segment(segment)
    size = segment.end - segment.start
    upper = size if segment.from_upper else None
    lower = size + segment.from_upper if segment.into_lower else None
    nodes = size + segment.from_upper + segment.into_lower
    found = perfect_matching(nodes, _edges(segment, field, upper, lower))
    return None if found is None else _solution_from(segment, field, found, upper, lower)


def _empty_segment(segment: Segment) -> SolvedSegment:
    """Return a segment without players, which one pair crosses if a player above is left over.

    No pair crosses a segment with players: it costs more than one of them in each level.
    """
    if segment.upper is None or segment.lower is None or not segment.from_upper:
        return SolvedSegment()
    return SolvedSegment(crossing=True, cost=(segment.upper.points - segment.lower.points) ** 2)


def _edges(segment: Segment, field: Field, upper: int | None, lower: int | None) -> list[Edge]:
    edges: list[Edge] = []
    points, avoid, floats, noise = field.points, field.avoid, field.floats, field.noise
    for a in range(segment.start, segment.end):
        for b in range(a + 1, segment.end):
            gap = points[a] - points[b]
            if b in avoid[a]:
                away = _cost_of_floating_both(segment, points[a], points[b])
                if away is None:
                    continue
                cost = away[0] * POINTS + (floats[a] + floats[b]) * HISTORY
            else:
                cost = gap * gap * POINTS + ((floats[a] + floats[b]) * HISTORY if gap else 0)
            edges.append((a - segment.start, b - segment.start, cost + (noise[a] ^ noise[b])))
        for node, level in ((upper, segment.upper), (lower, segment.lower)):
            if node is not None and level is not None:
                cost = (points[a] - level.points) ** 2 * POINTS + floats[a] * HISTORY + noise[a]
                edges.append((a - segment.start, node, cost))
    return edges


def _cost_of_floating_both(segment: Segment, one: int, other: int) -> tuple[int, bool] | None:
    """Return the cost of floating two barred players into one big level, and whether up."""
    ways = [
        ((level.points - one) ** 2 + (level.points - other) ** 2, level is segment.upper)
        for level in (segment.upper, segment.lower)
        if level is not None
    ]
    return min(ways, default=None)


def _solution_from(
    segment: Segment,
    field: Field,
    found: list[tuple[int, int]],
    upper: int | None,
    lower: int | None,
) -> SolvedSegment:
    pairs: list[tuple[int, int]] = []
    up: list[int] = []
    down: list[int] = []
    cost = 0
    for a, b in found:
        one, other = a + segment.start, b + segment.start
        if b == upper and segment.upper is not None:
            up.append(one)
            cost += (field.points[one] - segment.upper.points) ** 2
        elif b == lower and segment.lower is not None:
            down.append(one)
            cost += (field.points[one] - segment.lower.points) ** 2
        elif other in field.avoid[one]:
            price, upwards = _cost_of_floating_both(
                segment, field.points[one], field.points[other]
            ) or (
                0,
                True,
            )
            (up if upwards else down).extend((one, other))
            cost += price
        else:
            pairs.append((one, other))
            cost += (field.points[one] - field.points[other]) ** 2
    return SolvedSegment(pairs=tuple(pairs), up=tuple(up), down=tuple(down), cost=cost)
