"""Shapes of brackets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.brackets import FromMatch, Seat, bracket, last_matches, rounds_of


def test_four_with_a_match_for_third_place() -> None:
    first, second, third, final = bracket(4, third_place=True)
    assert first.sources == (Seat(number=1), Seat(number=4))
    assert second.sources == (Seat(number=2), Seat(number=3))
    assert third.sources == (FromMatch(match=1, winner=False), FromMatch(match=2, winner=False))
    assert final.sources == (FromMatch(match=1), FromMatch(match=2))
    assert third.round == final.round == 2
    assert [str(match.label) for match in (first, third, final)] == [
        "Match 1",
        "Third place",
        "Match 4",
    ]


def test_two_have_only_a_final() -> None:
    (final,) = bracket(2, third_place=True)
    assert (final.round, final.distance, final.third_place) == (1, 0, False)


def test_one_has_no_match() -> None:
    assert bracket(1) == ()


def test_a_play_in_has_one_part_for_each_survivor() -> None:
    matches = bracket(16, survivors=12)
    assert rounds_of(16, 12) == 1
    assert [match.number for match in last_matches(matches)] == list(range(1, 13))
    assert matches[0].sources == (Seat(number=1), Seat(number=24))
    assert matches[11].sources == (Seat(number=12), Seat(number=13))


@pytest.mark.parametrize(("seats", "survivors", "rounds"), [(24, 12, 1), (25, 12, 2), (9, 8, 1)])
def test_rounds_of_a_play_in(seats: int, survivors: int, rounds: int) -> None:
    assert rounds_of(seats, survivors) == rounds
    assert len(last_matches(bracket(seats, survivors))) == survivors


@given(seats=st.integers(1, 70), survivors=st.sampled_from([1, 8, 12]), third=st.booleans())
def test_each_seat_and_each_winner_goes_to_one_match(
    seats: int, survivors: int, third: bool
) -> None:
    matches = bracket(seats, survivors, third)
    sources = [source for match in matches for source in match.sources]
    assert len(sources) == len(set(sources))
    assert [match.number for match in matches] == list(range(1, len(matches) + 1))
    going_on = {
        source.match for source in sources if isinstance(source, FromMatch) and source.winner
    }
    finals = {match.number for match in matches if match.distance == 0}
    assert going_on == {match.number for match in matches} - finals
    rounds = {match.number: match.round for match in matches}
    for match in matches:
        for source in match.sources:
            if isinstance(source, FromMatch):
                assert rounds[source.match] == match.round - 1
