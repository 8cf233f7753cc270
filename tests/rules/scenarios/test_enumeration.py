"""Every end of a group put together by whole numbers, against each of them ranked by itself."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.formulas import FORMULAS
from rules.results import EndedBy, Points, Result, Winner, of_two, result_of_two
from rules.scenarios import Verdict, prospects, status
from rules.standings.table import DEFAULT_CRITERIA
from tests.effort import examples
from tests.rules.play import add_round, lower_wins, opening
from tests.rules.scenarios.ends import random_result
from tests.rules.scenarios.test_margins import GROUPS, USED

ORDERS = (
    DEFAULT_CRITERIA,
    ("points", "head_to_head", "opponents_points", "score_difference"),
    ("head_to_head", "points", "score_for"),
    ("opponents_points", "points", "lots"),
    ("points", "score_for"),
)
WORTH = (Points(), Points(win=2), Points(win=3, draw=2, loss=1), Points(win=1, draw=1))

STRUCK = ((Winner.VOID, EndedBy.VOID), (Winner.NONE, EndedBy.DOUBLE_LOSS))


def any_state(source: random.Random, legs: int, rounds: int):
    """Return the groups after some rounds, now and then with a withdrawal or a void match."""
    names = [group.name for group in GROUPS.groups]
    seats = {name: tuple(range(4 * at + 1, 4 * at + 5)) for at, name in enumerate(names)}
    state = replace(opening(GROUPS, seats), legs=legs)

    def result(pairing) -> Result:
        odd = source.random()
        if odd < 0.05:
            winner, ended_by = source.choice(STRUCK)
            return result_of_two(*pairing.seats, winner=winner, ended_by=ended_by)
        return random_result(source, *of_two(pairing.seats, None))

    for _round in range(rounds):
        state = add_round(state, result)
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    return state


@pytest.mark.parametrize(("legs", "rounds"), [(1, 1), (1, 2), (2, 4), (2, 5)])
@given(source=st.randoms(use_true_random=False))
@examples(0.08)
def test_both_ways_say_the_same(legs: int, rounds: int, source: random.Random) -> None:
    state = any_state(source, legs, rounds)
    criteria, points = source.choice(ORDERS), source.choice(WORTH)
    quick = prospects(state, criteria=criteria, points=points, used=USED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(status, "QUICK", frozenset())
        ranked = prospects(state, criteria=criteria, points=points, used=USED)
    assert quick == ranked
    assert all(prospect.exact for prospect in quick.values())


def test_a_whole_double_round_of_four_is_looked_at() -> None:
    state = any_state(random.Random(1), 2, 0)
    state = replace(state, withdrawn=frozenset())
    found = prospects(state, criteria=DEFAULT_CRITERIA, points=Points(), used=USED)
    assert all(prospect.exact for prospect in found.values())
    assert {prospect.verdict for prospect in found.values()} == {Verdict.OPEN}
    assert all(prospect.opponent is not None for prospect in found.values())


def test_byes_give_no_points_against_anybody() -> None:
    """Nine players in their last Swiss round: both ways to the same prospects."""
    plan = FORMULAS.get("swiss-cut").plan(9, {"rounds": 3, "cut": 2})
    stage = plan.stages[0]
    state = opening(stage, {stage.groups[0].name: tuple(range(1, 10))})
    state = replace(state, seed="seed")
    for _round in range(2):
        state = add_round(state, lower_wins)
    state = add_round(state)
    given = {"criteria": ("points", "head_to_head"), "points": Points()}
    given["used"] = plan.used_places(0)
    quick = prospects(state, **given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(status, "QUICK", frozenset())
        ranked = prospects(state, **given)
    assert quick == ranked
    assert len(quick) == 9
    assert all(prospect.exact for prospect in quick.values())
