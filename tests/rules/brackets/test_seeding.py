"""Dealing by snake, and the order of seeds in a bracket."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.brackets import bracket_order, snake


def test_a_snake_goes_there_and_back() -> None:
    assert snake(range(1, 13), 3) == ((1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10))


def test_a_snake_of_eight_in_two() -> None:
    assert snake(range(1, 9), 2) == ((1, 4, 5, 8), (2, 3, 6, 7))


def test_a_snake_continues_in_its_last_row() -> None:
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
