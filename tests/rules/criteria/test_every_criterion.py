"""What every criterion of the catalogue must promise, and every ready-made order of them.

Under a criterion that looks at opponents a win can cost; after points it never does.
"""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.criteria import CRITERIA
from rules.criteria.base import Criterion
from rules.criteria.presets import PRESETS, CriteriaPreset
from rules.history.group_history import History
from rules.results import Result, Winner
from rules.standings.table import DEFAULT_CRITERIA, rank, rank_history
from tests.effort import examples
from tests.rules.play import judged
from tests.scoresheet import Scoresheet
from tests.strategies import Played, groups, stages

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

COSTLY = {
    "opponents_points",  # a win takes points from an opponent
    *("buchholz_cut1", "buchholz_median"),
    "sonneborn_berger",  # the beaten opponent has fewer points
    *("opponents_match_win", "opponents_opponents_match_win", "opponents_game_win"),
    "head_to_head_uefa",  # who is level on points and difference may change with it
}
"""Criteria under which a win can put a player lower."""
EVERY = pytest.mark.parametrize("criterion", list(CRITERIA), ids=lambda item: item.key)


def ranks(standings):
    return {row.player: row.rank for row in standings.rows}


def test_the_criteria_of_the_contract_are_there():
    assert {*CATALOGUE} <= {*CRITERIA.keys()}


@EVERY
def test_it_says_what_it_is(criterion):
    assert all(map(str, (criterion.label, criterion.short, criterion.explains)))
    assert str(criterion.explains).endswith(".")


@EVERY
@examples(0.3)
@given(played=stages(), random=st.randoms(use_true_random=False))
def test_results_in_another_order_change_nothing(criterion, played, random):
    shuffled = list(played.results)
    random.shuffle(shuffled)
    before = rank(players=played.players, results=played.results, criteria=[criterion.key])
    after = rank(players=played.players, results=shuffled, criteria=[criterion.key])
    assert before == after


@EVERY
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


@EVERY
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


@EVERY
def test_it_answers_before_any_match(criterion):
    standings = rank(players=["a", "b"], results=[], criteria=[criterion.key])
    assert standings.tied == (("a", "b"),)


@EVERY
def test_it_answers_for_byes_only(criterion):
    sheet = Scoresheet()
    for player in sheet.players("a b c"):
        player.has_a_bye()
    assert rank_history(sheet.history(), criteria=[criterion.key]).tied == (("a", "b", "c"),)


@EVERY
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


def reversed_sides(result: Result) -> Result:
    """Return a result told by the other side."""
    if len(result.seats) == 1:
        return result
    outcome = result.outcome
    turned = outcome and replace(
        outcome,
        places=outcome.places[::-1],
        score=outcome.score and outcome.score[::-1],
        games_won=outcome.games_won and (*outcome.games_won[1::-1], outcome.games_won[2]),
    )
    return replace(result, seats=result.seats[::-1], outcome=turned)


def won(result: Result) -> Result:
    """Return the result with a as the winner, by the same number of games the other way."""
    high, low = max(result.score or (1, 0)), min(result.score or (1, 0))
    score = (high, low) if high > low else (high + 1, low)
    return judged(result, Winner.A, score=score, games=(*score, 0))


@EVERY
@examples(0.3)
@given(played=stages(), chosen=st.sets(st.integers(0, 20)))
def test_sides_of_matches_do_not_matter(
    criterion: Criterion, played: Played, chosen: set[int]
) -> None:
    turned = [
        reversed_sides(result) if at in chosen else result
        for at, result in enumerate(played.results)
    ]
    keys = ["points", criterion.key]
    before = rank(players=played.players, results=played.results, criteria=keys)
    assert ranks(rank(players=played.players, results=turned, criteria=keys)) == ranks(before)


@EVERY
@examples(0.3)
@given(played=stages(), chance=st.randoms(use_true_random=False))
def test_the_order_in_which_players_are_named_changes_nothing(
    criterion: Criterion, played: Played, chance: object
) -> None:
    named = list(played.players)
    chance.shuffle(named)  # type: ignore[attr-defined]
    before = rank(players=played.players, results=played.results, criteria=[criterion.key])
    after = rank(players=named, results=played.results, criteria=[criterion.key])
    assert ranks(after) == ranks(before)
    assert {frozenset(level) for level in after.tied} == {frozenset(t) for t in before.tied}


@EVERY
@examples(0.6)
@given(played=groups(), at=st.integers(0, 50))
def test_a_win_in_place_of_a_loss_never_costs_a_place(
    criterion: Criterion, played: Played, at: int
) -> None:
    at %= len(played.results)
    result = played.results[at]
    assume(result.winner is Winner.B or result.winner is Winner.DRAW)
    better = [*played.results[:at], won(result), *played.results[at + 1 :]]
    keys = ["points", criterion.key] if criterion.key in COSTLY else [criterion.key]
    before = ranks(rank(players=played.players, results=played.results, criteria=keys))
    after = ranks(rank(players=played.players, results=better, criteria=keys))
    assert after[result.seats[0]] <= before[result.seats[0]]


@EVERY
@examples(0.3)
@given(played=stages())
def test_what_is_separated_stays_separated_by_further_criteria(
    criterion: Criterion, played: Played
) -> None:
    short = ranks(rank(players=played.players, results=played.results, criteria=[criterion.key]))
    longer = ranks(
        rank(players=played.players, results=played.results, criteria=[criterion.key, "score_for"])
    )
    for one in played.players:
        for other in played.players:
            if short[one] < short[other]:
                assert longer[one] < longer[other]


EVERY_PRESET = pytest.mark.parametrize("preset", list(PRESETS), ids=lambda preset: preset.key)


@EVERY_PRESET
def test_every_key_is_registered_once_and_lots_are_last(preset: CriteriaPreset) -> None:
    assert all(key in CRITERIA for key in preset.criteria)
    assert len(set(preset.criteria)) == len(preset.criteria)
    assert "lots" not in preset.criteria[:-1]
    assert preset.criteria[0] == "points"


@EVERY_PRESET
def test_players_can_be_ranked_by_it(preset: CriteriaPreset) -> None:
    found = rank(players=(1, 2), results=(), criteria=preset.criteria)
    assert [row.rank for row in found.rows] == [1, 1]


def test_doomtrooper_is_the_usual_order() -> None:
    assert PRESETS.get("doomtrooper").criteria == DEFAULT_CRITERIA


def test_the_orders_differ() -> None:
    assert len({preset.criteria for preset in PRESETS}) == len(list(PRESETS))
