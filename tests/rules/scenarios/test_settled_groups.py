"""A group with nothing open is decided by its standings, by whatever criteria they are made."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import outcome
from rules.criteria import CRITERIA
from rules.criteria.presets import PRESETS
from rules.formulas import FORMULAS
from rules.results import PlayerId, Points, of_two, result_of_two
from rules.scenarios import DependsOn, Verdict, prospects
from rules.stages.base import StageState
from tests.effort import examples
from tests.rules.play import add_round, opening
from tests.rules.scenarios.ends import contradiction, random_result

PLAN = FORMULAS.get("mutant-chronicles").plan(12)
GROUPS, USED = PLAN.stages[0], PLAN.used_places(0)
POINTS = Points()
ALONE = [(key, "lots") for key in CRITERIA.keys() if key != "lots"]  # noqa: SIM118
PAIRED = [("points", *alone) for alone in ALONE if alone[0] != "points"]
ORDERS = [*(preset.criteria for preset in PRESETS), *ALONE, *PAIRED]
NAMES = [*PRESETS.keys(), *("-".join(order) for order in (*ALONE, *PAIRED))]
EVERY = pytest.mark.parametrize("criteria", ORDERS, ids=NAMES)


def played(source: random.Random) -> StageState:
    """Return three groups of four after all their rounds."""
    state = opening(GROUPS, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8), "C": (9, 10, 11, 12)})
    for _round in range(3):
        state = add_round(
            state, lambda pairing: random_result(source, *of_two(pairing.seats, None))
        )
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    return state


def reopened(state: StageState, player: PlayerId) -> StageState:
    """Return the stage with the player's last match still to be played."""
    *before, last = state.rounds
    played = tuple(
        (pairing, result_of_two(*pairing.seats, round=3))
        if player in of_two(pairing.seats, None)
        else (pairing, result)
        for pairing, result in last
    )
    return replace(state, rounds=(*before, played))


@EVERY
@examples(0.2)
@given(source=st.randoms(use_true_random=False))
def test_a_finished_group_waits_only_for_lots_and_for_other_groups(
    criteria: tuple[str, ...], source: random.Random
) -> None:
    whole = played(source)
    state = reopened(whole, 9)
    penalties = {player: source.randint(0, 2) for player in state.players}
    given = {"criteria": criteria, "points": POINTS, "used": USED, "penalties": penalties}
    said = prospects(state, **given)
    standings = outcome(whole, lots=(), **given).standings
    for group in "AB":
        rows = [row for row in standings[group].rows if row.player not in state.withdrawn]
        for place, row in enumerate(rows, start=1):
            level = [other for other in rows if other.rank == row.rank]
            if len(level) == 1 and place != 3:
                expected = Verdict.THROUGH if place < 3 else Verdict.OUT
                assert said[row.player].verdict is expected
    lots = [tuple(source.sample(range(1, 13), 12))]
    decided = outcome(whole, lots=lots, **given)
    through = {player for name, player in decided.places.items() if name in USED}
    assert contradiction(said, whole, through) is None


@EVERY
@examples(0.2)
@given(source=st.randoms(use_true_random=False))
def test_when_all_groups_are_finished_all_is_decided_by_lots_at_last(
    criteria: tuple[str, ...], source: random.Random
) -> None:
    state = played(source)
    penalties = {player: source.randint(0, 2) for player in state.players}
    given = {"criteria": criteria, "points": POINTS, "used": USED, "penalties": penalties}
    decided = outcome(state, lots=(), **given)
    said = prospects(state, **given)
    tied = {player for level in decided.lots_needed for player in level}
    waiting = {player for player, prospect in said.items() if prospect.verdict is Verdict.OPEN}
    if not decided.lots_needed:
        assert not waiting
    assert all(said[player].depends["now"] == {DependsOn.SCORES} for player in waiting & tied)
    lots = [tuple(source.sample(range(1, 13), 12))]
    told = prospects(state, lots=lots, **given)
    drawn = outcome(state, lots=lots, **given)
    through = {player for name, player in drawn.places.items() if name in USED}
    assert {p for p, prospect in told.items() if prospect.verdict is Verdict.THROUGH} == through
    assert {p for p, prospect in told.items() if prospect.verdict is Verdict.OUT} == (
        set(told) - through
    )
