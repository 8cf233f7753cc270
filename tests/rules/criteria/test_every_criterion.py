"""What every criterion of the catalogue must promise."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.criteria import CRITERIA
from rules.history.group_history import History
from rules.standings.table import rank, rank_history
from tests.effort import examples
from tests.scoresheet import Scoresheet
from tests.strategies import stages

CATALOGUE = [
    "points",
    "opponents_points",
    "head_to_head",
    "score_for",
    "score_difference",
    "lots",
    "wins",
    "opponents_match_win",
    "game_win",
    "opponents_game_win",
    "buchholz_cut1",
    "buchholz_median",
    "sonneborn_berger",
    "head_to_head_uefa",
    "fewest_penalties",
    "wins_fewer_games",
    "opponents_opponents_match_win",
]

every_criterion = pytest.mark.parametrize("criterion", list(CRITERIA), ids=lambda item: item.key)


def ranks(standings):
    return {row.player: row.rank for row in standings.rows}


def test_the_criteria_of_the_contract_are_there():
    assert {*CATALOGUE} <= {*CRITERIA.keys()}


@every_criterion
def test_it_says_what_it_is(criterion):
    assert all(map(str, (criterion.label, criterion.short, criterion.explains)))
    assert str(criterion.explains).endswith(".")


@every_criterion
@examples(0.3)
@given(played=stages(), random=st.randoms(use_true_random=False))
def test_results_in_another_order_change_nothing(criterion, played, random):
    shuffled = list(played.results)
    random.shuffle(shuffled)
    before = rank(players=played.players, results=played.results, criteria=[criterion.key])
    after = rank(players=played.players, results=shuffled, criteria=[criterion.key])
    assert before == after


@every_criterion
@examples(0.3)
@given(played=stages())
def test_other_numbers_change_nothing(criterion, played):
    def renumbered(player):
        return None if player is None else 100 - player

    results = [
        replace(result, seats=tuple(renumbered(player) for player in result.seats))
        for result in played.results
    ]
    players = [renumbered(player) for player in played.players]
    before = rank(players=played.players, results=played.results, criteria=[criterion.key])
    after = rank(players=players, results=results, criteria=[criterion.key])
    assert ranks(after) == {renumbered(player): row for player, row in ranks(before).items()}


@every_criterion
@examples(0.3)
@given(played=stages())
def test_numbers_are_exact(criterion, played):
    history = History(players=played.players, results=played.results)
    split = criterion.split(history, played.players)
    numbers = [number for figures in split.figures.values() for number in figures]
    assert all(type(number) in (int, Fraction) for number in numbers)
    assert sorted(player for level in split.classes for player in level) == list(played.players)
    if criterion.value is not None:
        assert all(
            split.figures[player] == (criterion.value(history, player),)
            for player in played.players
        )


@examples(0.3)
@given(played=stages())
def test_a_percentage_is_never_above_a_hundred(played):
    percentages = [criterion.key for criterion in CRITERIA if criterion.percentage]
    assert {"opponents_match_win", "game_win", "opponents_game_win"} <= {*percentages}
    found = rank(players=played.players, results=played.results, criteria=percentages)
    assert all(0 <= row.values[key] <= 1 for row in found.rows for key in percentages)


@every_criterion
def test_it_answers_before_any_match(criterion):
    standings = rank(players=["a", "b"], results=[], criteria=[criterion.key])
    assert standings.tied == (("a", "b"),)


@every_criterion
def test_it_answers_for_byes_only(criterion):
    sheet = Scoresheet()
    for player in sheet.players("a b c"):
        player.has_a_bye()
    assert rank_history(sheet.history(), criteria=[criterion.key]).tied == (("a", "b", "c"),)


@every_criterion
def test_it_answers_for_a_dropped_opponent(criterion):
    sheet = Scoresheet()
    a, b, c = sheet.players("a b c")
    a.does_not_meet(c)
    b.does_not_meet(c)
    a.draws(b)
    rows = rank_history(sheet.history(), criteria=[criterion.key]).rows
    assert {row.player for row in rows} == {"a", "b", "c"}


def test_ranking_a_thousand_players_takes_little_time():
    source = random.Random(7)
    players = list(range(1024))
    sheet = Scoresheet()
    seats = sheet.players(" ".join(map(str, players)))
    for _round in range(10):
        source.shuffle(seats)
        for a, b in zip(seats[::2], seats[1::2], strict=True):
            a.wins_games(b, 2, source.randrange(3))
    # A quadratic criterion would be noticed by its minutes, not by a clock that may stumble.
    assert len(rank_history(sheet.history(), criteria=CRITERIA.keys()).rows) == len(players)
