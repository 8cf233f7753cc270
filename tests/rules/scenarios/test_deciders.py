"""What single results of others mean: each is true whatever else happens, and all are found."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rules.formulas import FORMULAS
from rules.results import Points, Result, Winner, two_player_result, two_seats
from rules.scenarios import Verdict, prospects
from rules.scenarios.remaining import OUTCOMES, WINNERS
from rules.stages.base import Pairing, StageState
from tests.effort import examples
from tests.rules.play import add_round, judged, one_group
from tests.rules.scenarios.ends import group_of_four, random_result

SWISS = FORMULAS.get("swiss-cut").plan(8, {"rounds": 3, "cut": 2})
BY_RESULTS = ("points", "opponents_points", "head_to_head", "lots")
USED = SWISS.used_places(0)


def drawn(pairing: Pairing) -> Result:
    return two_player_result(*pairing.seats, winner=Winner.DRAW, score=(20, 20))


def verdicts(state: StageState):
    return prospects(state, criteria=BY_RESULTS, points=Points(), used=USED)


def ended(state: StageState, players, result) -> StageState:
    """Return the stage with a result of the open match between two players."""
    rounds = tuple(
        tuple(
            (pairing, judged(found, WINNERS[result]))
            if pairing.seats == players and found.winner is None
            else (pairing, found)
            for pairing, found in played
        )
        for played in state.rounds
    )
    return replace(state, rounds=rounds)


@examples(0.5)
@given(chance=st.randoms(use_true_random=False), waiting=st.integers(1, 3))
def test_a_decider_holds_and_none_is_missing(chance: random.Random, waiting: int) -> None:
    state = one_group(range(1, 9), SWISS.stages[0])
    for _round in range(2):
        state = add_round(
            state, lambda pairing: random_result(chance, *two_seats(pairing.seats, None))
        )
    state = add_round(state)
    (*_before, last) = state.rounds
    for pairing, _result in last[waiting:]:
        state = ended(state, pairing.seats, chance.choice(OUTCOMES))
    found = verdicts(state)
    open_ones = [pairing.seats for pairing, _result in last[:waiting]]
    sitting = {player for players in open_ones for player in players}
    for player, prospect in found.items():
        told = {(one.players, one.result): one.verdict for one in prospect.deciders}
        if player in sitting or prospect.verdict is not Verdict.OPEN:
            assert told == {}
            continue
        for players in open_ones:
            for result in OUTCOMES:
                after = verdicts(ended(state, players, result))[player].verdict
                assert told.get((players, result), Verdict.OPEN) is after


def test_one_of_two_matches_that_a_pair_has_left_decides_nothing() -> None:
    state = replace(group_of_four(1), legs=2)
    for _round in range(6):
        state = add_round(state, drawn)
    rounds = tuple(
        tuple(
            (pairing, found.without_outcome() if set(pairing.seats) == {1, 2} else found)
            for pairing, found in played
        )
        for played in state.rounds
    )
    used = frozenset(place.name for place in state.plan.places)
    found = prospects(
        replace(state, rounds=rounds), criteria=BY_RESULTS, points=Points(), used=used
    )
    assert {found[player].verdict for player in (3, 4)} == {Verdict.OPEN}
    assert all(prospect.deciders == () for prospect in found.values())
