"""How many tables of each size there are, and how many players rest.

Source: tables, 2.
"""

from collections.abc import Sequence
from itertools import chain, repeat

from rules.errors import BadInput

SMALLEST, LARGEST = 2, 5
MOST_APART = 2
"""Largest difference between two sizes of a stage."""
USUAL_SIZES = (4, 3)


def checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of a stage's tables, the preferred first; raises BadInput ``invalid_sizes``.

    Each is a number from 2 to 5, once, and no two are further apart than 2.
    """
    if not sizes:
        raise BadInput(
            "invalid_sizes", "Say how many players a table has. Nothing was stored: name a size."
        )
    if any(size not in range(SMALLEST, LARGEST + 1) for size in sizes):
        raise BadInput(
            "invalid_sizes",
            "A table has %(smallest)s to %(largest)s players. Nothing was stored.",
            smallest=SMALLEST,
            largest=LARGEST,
        )
    if len({*sizes}) < len(sizes):
        raise BadInput("invalid_sizes", "Each size of tables counts once. Nothing was stored.")
    if max(sizes) - min(sizes) > MOST_APART:
        raise BadInput(
            "invalid_sizes",
            "Two sizes of tables differ by %(most)s players at most. Nothing was stored.",
            most=MOST_APART,
        )
    return tuple(sizes)


def tables_of(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the size of each table for so many players, in the order of ``sizes``.

    Fewest byes, then fewest tables of the last size, then of the one before, and so on; whoever
    is not counted in the sum rests.
    """
    for seated in range(players, 0, -1):
        counts = _tables_by_size(seated, sizes)
        if counts is not None:
            return tuple(chain.from_iterable(map(repeat, sizes, counts)))
    return ()


def _tables_by_size(players: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """Return how many tables of each size seat all players, None if none do."""
    *others, last = sizes
    if not others:
        return (players // last,) if players % last == 0 else None
    for count in range(players // last + 1):
        found = _tables_by_size(players - count * last, others)
        if found is not None:
            return (*found, count)
    return None
