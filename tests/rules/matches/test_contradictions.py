"""A stored result against itself: what can't be is named with what it would have to be."""

from dataclasses import replace

import pytest

from rules.matches.agreement import contradiction
from rules.matches.match_rules import MatchRules, Outcome
from rules.results import EndedBy, TieBreak, Winner

GROUP = MatchRules(best_of=1, draws=True, score="promotion", timed=True)
KNOCKOUT = replace(GROUP, draws=False)
OF_THREE = MatchRules(best_of=3, draws=False, score="games", timed=True)
WON = Outcome(winner=Winner.A, score=(40, 12), games=(), games_won=None, ended_by=EndedBy.PLAYED)
GAMES = replace(WON, score=None, games=("a", "b", "a"), games_won=(2, 1, 0))
BYE = replace(WON, score=None, ended_by=EndedBy.BYE)


OF_FOUR = replace(OF_THREE, best_of=1, size=4)


def told(rules, outcome, *, alone=False):
    found = contradiction(rules, outcome, alone=alone)
    return None if found is None else str(found.values["wanted"])


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        (GROUP, WON),
        (GROUP, replace(WON, score=(999, 0))),
        (GROUP, replace(WON, winner=Winner.DRAW, score=(31, 31))),
        (GROUP, replace(WON, winner=Winner.B, by_decision=True)),
        (GROUP, replace(WON, winner=Winner.B, score=None, ended_by=EndedBy.NO_SHOW)),
        (GROUP, replace(WON, winner=Winner.VOID, score=None, ended_by=EndedBy.VOID)),
        (GROUP, replace(WON, winner=Winner.NONE, score=None, ended_by=EndedBy.DOUBLE_LOSS)),
        (KNOCKOUT, replace(WON, score=(31, 31), tie_break=TieBreak.WARRIORS)),
        (OF_THREE, GAMES),
        (OF_THREE, replace(GAMES, games=())),
    ],
)
def test_what_can_be_is_no_contradiction(rules, outcome):
    assert contradiction(rules, outcome, alone=False) is None


@pytest.mark.parametrize(
    ("rules", "outcome", "wanted"),
    [
        (GROUP, replace(WON, winner=Winner.B), "the winner that the figures name"),
        (GROUP, replace(WON, winner=Winner.DRAW), "the winner that the figures name"),
        (GROUP, replace(WON, score=(31, 31)), "the winner that the figures name"),
        (KNOCKOUT, replace(WON, score=(31, 31)), "the winner that the figures name"),
        (KNOCKOUT, replace(WON, winner=Winner.DRAW), "the winner that the figures name"),
        (OF_THREE, replace(GAMES, winner=Winner.B), "the winner that the figures name"),
        (GROUP, replace(WON, score=None), "figures of both"),
        (GROUP, replace(WON, score=(1000, 0)), "points from 0 to 999"),
        (GROUP, replace(WON, score=(40, -1)), "points from 0 to 999"),
        (OF_THREE, replace(GAMES, games=(), games_won=(3, 0, 0)), "no more games than decide"),
        (OF_THREE, replace(GAMES, games=(), games_won=(2, 2, 0)), "no more games than decide"),
        (OF_THREE, replace(GAMES, games=("a", "a")), "totals that are those of the games"),
        (GROUP, replace(WON, winner=Winner.VOID), "a void match, or a loss for both"),
        (GROUP, replace(WON, winner=Winner.NONE), "a void match, or a loss for both"),
        (GROUP, replace(WON, ended_by=EndedBy.VOID), "somebody who has won, or a draw"),
        (GROUP, BYE, "somebody who has won, or a draw"),
    ],
)
def test_a_contradiction_names_the_expected_value(rules, outcome, wanted):
    assert wanted in (told(rules, outcome) or "nothing")


def test_nobody_opposite_means_a_bye_or_a_missed_round():
    assert told(GROUP, BYE, alone=True) is None
    missed = replace(BYE, winner=Winner.NONE, ended_by=EndedBy.NO_SHOW)
    assert told(GROUP, missed, alone=True) is None
    for wrong in (WON, replace(BYE, winner=Winner.B), replace(missed, winner=Winner.A)):
        assert told(GROUP, wrong, alone=True) == "a bye or a missed round"


def test_a_winner_of_two_is_no_result_of_a_table():
    assert told(OF_FOUR, replace(WON, score=None)) == "a place for each seat, without gaps"
