"""Snake, bracket order, the exact assignment, and seats kept apart."""

from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.assignment import cheapest
from rules.seeding import bracket_order, keep_apart, snake


def test_a_snake_goes_there_and_back() -> None:
    assert snake(range(1, 13), 3) == ((1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10))


def test_a_snake_of_eight_in_two() -> None:
    assert snake(range(1, 9), 2) == ((1, 4, 5, 8), (2, 3, 6, 7))


def test_a_snake_goes_on_in_its_last_row() -> None:
    assert snake(range(1, 11), 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))
    assert snake(range(1, 12), 4) == ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5))


@pytest.mark.parametrize(
    ("seats", "survivors", "order"),
    [
        (1, 1, (1,)),
        (2, 1, (1, 2)),
        (8, 1, (1, 8, 4, 5, 2, 7, 3, 6)),
        (6, 1, (1, 8, 4, 5, 2, 7, 3, 6)),
        (6, 3, (1, 6, 2, 5, 3, 4)),
    ],
)
def test_the_order_of_slots(seats: int, survivors: int, order: tuple[int, ...]) -> None:
    assert bracket_order(seats, survivors) == order


@given(seats=st.integers(2, 64), survivors=st.sampled_from([1, 8, 12]))
def test_round_by_round_the_best_stay(seats: int, survivors: int) -> None:
    order = bracket_order(seats, survivors)
    while len(order) > survivors:
        sums = {a + b for a, b in zip(order[::2], order[1::2], strict=True)}
        assert sums == {len(order) + 1}
        order = tuple(min(pair) for pair in zip(order[::2], order[1::2], strict=True))
    assert sorted(order) == list(range(1, survivors + 1))


@given(size=st.integers(1, 6), random=st.randoms(use_true_random=False))
def test_the_assignment_is_the_cheapest(size: int, random: Random) -> None:
    costs = [[random.randrange(10) for _ in range(size)] for _ in range(size)]
    columns = cheapest(costs)
    assert sorted(columns) == list(range(size))
    total = sum(costs[row][column] for row, column in enumerate(columns))
    best = min(
        sum(costs[row][column] for row, column in enumerate(order))
        for order in permutations(range(size))
    )
    assert total == best


def meetings(seats: tuple[int | str | None, ...], groups: dict[int | str, str]) -> list[int]:
    """Return the rounds in which two of one group could meet first, earliest first."""
    slot = {seat - 1: index for index, seat in enumerate(bracket_order(len(seats)))}
    where = {player: slot[index] for index, player in enumerate(seats) if player is not None}
    return sorted(
        (where[one] ^ where[other]).bit_length()
        for one, other in combinations(where, 2)
        if groups[one] == groups[other]
    )


def qualifiers(groups: int, advance: int, thirds: int) -> list[tuple[int, int]]:
    """Return (group, rank) of the field in seed order, groups in order within a rank."""
    field = [(group, rank) for rank in range(advance) for group in range(groups)]
    return field + [(group, advance) for group in range(thirds)]


@pytest.mark.parametrize(
    ("groups", "advance", "thirds"), [(2, 2, 0), (3, 2, 2), (4, 2, 0), (2, 3, 0), (2, 4, 0)]
)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_no_two_of_a_group_meet_before_they_must(
    groups: int, advance: int, thirds: int, random: Random
) -> None:
    bands = [
        random.sample(range(groups), groups if rank < advance else thirds)
        for rank in range(advance + bool(thirds))
    ]
    field: list[int | str] = [
        f"{group}-{rank}" for rank, band in enumerate(bands) for group in band
    ]
    origin = {player: str(player).split("-")[0] for player in field}
    seats = keep_apart(field, origin)
    assert sorted(map(str, seats)) == sorted(map(str, field))
    start, possible = 0, []
    for band in bands:
        possible.append(list(permutations(field[start : start + len(band)])))
        start += len(band)
    fixed_winners = [possible[0][:1], *possible[1:]]
    best = max(
        meetings(tuple(player for band in choice for player in band), origin)
        for choice in product(*fixed_winners)
    )
    assert meetings(seats, origin) == best


def test_firsts_keep_their_seats_and_empty_ones_stay() -> None:
    seeds = ("a1", "b1", "b2", "a2", None)
    groups = {"a1": "A", "b1": "B", "a2": "A", "b2": "B"}
    seats = keep_apart(seeds, groups)
    assert (*seats[:2], seats[4]) == ("a1", "b1", None)


def test_players_without_a_group_keep_their_seats() -> None:
    assert keep_apart((1, 2, 3), {}) == (1, 2, 3)
