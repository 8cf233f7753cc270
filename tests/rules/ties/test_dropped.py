"""Who dropped out of a stage, as far as rules of standings ask."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.plans import GroupPlan, StagePlan
from rules.results import Points
from rules.stages.base import StageState
from rules.ties.decisions import dropped_from, histories_of
from rules.wording import Sentence
from tests.rules.play import add_round, lower_wins, one_group


def state_of(kind: str) -> StageState:
    plan = StagePlan(
        key="one",
        label=Sentence("One"),
        kind=kind,
        groups=(GroupPlan(name="A", seats=tuple(f"start {n}" for n in range(1, 7))),),
        places=(),
        rounds=4,
    )
    return one_group(range(1, 7), plan)


def test_who_is_paired_no_more_has_dropped() -> None:
    state = add_round(state_of("swiss"), lower_wins)
    assert dropped_from(state_of("swiss")) == dropped_from(state) == frozenset()
    gone = replace(state, withdrawn=frozenset({1}))
    assert dropped_from(gone) == frozenset(), "the last round so far was played"
    after = add_round(gone, lower_wins)
    assert dropped_from(after) == {1}
    assert dropped_from(replace(after, withdrawn=frozenset())) == {1}
    assert dropped_from(replace(after, withdrawn=frozenset({1, 2}))) == {1}
    back = add_round(replace(after, withdrawn=frozenset()), lower_wins)
    assert dropped_from(back) == frozenset()


@pytest.mark.parametrize("kind", ["round_robin", "knockout"])
def test_where_all_is_known_before_nobody_counts_as_dropped(kind: str) -> None:
    state = replace(add_round(state_of(kind), lower_wins), withdrawn=frozenset({1}))
    assert dropped_from(add_round(state, lower_wins)) == frozenset()


def test_the_cap_reaches_the_standings_of_a_stage() -> None:
    state = add_round(state_of("swiss"), lower_wins)
    after = add_round(replace(state, withdrawn=frozenset({1})), lower_wins)
    points = Points(floor=Fraction(1, 4), dropped_cap=Fraction(3, 4))
    (history,) = histories_of(after, points, {}).values()
    assert history.dropped == {1}
