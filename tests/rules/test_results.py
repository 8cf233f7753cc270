"""Results of matches."""

from dataclasses import replace
from itertools import product

import pytest

from rules.results import (
    Effect,
    EndedBy,
    Result,
    Winner,
    of_two,
    outcome_by_places,
    outcome_by_winner,
    result_of_two,
    void_of,
)
from rules.tables.results import are_places


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
    assert result_of_two(a=1, b=2, winner=winner).counts is counts


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
    match, bye = result_of_two(a=7, b=3, winner=winner), result_of_two(a=7, b=None, winner=winner)
    assert (match.seats, match.places) == ((7, 3), two)
    assert (bye.seats, bye.places) == ((7,), alone)
    assert match.without_outcome() == result_of_two(a=7, b=3)


def test_a_pair_is_two_or_one_and_nobody():
    assert of_two((4, 9), None) == (4, 9)
    assert of_two(["Ada"], "") == ("Ada", "")
    for seats in ((), (1, 2, 3)):
        with pytest.raises(ValueError, match="unpack"):
            of_two(seats, None)


def test_who_rests_with_a_win_has_a_bye():
    assert result_of_two(a=1, b=None, winner=Winner.A).is_bye
    assert not result_of_two(a=1, b=2, winner=Winner.A).is_bye


EVERY = [*product(Winner, EndedBy, (1, 2))]


@pytest.mark.parametrize(("winner", "ended_by", "seats"), EVERY)
def test_an_outcome_tells_its_winner_whatever_ended_it(winner, ended_by, seats):
    outcome = outcome_by_winner(winner, ended_by, seats=seats)
    assert (outcome.winner, outcome.ended_by, len(outcome.places)) == (winner, ended_by, seats)
    assert outcome.counts is (winner is not Winner.VOID)
    assert outcome.is_draw is (winner is Winner.DRAW and seats == 2)


def test_outcomes_of_different_winners_differ():
    found = [outcome_by_winner(winner, seats=seats) for winner, seats in product(Winner, (1, 2))]
    assert len({*found}) == len(found)
    assert outcome_by_winner(Winner.DRAW, seats=1).effect is Effect.HALF_BYE


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_is_first_at_a_table_follows_from_the_places(seats):
    for places in product((None, *range(1, seats + 1)), repeat=seats):
        if not are_places(places):
            continue
        outcome = outcome_by_places(places, seats=seats)
        first = [seat for seat, place in enumerate(places) if place == 1]
        alone = {0: Winner.A, 1: Winner.B}.get(first[0]) if first else Winner.NONE
        assert outcome.winner is (Winner.DRAW if len(first) > 1 else alone)
        assert (outcome.is_draw, outcome.counts) == (len(first) > 1, True)
    void = outcome_by_places(None, seats=seats)
    assert (void.winner, void.counts, void.places) == (Winner.VOID, False, (None,) * seats)
    assert void_of(seats) == replace(void, ended_by=EndedBy.VOID)


def test_the_score_of_a_player_is_that_of_their_seat():
    result = result_of_two(7, 3, winner=Winner.B, score=(12, 40), games=(0, 1, 0))
    assert (result.score_of(7), result.score_of(3)) == (12, 40)
    assert (result.games_won, result.ended_by) == ((0, 1, 0), EndedBy.PLAYED)
    assert result.without_outcome().score_of(7) is None
    assert result.without_outcome().ended_by is None
    with pytest.raises(ValueError, match="not in tuple"):
        result.score_of(5)
    assert result_of_two(7, 3, winner=Winner.DRAW).is_draw
    assert not Result(seats=(7, 3)).is_draw
