"""What every kind of stage of two promises, tried with random results.

Those of tables: ``test_tables.py``.
"""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.plans import KNOCKOUT, GroupPlan, StagePlan
from rules.results import Result, Winner, of_two, result_of_two
from rules.stages import STAGE_KINDS
from rules.stages.base import Pairing, StageState
from rules.stages.kind import StageKind, is_complete, ordered_kinds
from rules.stages.knockout import played_matches, winner_of
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.play import add_round, one_group

KINDS = pytest.mark.parametrize("kind", list(ordered_kinds()), ids=lambda kind: kind.key)
sizes = st.integers(2, 20)
chance = st.randoms(use_true_random=False)


def opening_state(kind: StageKind, size: int, random: Random) -> StageState:
    seats = tuple(f"S{number}" for number in range(1, size + 1))
    plan = StagePlan(
        key="stage",
        label=Sentence("Stage"),
        kind=kind.key,
        groups=(GroupPlan(name="A", seats=seats),),
        legs=random.choice((1, 1, 2, 3, 4)),
        third_place=random.choice((True, False)),
        rounds=random.randrange(1, 7),
        second_final=random.choice((True, False)),
    )
    return one_group(range(1, size + 1), plan)


def at_random(random: Random, pairing: Pairing) -> Result:
    winners = [Winner.A, Winner.B, Winner.NONE]
    if pairing.draws:
        winners.append(Winner.DRAW)
    return result_of_two(*pairing.seats, winner=random.choice(winners))


def players_of(pairings: tuple[Pairing, ...]) -> list[int | str]:
    return [p for pairing in pairings for p in of_two(pairing.seats, None) if p is not None]


@KINDS
@given(size=sizes, random=chance)
@examples(0.6)
def test_it_ends_as_announced_and_seats_nobody_twice(
    kind: StageKind, size: int, random: Random
) -> None:
    state = opening_state(kind, size, random)
    announced = kind.total_rounds(state)
    while pairings := kind.next_round(state):
        seated = players_of(pairings)
        assert len(seated) == len(set(seated))
        assert str(kind.describe_round(state, len(state.rounds) + 1))
        state = add_round(state, lambda pairing: at_random(random, pairing))
        assert len(state.rounds) <= kind.total_rounds(state) <= announced
    assert is_complete(state)
    assert kind.total_rounds(state) in (announced, len(state.rounds))


@KINDS
@given(size=sizes, random=chance)
@examples(0.4)
def test_the_same_facts_give_the_same_round(kind: StageKind, size: int, random: Random) -> None:
    state = add_round(opening_state(kind, size, random), lambda pairing: at_random(random, pairing))
    assert kind.next_round(state) == kind.next_round(replace(state))


@KINDS
@given(size=sizes, random=chance)
@examples(0.6)
def test_it_survives_withdrawals(kind: StageKind, size: int, random: Random) -> None:
    state = opening_state(kind, size, random)
    numbers: list[int] = []
    while pairings := kind.next_round(state):
        for pairing in pairings:
            gone = {*of_two(pairing.seats, None)} & state.withdrawn
            if len(pairing.seats) == 2 and gone:
                assert pairing.outcome is not None
                kept = dict(zip((Winner.A, Winner.B), pairing.seats, strict=True))
                assert kept.get(pairing.outcome.winner) not in state.withdrawn
        numbers += [pairing.number for pairing in pairings]
        state = add_round(state, lambda pairing: at_random(random, pairing))
        if random.random() < 0.5:
            left = random.choice(state.players)
            state = replace(state, withdrawn=state.withdrawn | {left})
    assert numbers == sorted(set(numbers))


@given(size=sizes, random=chance)
@examples(0.6)
def test_a_knock_out_never_recalls_who_is_out(size: int, random: Random) -> None:
    state = opening_state(STAGE_KINDS.get(KNOCKOUT), size, random)
    state = replace(state, plan=replace(state.plan, third_place=False))
    while pairings := STAGE_KINDS.get(KNOCKOUT).next_round(state):
        out = {
            player
            for pairing, result in played_matches(state).values()
            for player in of_two(pairing.seats, None)
            if player != winner_of(result)
        }
        assert not out & set(players_of(pairings))
        state = add_round(state, lambda pairing: at_random(random, pairing))
