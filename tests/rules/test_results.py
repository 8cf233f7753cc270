"""Results of matches."""

import pytest

from rules.results import Result, Winner, pair_of


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


@pytest.mark.parametrize(
    ("winner", "two", "alone"),
    [
        (Winner.A, (1, 2), (1,)),
        (Winner.B, (2, 1), (2,)),
        (Winner.DRAW, (1, 1), (1,)),
        (Winner.NONE, (2, 2), (2,)),
        (Winner.VOID, None, None),
        (None, None, None),
    ],
)
def test_places_follow_from_the_winner(winner, two, alone):
    match, bye = Result(a=7, b=3, winner=winner), Result(a=7, b=None, winner=winner)
    assert (match.seats, match.places) == ((7, 3), two)
    assert (bye.seats, bye.places) == ((7,), alone)
    assert match.without_outcome() == Result(a=7, b=3)


def test_a_pair_is_two_or_one_and_nobody():
    assert pair_of((4, 9), None) == (4, 9)
    assert pair_of(["Ada"], "") == ("Ada", "")
    for seats in ((), (1, 2, 3)):
        with pytest.raises(ValueError, match="unpack"):
            pair_of(seats, None)


def test_who_rests_with_a_win_has_a_bye():
    assert Result(a=1, b=None, winner=Winner.A).is_bye
    assert not Result(a=1, b=2, winner=Winner.A).is_bye
