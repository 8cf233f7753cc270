"""A field that no pairing without a broken rule exists for: as few and as light as can be."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.swiss.field import Field, Pair
from rules.swiss.matching import perfect_matching


@dataclass(frozen=True, slots=True, kw_only=True)
class Barred:
    """Why players can't meet: whom each has met, and whom the organiser keeps them from."""

    met: Sequence[frozenset[int]]
    apart: Sequence[frozenset[int]]


def least_broken(field: Field, barred: Barred) -> tuple[Pair, ...]:
    """Return the pairing with the fewest rematches, then the fewest pairs kept apart.

    Among those the cheapest in points. A rematch is worse than any number of wishes.
    """
    size = len(field.points)
    spread = (max(field.points, default=0) - min(field.points, default=0)) ** 2
    wish = spread * size + 1  # dearer than the points of any pairing
    rematch = (wish + spread) * size + 1  # dearer than all wishes together
    edges = []
    for a in range(size):
        for b in range(a + 1, size):
            cost = (field.points[a] - field.points[b]) ** 2
            cost += rematch * (b in barred.met[a]) + wish * (b in barred.apart[a])
            edges.append((a, b, (cost << 33) + (field.noise[a] ^ field.noise[b])))
    return tuple(perfect_matching(size, edges) or ())
