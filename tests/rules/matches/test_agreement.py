"""Reports that agree or contradict each other."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.matches.agreement import find_contradiction, is_more_detailed, reports_agree
from rules.matches.match_rules import Claim, MatchRules, result_presets
from rules.matches.settling import resolve_claim
from rules.results import (
    BYE,
    HALF_BYE,
    MISSED,
    MatchEnding,
    Outcome,
    TieBreak,
    Winner,
    outcome_by_winner,
)

BEST_OF_3 = MatchRules(best_of=3, draws=True, score="games", timed=True)
POINTS = MatchRules(best_of=1, draws=True, score="promotion", timed=True)
DUEL = MatchRules(best_of=1, draws=False, score="promotion", timed=True)
A, B = Winner.A, Winner.B
TIME, CONCEDED = MatchEnding.TIME, MatchEnding.CONCESSION


def games(text: str) -> Claim:
    """Return games in order, d for a drawn one."""
    return Claim(games=tuple({"d": "draw"}.get(each, each) for each in text))


@pytest.mark.parametrize(
    ("rules", "one", "other"),
    [
        (BEST_OF_3, Claim(score=(2, 1)), Claim(score=(2, 1))),
        (BEST_OF_3, games("aba"), games("baa")),
        (BEST_OF_3, games("aba"), Claim(score=(2, 1))),
        (BEST_OF_3, games("adba"), Claim(score=(2, 1))),
        (BEST_OF_3, games("abd"), Claim(score=(1, 1))),
        (POINTS, Claim(score=(44, 30)), Claim(score=(44, 30), ended_by=TIME)),
        (POINTS, Claim(winner=A, ended_by=CONCEDED), Claim(winner=A, ended_by=CONCEDED)),
        (
            DUEL,
            Claim(score=(30, 30), winner=A, tie_break=TieBreak.WARRIORS),
            Claim(score=(30, 30), winner=A, tie_break=TieBreak.EXTRA_TURNS),
        ),
    ],
)
def test_what_changes_nothing_is_no_dispute(rules, one, other):
    first, second = resolve_claim(rules, one), resolve_claim(rules, other)
    assert reports_agree(first, second)
    assert reports_agree(second, first)


@pytest.mark.parametrize(
    ("rules", "one", "other"),
    [
        (BEST_OF_3, Claim(score=(2, 1)), Claim(score=(1, 2))),
        (BEST_OF_3, Claim(score=(2, 1)), Claim(score=(2, 0))),
        (BEST_OF_3, games("adba"), games("aba")),
        (BEST_OF_3, games("abda"), games("abdda")),
        (BEST_OF_3, Claim(score=(2, 0)), Claim(winner=A, ended_by=CONCEDED)),
        (POINTS, Claim(score=(40, 22)), Claim(score=(40, 23))),
        (
            POINTS,
            Claim(winner=A, ended_by=CONCEDED),
            Claim(winner=A, score=(30, 39), ended_by=CONCEDED),
        ),
        (
            POINTS,
            Claim(winner=A, ended_by=CONCEDED),
            Claim(winner=A, ended_by=MatchEnding.NO_WARRIORS),
        ),
    ],
)
def test_what_counts_for_somebody_is_for_a_judge(rules, one, other):
    first, second = resolve_claim(rules, one), resolve_claim(rules, other)
    assert not reports_agree(first, second)
    assert not reports_agree(second, first)


def test_the_report_that_tells_more_counts_else_the_second():
    plain, ordered = (
        resolve_claim(BEST_OF_3, Claim(score=(2, 1))),
        resolve_claim(BEST_OF_3, games("adba")),
    )
    assert is_more_detailed(ordered, plain)
    assert not is_more_detailed(plain, ordered)
    assert not is_more_detailed(ordered, ordered)
    assert not is_more_detailed(ordered, resolve_claim(BEST_OF_3, games("bada")))
    at_time = resolve_claim(POINTS, Claim(score=(44, 30), ended_by=TIME))
    assert is_more_detailed(at_time, resolve_claim(POINTS, Claim(score=(44, 30))))


CLAIMS = st.one_of(
    st.sampled_from([preset.claim for preset in result_presets(BEST_OF_3)]),
    st.lists(st.sampled_from("abd"), min_size=1, max_size=6).map("".join).map(games),
    st.builds(Claim, winner=st.sampled_from([A, B]), ended_by=st.just(CONCEDED)),
)


def settled(claim: Claim) -> Outcome | None:
    """Return the outcome of a claim that is possible."""
    try:
        return resolve_claim(BEST_OF_3, claim)
    except BadInput:
        return None


@given(CLAIMS, CLAIMS)
def test_whatever_counts_is_one_of_the_two_and_has_the_agreed_winner_and_score(one, other):
    first, second = settled(one), settled(other)
    if first is None or second is None or not reports_agree(first, second):
        return
    assert (second.winner, second.score) == (first.winner, first.score)
    if not (is_more_detailed(first, second) or is_more_detailed(second, first)):
        assert second.games_won == first.games_won


GROUP = MatchRules(best_of=1, draws=True, score="promotion", timed=True)
KNOCKOUT = replace(GROUP, draws=False)
OF_THREE = MatchRules(best_of=3, draws=False, score="games", timed=True)
WON = outcome_by_winner(Winner.A, score=(40, 12))
GAMES = replace(WON, score=None, games=("a", "b", "a"), games_won=(2, 1, 0))
RESTED = replace(WON, score=None, ended_by=MatchEnding.BYE)
ALONE = replace(GROUP, size=1)
OF_FOUR = replace(OF_THREE, best_of=1, size=4)


def won_by(winner, outcome, **more):
    """Return an outcome with another winner, and more of it changed."""
    other = outcome_by_winner(winner)
    return replace(outcome, places=other.places, effect=other.effect, **more)


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        (GROUP, WON),
        (GROUP, replace(WON, score=(999, 0))),
        (GROUP, won_by(Winner.DRAW, WON, score=(31, 31))),
        (GROUP, won_by(Winner.B, WON, by_decision=True)),
        (GROUP, won_by(Winner.B, WON, score=None, ended_by=MatchEnding.NO_SHOW)),
        (GROUP, won_by(Winner.VOID, WON, score=None, ended_by=MatchEnding.VOID)),
        (GROUP, won_by(Winner.NONE, WON, score=None, ended_by=MatchEnding.DOUBLE_LOSS)),
        (KNOCKOUT, replace(WON, score=(31, 31), tie_break=TieBreak.WARRIORS)),
        (OF_THREE, GAMES),
        (OF_THREE, replace(GAMES, games=())),
    ],
)
def test_what_can_be_is_no_contradiction(rules, outcome):
    assert find_contradiction(rules, outcome) is None


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        (GROUP, won_by(Winner.B, WON)),
        (GROUP, won_by(Winner.DRAW, WON)),
        (GROUP, replace(WON, score=(31, 31))),
        (KNOCKOUT, replace(WON, score=(31, 31))),
        (KNOCKOUT, won_by(Winner.DRAW, WON)),
        (OF_THREE, won_by(Winner.B, GAMES)),
        (GROUP, replace(WON, score=None)),
        (GROUP, replace(WON, score=(1000, 0))),
        (GROUP, replace(WON, score=(40, -1))),
        (OF_THREE, replace(GAMES, games=(), games_won=(3, 0, 0))),
        (OF_THREE, replace(GAMES, games=(), games_won=(2, 2, 0))),
        (OF_THREE, replace(GAMES, games=("a", "a"))),
        (GROUP, won_by(Winner.VOID, WON)),
        (GROUP, won_by(Winner.NONE, WON)),
        (GROUP, replace(WON, ended_by=MatchEnding.VOID)),
        (GROUP, RESTED),
    ],
)
def test_a_contradiction_names_the_values(rules, outcome):
    assert str(outcome.ended_by) in (find_contradiction(rules, outcome) or "")


@pytest.mark.parametrize("winner", Winner)
@pytest.mark.parametrize("ended_by", MatchEnding)
def test_nobody_opposite_means_a_bye_or_a_missed_round(winner, ended_by):
    outcome = outcome_by_winner(winner, ended_by, seats=1)
    fits = winner is Winner.VOID or outcome in (BYE, HALF_BYE, MISSED)
    assert (find_contradiction(ALONE, outcome) is None) == fits


def test_a_winner_of_two_is_no_result_of_a_table():
    assert find_contradiction(OF_FOUR, replace(WON, score=None)) == "a · played"
