"""A stored result against itself: what can't be is named with what it would have to be."""

from dataclasses import replace

import pytest

from rules.matches.agreement import contradiction
from rules.matches.match_rules import MatchRules
from rules.results import BYE, HALF_BYE, MISSED, EndedBy, TieBreak, Winner, outcome_by_winner

GROUP = MatchRules(best_of=1, draws=True, score="promotion", timed=True)
KNOCKOUT = replace(GROUP, draws=False)
OF_THREE = MatchRules(best_of=3, draws=False, score="games", timed=True)
WON = outcome_by_winner(Winner.A, score=(40, 12))
GAMES = replace(WON, score=None, games=("a", "b", "a"), games_won=(2, 1, 0))
RESTED = replace(WON, score=None, ended_by=EndedBy.BYE)
ALONE = replace(GROUP, size=1)
OF_FOUR = replace(OF_THREE, best_of=1, size=4)


def won_by(winner, outcome, **more):
    """Return an outcome with another winner, and more of it changed."""
    other = outcome_by_winner(winner)
    return replace(outcome, places=other.places, effect=other.effect, **more)


def told(rules, outcome):
    found = contradiction(rules, outcome)
    return None if found is None else str(found.values["wanted"])


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        (GROUP, WON),
        (GROUP, replace(WON, score=(999, 0))),
        (GROUP, won_by(Winner.DRAW, WON, score=(31, 31))),
        (GROUP, won_by(Winner.B, WON, by_decision=True)),
        (GROUP, won_by(Winner.B, WON, score=None, ended_by=EndedBy.NO_SHOW)),
        (GROUP, won_by(Winner.VOID, WON, score=None, ended_by=EndedBy.VOID)),
        (GROUP, won_by(Winner.NONE, WON, score=None, ended_by=EndedBy.DOUBLE_LOSS)),
        (KNOCKOUT, replace(WON, score=(31, 31), tie_break=TieBreak.WARRIORS)),
        (OF_THREE, GAMES),
        (OF_THREE, replace(GAMES, games=())),
    ],
)
def test_what_can_be_is_no_contradiction(rules, outcome):
    assert contradiction(rules, outcome) is None


@pytest.mark.parametrize(
    ("rules", "outcome", "wanted"),
    [
        (GROUP, won_by(Winner.B, WON), "the winner that the figures name"),
        (GROUP, won_by(Winner.DRAW, WON), "the winner that the figures name"),
        (GROUP, replace(WON, score=(31, 31)), "the winner that the figures name"),
        (KNOCKOUT, replace(WON, score=(31, 31)), "the winner that the figures name"),
        (KNOCKOUT, won_by(Winner.DRAW, WON), "the winner that the figures name"),
        (OF_THREE, won_by(Winner.B, GAMES), "the winner that the figures name"),
        (GROUP, replace(WON, score=None), "figures of both"),
        (GROUP, replace(WON, score=(1000, 0)), "points from 0 to 999"),
        (GROUP, replace(WON, score=(40, -1)), "points from 0 to 999"),
        (OF_THREE, replace(GAMES, games=(), games_won=(3, 0, 0)), "no more games than decide"),
        (OF_THREE, replace(GAMES, games=(), games_won=(2, 2, 0)), "no more games than decide"),
        (OF_THREE, replace(GAMES, games=("a", "a")), "totals that are those of the games"),
        (GROUP, won_by(Winner.VOID, WON), "a void match, or a loss for both"),
        (GROUP, won_by(Winner.NONE, WON), "a void match, or a loss for both"),
        (GROUP, replace(WON, ended_by=EndedBy.VOID), "somebody who has won, or a draw"),
        (GROUP, RESTED, "somebody who has won, or a draw"),
    ],
)
def test_a_contradiction_names_the_expected_value(rules, outcome, wanted):
    assert wanted in (told(rules, outcome) or "nothing")


@pytest.mark.parametrize("winner", Winner)
@pytest.mark.parametrize("ended_by", EndedBy)
def test_nobody_opposite_means_a_bye_or_a_missed_round(winner, ended_by):
    outcome = outcome_by_winner(winner, ended_by, seats=1)
    fits = winner is Winner.VOID or outcome in (BYE, HALF_BYE, MISSED)
    assert told(ALONE, outcome) == (None if fits else "a bye or a missed round")


def test_a_winner_of_two_is_no_result_of_a_table():
    assert told(OF_FOUR, replace(WON, score=None)) == "a place for each seat, without gaps"
