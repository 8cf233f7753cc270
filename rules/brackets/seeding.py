"""Seed orders: snake dealing into groups, and bracket slots."""

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def snake(items: Sequence[Item], groups: int) -> tuple[tuple[Item, ...], ...]:
    """Deal items to groups back and forth: 1 2 3 | 6 5 4 | 7 8 9 …

    An incomplete last row continues in its direction: ten items in three groups are 1 6 7, 2 5 8
    and 3 4 9 10.
    """
    dealt: list[list[Item]] = [[] for _ in range(groups)]
    for index, item in enumerate(items):
        row, column = divmod(index, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(item)
    return tuple(tuple(group) for group in dealt)


def bracket_order(seats: int, survivors: int = 1) -> tuple[int, ...]:
    """Return seeds in slot order: for eight 1 8 4 5 2 7 3 6.

    The number of slots is ``survivors`` times the smallest power of two that holds all seats;
    slots beyond ``seats`` are byes. In each part of the bracket the two best seeds can meet only
    in its last match. With several survivors the parts are ordered by their best seeds: for three
    survivors of six 1 6, 2 5, 3 4.
    """
    size = survivors
    parts = [[seed] for seed in range(1, survivors + 1)]
    while size < seats:
        size *= 2
        parts = [[slot for seed in part for slot in _seeds_that_meet(seed, size)] for part in parts]
    return tuple(slot for part in parts for slot in part)


def _seeds_that_meet(seed: int, size: int) -> tuple[int, int]:
    return seed, size + 1 - seed
