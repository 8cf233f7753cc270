"""Tables of a round: best pairings first, except for players with a fixed table."""

import random

import pytest

from rules.formulas import FORMULAS
from rules.results import Result, Winner, of_two, result_of_two
from rules.stages.base import Pairing
from rules.stages.kind import STAGE_KINDS
from rules.stages.tables import by_table, tables_for
from tests.rules.play import add_round, one_group, opening, play_out


def chance(source: random.Random, pairing: Pairing) -> Result:
    winner = source.choice((Winner.A, Winner.B, Winner.DRAW))
    score = {Winner.A: (2, 0), Winner.B: (0, 2), Winner.DRAW: (1, 1)}[winner]
    return result_of_two(*pairing.seats, winner=winner, score=score)


@pytest.mark.parametrize("players", [9, 12, 16, 33])
def test_in_swiss_rounds_the_better_of_the_two_then_both_together(players: int) -> None:
    moved = [_orders_by_worth(players, random.Random(draw)) for draw in range(8)]
    assert any(moved)  # the pairings themselves come in another order


def _orders_by_worth(players: int, source: random.Random) -> bool:
    """Check the order of the tables; say whether it differs from the order of the pairings."""
    plan = FORMULAS.get("swiss-cut").plan(players).stages[0]
    state = one_group(tuple(range(1, players + 1)), plan)
    for _round in range(3):
        state = add_round(state, lambda pairing: chance(source, pairing))
    points = dict.fromkeys(state.players, 0)
    for played in state.rounds:
        for _pairing, result in played:
            if result.winner is Winner.DRAW:
                points[result.seats[0]] += 1
                points[result.seats[-1]] += 1
            elif len(result.seats) == 1 or result.winner is Winner.A:
                points[result.seats[0]] += 3
            else:
                points[result.seats[-1]] += 3
    pairings = STAGE_KINDS.get(plan.kind).next_round(state)
    ordered = [pairing for pairing in by_table(state, pairings) if len(pairing.seats) == 2]
    worth = [
        (
            max(points[p.seats[0]], points[p.seats[-1]]),
            points[p.seats[0]] + points[p.seats[-1]],
        )
        for p in ordered
    ]
    assert worth == sorted(worth, reverse=True)
    numbers = [pairing.number for pairing in pairings]
    seated = [pairing.number for pairing in by_table(state, pairings)]
    assert sorted(seated) == numbers
    return seated != numbers


def test_the_final_comes_before_the_match_for_third_place() -> None:
    plan = FORMULAS.get("single-elimination").plan(4, {"third_place": True}).stages[0]
    state = one_group((1, 2, 3, 4), plan)
    state = add_round(state, lambda p: result_of_two(*p.seats, winner=Winner.A, score=(2, 0)))
    last = STAGE_KINDS.get(plan.kind).next_round(state)
    assert [pairing.number for pairing in last] == [3, 4]
    final, third = by_table(state, last)
    assert {*of_two(final.seats, None)} == {1, 2}
    assert {*of_two(third.seats, None)} == {3, 4}
    assert len(play_out(state, lambda p: result_of_two(*p.seats, winner=Winner.A)).rounds) == 2


def test_groups_keep_the_order_of_their_schedule() -> None:
    stage = FORMULAS.get("groups-knockout").plan(8).stages[0]
    state = opening(stage, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8)})
    pairings = STAGE_KINDS.get(stage.kind).next_round(state)
    assert by_table(state, pairings) == pairings
    assert [pairing.group for pairing in pairings] == ["A", "A", "B", "B"]


PAIRS = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


@pytest.mark.parametrize(
    ("fixed", "tables"),
    [
        ({}, (1, 2, 3, 4)),
        ({"h": 1}, (2, 3, 4, 1)),
        ({"d": 12}, (1, 12, 2, 3)),
        ({"a": 3, "b": 2}, (2, 1, 3, 4)),
        ({"a": 3, "e": 3}, (3, 1, 2, 4)),
        ({"a": 3, "e": 3, "f": 4}, (3, 1, 4, 2)),
        ({"nobody": 1}, (1, 2, 3, 4)),
    ],
)
def test_each_pair_has_its_own_table(fixed, tables):
    found = tables_for(PAIRS, fixed)
    assert found == tables
    assert len(set(found)) == len(PAIRS)
