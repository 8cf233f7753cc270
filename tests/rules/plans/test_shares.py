"""The floor, the share of a draw and what byes count, as a plan keeps them, as numbers."""

from fractions import Fraction

import pytest

from rules.json_reader import WrongValue
from rules.plans import shares_of


def test_shares_are_numbers_from_0_to_1():
    assert shares_of({"floor": "1/3", "draw": "1", "bye_games": "2"}) == {
        "floor": Fraction(1, 3),
        "draw": Fraction(1),
        "bye_games": Fraction(2),
    }


@pytest.mark.parametrize("text", ["", "-1", "½", "1/0", "1/2/3", "4/3", "1000", "1/1000"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(WrongValue, match="floor"):
        shares_of({"floor": text})


@pytest.mark.parametrize("text", ["10", "1/2"])
def test_games_of_a_bye_are_whole_and_few(text):
    with pytest.raises(WrongValue, match="bye_games"):
        shares_of({"bye_games": text})
