"""Swiss rounds as a stage: when the next one can be paired, and what it was paired from."""

from dataclasses import replace

import pytest

from rules.errors import RuleError
from rules.plans import GroupPlan, StagePlan
from rules.results import EndedBy, PlayerId, of_two
from rules.stages.base import StageState
from rules.stages.kind import before_round, is_by_hand, paired_matches
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


def awarded(players: int, rounds: int = 3, **byes: int) -> StageState:
    """Return Swiss rounds in which p1, p2 … have so many byes."""
    state = swiss(players, rounds)
    given = tuple((int(key[1:]), number) for key, number in byes.items())
    return replace(state, plan=replace(state.plan, byes=given))


def resting(state: StageState) -> list[set[PlayerId]]:
    return [
        {pairing.seats[0] for pairing, result in played if result.ended_by is EndedBy.BYE}
        for played in play_out(state, lower_wins).rounds
    ]


def test_awarded_byes_are_given_first_and_count_when_somebody_has_to_rest() -> None:
    state = awarded(8, rounds=4, p3=2, p5=1)
    first = SWISS.next_round(state)
    assert [(*of_two(p.seats, None), str(p.reason)) for p in first[-2:]] == [
        (3, None, "Bye: awarded before the start, in rounds 1 to 2."),
        (5, None, "Bye: awarded before the start."),
    ]
    assert [p.number for p in first] == [1, 2, 3, 4, 5]
    rested = resting(state)
    assert rested[0] == {3, 5}
    assert 3 in rested[1]
    assert len(rested[1]) == 2  # seven are left for the second round, and one of them rests
    assert not rested[1] & {5}
    assert rested[2:] == [set(), set()]


def test_who_left_has_no_bye_and_all_but_one_may_have_one() -> None:
    gone = replace(awarded(6, p1=1, p2=1), withdrawn=frozenset({1}))
    assert [p.seats[0] for p in SWISS.next_round(gone) if len(p.seats) == 1] == [2]
    alone = awarded(3, p1=1, p2=1)
    assert [of_two(p.seats, None) for p in SWISS.next_round(alone)] == [
        (3, None),
        (1, None),
        (2, None),
    ]
    everybody = awarded(2, p1=1, p2=1)
    assert [of_two(p.seats, None)[1] for p in SWISS.next_round(everybody)] == [None, None]


def test_a_round_is_what_it_was_where_nobody_has_a_bye_in_it() -> None:
    plain, later = swiss(9), awarded(9, p4=0)
    assert SWISS.next_round(plain) == SWISS.next_round(later)
    once = play_out(awarded(9, p4=1), lower_wins)
    for index in (1, 2):
        before = before_round(once, index)
        plan = replace(before.plan, byes=())
        assert SWISS.next_round(before) == SWISS.next_round(replace(before, plan=plan))


def test_a_draft_with_somebody_unpaired_is_by_hand() -> None:
    state = add_round(swiss(4), lower_wins)
    (_broken, other) = state.rounds[0]
    alone = replace(state, rounds=((other,),))
    assert is_by_hand(alone, 0, draft=True)
    assert not is_by_hand(alone, 0, draft=False)
