"""Whole numbers in the notations of spreadsheets."""

import pytest

from rules.numbers import whole_number


@pytest.mark.parametrize("text", ["4", " 4 ", "4.0", "4,0", "4.00", "4,0000", "4.", "+4", "04"])
def test_one_number_in_any_notation(text: str) -> None:
    assert whole_number(text) == 4


@pytest.mark.parametrize("text", ["４", "４．0", "٤", "४"])
def test_digits_of_any_script(text: str) -> None:
    expected = None if "．" in text else 4
    assert whole_number(text) == expected


@pytest.mark.parametrize(
    "text", ["", "-1", "4.5", "4,50", "1.000", "1,000", "1e3", "4x", "four", "4 0", "²", "9" * 16]
)
def test_what_is_no_whole_number(text: str) -> None:
    assert whole_number(text) is None


def test_zero_and_a_large_one() -> None:
    assert whole_number("0,0") == 0
    assert whole_number("9" * 15) == 10**15 - 1
