"""The floor and the share of a draw that a plan keeps, as numbers."""

from fractions import Fraction

import pytest

from rules.plans.plan import shares_of


def test_shares_are_numbers_from_0_to_1():
    assert shares_of({"floor": "1/3", "draw": "1"}) == {
        "floor": Fraction(1, 3),
        "draw": Fraction(1),
    }


@pytest.mark.parametrize("text", ["", "-1", "0.5", "1/0", "1/2/3", "4/3", "1000"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(ValueError, match="floor"):
        shares_of({"floor": text})
