"""The set of tables of neighbours by points: where the search begins, and the least spread.

Source: tables, 5 (search, bound).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain, product
from operator import mul

from rules.tables.field import Field, Small, Table


def neighbours(field: Field) -> tuple[Table, ...]:
    """Return tables of players who are neighbours by points, of the least spread possible.

    Small tables come last (with ``high`` first, with ``any`` where the spread is least).
    """
    usual = tuple(size for size in field.sizes if size >= field.usual)
    small = tuple(size for size in field.sizes if size < field.usual)
    seats = sum(small)
    points = field.points
    match field.small:
        case Small.LOW:
            parts = [(usual, points[: len(points) - seats]), (small, points[len(points) - seats :])]
        case Small.HIGH:
            parts = [(small, points[:seats]), (usual, points[seats:])]
        case _:  # Small.ANY
            parts = [(field.sizes, points)]
    ordered = [*chain.from_iterable(_least_order(sizes, own) for sizes, own in parts)]
    ends = [*accumulate(ordered)]
    return tuple(tuple(range(end - size, end)) for end, size in zip(ends, ordered, strict=True))


def _least_order(sizes: Sequence[int], points: Sequence[int]) -> list[int]:
    """Return the order of the sizes with which tables of neighbours have the least spread.

    Shortest path over how many tables of each size stand already; among equals, the size that
    comes first in ``sizes`` goes first.
    """
    counts = Counter(sizes)
    kinds = [*counts]
    rest: dict[tuple[int, ...], tuple[int, int]] = {}
    for used in product(*(range(counts[kind], -1, -1) for kind in kinds)):
        at = sum(map(mul, used, kinds))
        rest[used] = min(
            (
                (spread_of(points[at : at + kind]) + rest[_one_more(used, place)][0], place)
                for place, kind in enumerate(kinds)
                if used[place] < counts[kind]
            ),
            default=(0, 0),
        )
    ordered, used = [], (0,) * len(kinds)
    for _table in sizes:
        place = rest[used][1]
        ordered.append(kinds[place])
        used = _one_more(used, place)
    return ordered


def _one_more(used: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*used[:place], used[place] + 1, *used[place + 1 :])


def spread_of(points: Sequence[int]) -> int:
    """Return the sum of the squared differences of all pairs of these points."""
    return len(points) * sum(one * one for one in points) - sum(points) ** 2
