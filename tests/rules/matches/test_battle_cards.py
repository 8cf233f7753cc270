"""Battle cards at the end of a Doomtrooper game."""

import pytest

from rules.errors import BadInput
from rules.matches.match_rules import Claim, battle_cards, totals, with_battle_cards
from rules.matches.settling import settle
from tests.rules.matches.test_settling import DRAW, DUEL, GROUP, PLAYED, SWISS, TIME, A, B


@pytest.mark.parametrize(
    ("points", "in_play", "at_time", "totals", "changed"),
    [
        ((40, 32), (False, True), False, (40, 42), True),
        ((40, 30), (False, True), False, (40, 40), True),
        ((40, 20), (True, True), False, (50, 30), False),
        ((30, 22), (True, True), True, (35, 29), False),
        ((44, 30), (True, True), True, (51, 40), False),
        ((30, 30), (False, False), True, (30, 30), False),
    ],
)
def test_battle_cards_add_ten_or_a_quarter(points, in_play, at_time, totals, changed):
    assert battle_cards(points, in_play, at_time=at_time) == (totals, changed)


@pytest.mark.parametrize(
    ("rules", "claim", "in_play", "score", "winner", "ended_by"),
    [
        (GROUP, Claim(score=(38, 20)), (True, False), (43, 20), A, TIME),
        (GROUP, Claim(score=(36, 36)), (True, True), (45, 45), DRAW, TIME),
        (DUEL, Claim(score=(38, 20)), (True, False), (43, 20), A, TIME),
        (GROUP, Claim(score=(40, 20)), (True, False), (50, 20), A, PLAYED),
        (GROUP, Claim(score=(40, 20), ended_by=TIME), (True, False), (45, 20), A, TIME),
        (GROUP, Claim(score=(38, 20), ended_by=PLAYED), (True, False), (43, 20), A, PLAYED),
    ],
)
def test_what_only_battle_cards_bring_to_the_target_ended_by_time(
    rules, claim, in_play, score, winner, ended_by
):
    outcome = settle(rules, with_battle_cards(rules, claim, in_play))
    assert (outcome.score, outcome.winner, outcome.ended_by) == (score, winner, ended_by)


def test_without_battle_cards_everything_stays() -> None:
    claim = Claim(score=(38, 20))
    assert with_battle_cards(GROUP, claim, (False, False)) is claim
    assert totals(GROUP, (38, 20), (False, False), None) == ((38, 20), False)
    assert totals(GROUP, (38, 20), (False, True), None) == ((38, 29), False)


@pytest.mark.parametrize(
    ("rules", "claim"), [(GROUP, Claim(winner=A)), (SWISS, Claim(score=(2, 1)))]
)
def test_battle_cards_add_to_promotion_points_only(rules, claim) -> None:
    with pytest.raises(BadInput, match="Battle cards add to promotion points") as refused:
        with_battle_cards(rules, claim, (True, False))
    assert refused.value.code == "impossible_result"


def test_who_won_is_asked_where_battle_cards_change_the_leader() -> None:
    with pytest.raises(BadInput, match="With battle cards it is 40–42") as refused:
        with_battle_cards(GROUP, Claim(score=(40, 32)), (False, True))
    assert refused.value.code == "impossible_result"
    told = with_battle_cards(GROUP, Claim(score=(40, 32), winner=B), (False, True))
    assert (told.score, told.winner) == ((40, 42), B)
