"""Points as people type and read them: halves and quarters too."""

from fractions import Fraction

import pytest

from rules.errors import BadInput
from rules.numbers import in_parts, number_in_json, points_as_text, read_points

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("3", 3),
        ("½", HALF),
        ("1½", 1 + HALF),
        ("0,5", HALF),
        ("1/2", HALF),
        (" 1.5 ", 1 + HALF),
        *[("¼", QUARTER), ("1¾", 2 - QUARTER), ("0,25", QUARTER), ("5/4", 1 + QUARTER)],
    ],
)
def test_what_people_type(typed: str, points: Fraction) -> None:
    assert read_points(typed) == points


@pytest.mark.parametrize(
    "typed", ["", "x", "1/3", "⅓", "1/0", "0,2", "1/8", "½½", "1e3", "1" * 9, "--1"]
)
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_points(typed)
    assert refused.value.code == "bad_points"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        *[(Fraction(3), "3"), (HALF, "½"), (1 + HALF, "1½"), (Fraction(0), "0")],
        *[
            (Fraction(4, 3), "1⅓"),
            (Fraction(4, 5), "⅘"),
            (Fraction(11, 4), "2¾"),
            (Fraction(9, 8), "1⅛"),
        ],
    ],
)
def test_what_people_read(points: Fraction, words: str) -> None:
    assert points_as_text(points) == words


@pytest.mark.parametrize(
    ("points", "parts", "number"),
    [
        (("3", "1", "0"), (3, 1, 0), 1),
        (("1", "1/2", "0"), (2, 1, 0), 2),
        (("5/4", "1/2", "0"), (5, 2, 0), 4),
        (("2", "3/4", "1/4"), (8, 3, 1), 4),
    ],
)
def test_points_are_counted_in_equal_parts(
    points: tuple[str, ...], parts: tuple[int, ...], number: int
) -> None:
    assert in_parts([*map(Fraction, points)]) == (parts, number)


@pytest.mark.parametrize(
    ("points", "read"), [(Fraction(3), 3), (HALF, "1/2"), (Fraction(5, 4), "5/4"), (Fraction(0), 0)]
)
def test_points_as_programs_read_them(points: Fraction, read: object) -> None:
    assert number_in_json(points) == read
