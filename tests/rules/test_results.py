"""Results of matches."""

import pytest

from rules.results import Result, Winner


@pytest.mark.parametrize(
    ("winner", "counts"),
    [
        (None, False),
        (Winner.VOID, False),
        (Winner.A, True),
        (Winner.B, True),
        (Winner.DRAW, True),
        (Winner.NONE, True),
    ],
)
def test_a_match_counts_unless_it_is_open_or_void(winner, counts):
    assert Result(a=1, b=2, winner=winner).counts is counts
