"""Points as people type and read them: halves too."""

from fractions import Fraction

import pytest

from rules.errors import BadInput
from rules.half_points import half_in_words, read_half

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("typed", "points"),
    [("3", 3), ("½", HALF), ("1½", 1 + HALF), ("0,5", HALF), ("1/2", HALF), (" 1.5 ", 1 + HALF)],
)
def test_what_people_type(typed: str, points: Fraction) -> None:
    assert read_half(typed) == points


@pytest.mark.parametrize("typed", ["", "x", "1/3", "1/0", "0,25", "½½", "1e3", "1" * 9, "--1"])
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_half(typed)
    assert refused.value.code == "bad_points"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        *[(Fraction(3), "3"), (HALF, "½"), (1 + HALF, "1½"), (Fraction(0), "0")],
        *[(Fraction(4, 3), "1⅓"), (Fraction(4, 5), "⅘"), (Fraction(11, 4), "2¾")],
    ],
)
def test_what_people_read(points: Fraction, words: str) -> None:
    assert half_in_words(points) == words
