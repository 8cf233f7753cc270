"""The bye of a Swiss round given to somebody else, and what stands in the way."""

from dataclasses import replace

import pytest

from rules.corrections import (
    BY_PLAN,
    EXTRA,
    GONE,
    NOBODY_ELSE,
    NOT_PAIRED,
    PAIRED_FROM,
    STRUCK,
    Fate,
    Followed,
    bye_moved,
    may_rest,
)
from rules.results import EndedBy, Winner
from rules.stages.base import ExtraRound, StageState
from tests.rules.corrections.test_followed import stage
from tests.rules.play import add_round, lower_wins


def swiss(players: int = 5, rounds: int = 1) -> StageState:
    state = stage("swiss", players)
    for _round in range(rounds):
        state = add_round(state, lower_wins)
    return state


def bye_of(state: StageState, index: int = -1) -> int:
    return next(p.number for p, _result in state.rounds[index] if len(p.seats) == 1)


def resting(state: StageState, index: int = -1) -> int:
    return next(p.seats[0] for p, _result in state.rounds[index] if len(p.seats) == 1)


def moved(
    state: StageState, player: int, *, begun: bool = True, void: bool = False, index: int = 0
) -> Followed:
    number = bye_of(state, index)
    return bye_moved(state, index, number, player, begun=begun, void=void)


@pytest.mark.parametrize(
    ("begun", "void", "fate"),
    [(True, False, Fate.AGAIN), (True, True, Fate.VOID), (False, True, Fate.PASSES)],
)
def test_the_two_change_places_and_nobody_else(begun: bool, void: bool, fate: Fate) -> None:
    state = swiss()
    out, new = resting(state), may_rest(state, 0)[0]
    found = moved(state, new, begun=begun, void=void)
    assert found.why_not is None
    rests, plays = found.matches
    assert (rests.after, rests.fate, rests.result.ended_by) == ((new,), Fate.RESTS, EndedBy.BYE)
    assert plays.fate is fate
    assert (plays.result.winner is Winner.VOID) == (fate is Fate.VOID)
    assert plays.exchanged == ((new, out),)
    made = found.state.rounds[0]
    assert {p for pairing, _r in made for p in pairing.seats} == {*state.players}
    touched = {rests.pairing.number, plays.pairing.number}
    assert {pairing.number for pairing, _result in made if pairing.by_hand} == touched
    same = [each for each in zip(made, state.rounds[0], strict=True) if each[0] == each[1]]
    assert len(same) == len(made) - 2


def test_who_has_left_loses_the_match_that_was_got_by_hand() -> None:
    state = swiss()
    gone = replace(state, withdrawn=frozenset({resting(state)}))
    plays = moved(gone, may_rest(state, 0)[0]).matches[1]
    assert (plays.fate, plays.result.ended_by) == (Fate.FORFEIT, EndedBy.CONCESSION)


def test_what_stands_in_the_way_is_said() -> None:
    state = swiss()
    out, new = resting(state), may_rest(state, 0)[0]
    later = add_round(state)
    assert moved(later, new).why_not is PAIRED_FROM
    extra = ExtraRound(level=(1, 2), played=())
    assert moved(replace(state, extra=(extra,)), new).why_not is EXTRA
    assert moved(replace(state, struck=frozenset({out})), new).why_not is STRUCK
    left = replace(state, withdrawn=frozenset({new}))
    assert moved(left, new).why_not is GONE
    assert new not in may_rest(left, 0)
    assert moved(state, out).why_not is NOT_PAIRED
    alone = replace(state, withdrawn=frozenset(state.players) - {out})
    assert moved(alone, new).why_not is NOBODY_ELSE
    bracket = add_round(stage("knockout", 3))
    assert moved(bracket, may_rest(bracket, 0)[0]).why_not is BY_PLAN
