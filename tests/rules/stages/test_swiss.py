"""Swiss rounds as a stage: when the next one can be paired, and what it was paired from."""

from dataclasses import replace

import pytest

from rules.errors import RuleError
from rules.plans.plan import GroupPlan, StagePlan
from rules.stages.base import StageState
from rules.stages.stage_snapshot import before_round, is_by_hand, paired_matches
from rules.stages.swiss import SWISS
from rules.wording import Sentence
from tests.rules.play import add_round, lower_wins, one_group, play_out


def swiss(players: int, rounds: int = 3) -> StageState:
    plan = StagePlan(
        key="swiss",
        label=Sentence("Swiss rounds"),
        kind="swiss",
        groups=(GroupPlan(name="A", seats=tuple(f"S{n}" for n in range(1, players + 1))),),
        rounds=rounds,
    )
    return replace(one_group(range(1, players + 1), plan), seed="seed")


def test_the_next_round_needs_the_results() -> None:
    with pytest.raises(RuleError) as refused:
        SWISS.next_round(add_round(swiss(4)))
    assert refused.value.code == "results_missing"


def test_a_round_is_paired_again_from_the_state_before_it() -> None:
    state = play_out(swiss(6), lower_wins)
    gone = replace(state, withdrawn=frozenset({6}))
    for index in range(3):
        before = before_round(gone, index)
        assert before.withdrawn == frozenset()
        again = SWISS.next_round(before)
        assert again == tuple(pairing for pairing, _result in state.rounds[index])
        assert paired_matches(gone, index) == {(p.group, p.number, p.seats) for p in again}


def test_a_round_with_a_pair_by_hand_is_not_the_rules_own() -> None:
    state = add_round(swiss(4), lower_wins)
    assert not is_by_hand(state, 0, draft=False)
    assert not is_by_hand(state, 0, draft=True)
    ((first, result), other) = state.rounds[0]
    changed = replace(state, rounds=(((replace(first, by_hand=True), result), other),))
    assert is_by_hand(changed, 0, draft=False)


def test_a_draft_with_somebody_unpaired_is_by_hand() -> None:
    state = add_round(swiss(4), lower_wins)
    (_broken, other) = state.rounds[0]
    alone = replace(state, rounds=((other,),))
    assert is_by_hand(alone, 0, draft=True)
    assert not is_by_hand(alone, 0, draft=False)
