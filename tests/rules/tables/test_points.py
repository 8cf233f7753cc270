"""Places and the points they give: tables, 3 and the worked examples 2, 3 and 6."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from rules.errors import BadInput
from rules.tables.results import (
    POINT_PRESETS,
    UNITS,
    TablePoints,
    are_places,
    checked_points,
    nobody_first,
    places_by,
    preset_points,
)
from tests.rules.play import table_result

HALF = Fraction(1, 2)


def points(preset: str, places: Sequence[int | None]) -> list[Fraction]:
    result = table_result(seats=tuple(range(len(places))), places=tuple(places))
    return [Fraction(one, UNITS) for one in preset_points(preset).of(result)]


@pytest.mark.parametrize(
    ("preset", "places", "expected"),
    [
        ("win5", (1, 3, 1, 3), [1, 0, 1, 0]),
        ("win5", (1, 2, 2, 2), [5, 0, 0, 0]),
        ("win5", (2, 2, 2, 2), [0, 0, 0, 0]),
        ("win3", (1, 1, 1, 1), [1, 1, 1, 1]),
        ("win3", (2, 1, 2), [0, 3, 0]),
        ("places", (1, 2, 2, 4), [4, 5 * HALF, 5 * HALF, 1]),
        ("places", (1, 1, 1, 1), [5 * HALF] * 4),
        ("places", (2, 2, 2, 2), [5 * HALF] * 4),
        ("places", (2, 1, 3), [3, 4, 2]),
        ("places", (1, 1, 1), [3, 3, 3]),
        # Absent: those present have the points of as many seats as are there.
        ("places", (1, None, 2, None), [4, 0, 3, 0]),
        ("win5", (None, 1, None, None), [0, 5, 0, 0]),
        ("win5", (None, None, None), [0, 0, 0]),
    ],
)
def test_points_of_places(
    preset: str, places: tuple[int | None, ...], expected: list[Fraction]
) -> None:
    assert points(preset, places) == expected


@pytest.mark.parametrize(("preset", "bye"), [("win5", 5), ("win3", 3), ("places", 4)])
def test_a_bye_and_a_missed_round(preset: str, bye: int) -> None:
    assert points(preset, (1,)) == [bye]
    assert points(preset, (2,)) == [0]


def test_shares_of_three_and_five_are_exact() -> None:
    five = TablePoints(by_place=(5, 4, 3, 2, 1))
    shared = five.of(table_result(seats=(1, 2, 3, 4, 5), places=(1, 1, 1, 4, 4)))
    assert [Fraction(one, UNITS) for one in shared] == [4, 4, 4, 3 * HALF, 3 * HALF]
    short = TablePoints(by_place=(4, 3)).of(table_result(seats=(1, 2, 3), places=(1, 2, 2)))
    assert [Fraction(one, UNITS) for one in short] == [4, 3 * HALF, 3 * HALF]


def test_what_counts_nowhere_gives_nothing() -> None:
    assert POINT_PRESETS["win5"].of(table_result(seats=(1, 2, 3))) == (0, 0, 0)


@pytest.mark.parametrize("seats", range(1, 6))
def test_places_are_those_that_some_figures_make(seats: int) -> None:
    """Every possible set of places, and no other, comes from figures; but nobody first."""
    from_figures = {places_by(figures) for figures in product(range(seats), repeat=seats)}
    possible = {
        places for places in product(range(1, seats + 2), repeat=seats) if are_places(places)
    }
    assert possible == from_figures | {nobody_first(seats)}


def test_figures_of_whoever_was_absent_make_no_place() -> None:
    assert places_by((10, None, 7, 10)) == (1, None, 3, 1)
    assert are_places((1, None, 3, 1))
    assert not are_places((1, None, 2, 1))


@pytest.mark.parametrize(
    "given", [TablePoints(by_place=(4, 3, 5)), TablePoints(first=1, drawn=2), TablePoints(other=2)]
)
def test_points_that_fall_upwards_are_refused(given: TablePoints) -> None:
    with pytest.raises(BadInput) as refused:
        checked_points(given)
    assert refused.value.code == "invalid_points"


def test_points_by_an_unknown_name_are_refused() -> None:
    with pytest.raises(BadInput) as refused:
        preset_points("win7")
    assert refused.value.code == "unknown_points"
