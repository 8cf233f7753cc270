"""Orders of seeds: by snake into groups, in a bracket, and with those of one group apart."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from rules.assignment import cheapest
from rules.results import PlayerId

Item = TypeVar("Item")


def snake(items: Sequence[Item], groups: int) -> tuple[tuple[Item, ...], ...]:
    """Deal items to groups there and back again: 1 2 3 | 6 5 4 | 7 8 9 …

    What is left for a last row that is not full goes on in its direction: ten items in three
    groups are 1 6 7, 2 5 8 and 3 4 9 10.
    """
    dealt: list[list[Item]] = [[] for _ in range(groups)]
    for index, item in enumerate(items):
        row, column = divmod(index, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(item)
    return tuple(tuple(group) for group in dealt)


def bracket_order(seats: int, survivors: int = 1) -> tuple[int, ...]:
    """Return seeds in the order of their slots: for eight 1 8 4 5 2 7 3 6.

    The number of slots is the least doubling of ``survivors`` that holds all seats; slots
    beyond ``seats`` stand for byes. In each part of the bracket the best two seeds can meet
    only in its last match. With more than one survivor the parts stand in the order of their
    best seeds: for three survivors of six 1 6, 2 5, 3 4.
    """
    if survivors == 1:
        order, size = [1], 1
        while size < seats:
            size *= 2
            order = [slot for seed in order for slot in _pair(seed, size)]
        return tuple(order)
    size = survivors
    parts = [[seed] for seed in range(1, survivors + 1)]
    while size < seats:
        size *= 2
        parts = [[slot for seed in part for slot in _pair(seed, size)] for part in parts]
    return tuple(slot for part in parts for slot in part)


def _pair(seed: int, size: int) -> tuple[int, int]:
    return seed, size + 1 - seed


def keep_apart(
    seeds: Sequence[PlayerId | None], groups: Mapping[PlayerId, str]
) -> tuple[PlayerId | None, ...]:
    """Return the seats of a single elimination so that one group's players meet late.

    ``seeds`` come best first, ``groups`` says where each comes from. The best of each group keep
    their seats; then the second best exchange seats among themselves, then the third best …:
    first so that no two of one group meet before they must (one early meeting weighs more than
    any number of later ones), then so that the squares of the moves sum up to the least.
    """
    slots = {seed - 1: slot for slot, seed in enumerate(bracket_order(len(seeds)))}
    rounds = (len(slots) - 1).bit_length()
    weight = len(seeds) ** 3 + 1
    seats = list(seeds)
    taken: dict[str, list[int]] = {}
    for band in _bands(seeds, groups):
        costs = [
            [
                (own - seat) ** 2
                + sum(
                    weight ** (1 + rounds - (slots[seat] ^ slots[other]).bit_length())
                    for other in taken.get(group, [])
                )
                for seat, _player, _group in band
            ]
            for own, _player, group in band
        ]
        for (_own, player, group), column in zip(band, cheapest(costs), strict=True):
            seat = band[column][0]
            seats[seat] = player
            taken.setdefault(group, []).append(seat)
    return tuple(seats)


def _bands(
    seeds: Sequence[PlayerId | None], groups: Mapping[PlayerId, str]
) -> list[list[tuple[int, PlayerId, str]]]:
    """Return seats with players and groups: the best of each group, then the second best …"""
    bands: list[list[tuple[int, PlayerId, str]]] = []
    seen: dict[str, int] = {}
    for seat, player in enumerate(seeds):
        if player is None or player not in groups:
            continue
        group = groups[player]
        band = seen.get(group, 0)
        seen[group] = band + 1
        if band == len(bands):
            bands.append([])
        bands[band].append((seat, player, group))
    return bands
