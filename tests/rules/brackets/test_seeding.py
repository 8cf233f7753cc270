"""Snake, bracket order and the exact assignment."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.brackets.assignment import cheapest
from rules.brackets.seeding import bracket_order, snake


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


@given(
    size=st.integers(1, 6),
    random=st.randoms(use_true_random=False),
    bits=st.sampled_from([0, 62, 126, 300]),
)
def test_the_assignment_is_the_cheapest(size: int, random: Random, bits: int) -> None:
    """Also where big costs differ in their last digits alone, as those of brackets do."""
    costs = [
        [(random.randrange(3) << bits) + random.randrange(10) for _ in range(size)]
        for _ in range(size)
    ]
    columns = cheapest(costs)
    assert sorted(columns) == list(range(size))
    total = sum(costs[row][column] for row, column in enumerate(columns))
    best = min(
        sum(costs[row][column] for row, column in enumerate(order))
        for order in permutations(range(size))
    )
    assert total == best
