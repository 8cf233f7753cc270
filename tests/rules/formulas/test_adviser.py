"""Which formulas fit, and what would make one fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.adviser import UNTIMED, Advice, advise, matches_by_round, too_small
from rules.plans.plan import StagePlan
from rules.stages import kind_of
from tests.rules.play import PlayedEvent, lower_wins


def of(advices: tuple[Advice, ...], key: str) -> Advice:
    return next(advice for advice in advices if advice.formula.key == key)


def test_twelve_players_of_mutant_chronicles() -> None:
    advice = of(advise(12, minutes=50), "mutant-chronicles")
    # 3 + 3 + 3 rounds of groups, 3 of the last three, and the final without time limit.
    assert [stage.rounds for stage in advice.stages] == [3, 3, 3, 3, 1]
    assert advice.matches == 3 * 6 + 3 * 4 + 3 * 2 + 3 + 1
    assert advice.minutes == 12 * 60 + UNTIMED + 10
    assert advice.fits


def test_what_does_not_fit_says_what_would_make_it_fit() -> None:
    advice = of(advise(12, minutes=50, tables=3, hours=10), "mutant-chronicles")
    assert not advice.fits
    needs = [str(sentence) for sentence in advice.needs]
    assert needs[0].endswith("of time.")
    for sentence in needs[1:]:
        words = sentence.split()
        if "minutes" in sentence:
            again = advise(12, minutes=int(words[2]), tables=3, hours=10)
        else:
            again = advise(12, minutes=50, tables=int(words[0]), hours=10)
        assert of(again, "mutant-chronicles").fits


def test_too_few_tables_make_turns() -> None:
    enough = of(advise(8, minutes=30, tables=4), "single-group")
    few = of(advise(8, minutes=30, tables=2), "single-group")
    assert few.minutes - enough.minutes == 7 * 30


def test_a_smaller_group_has_fewer_matches() -> None:
    plan = FORMULAS.get("groups-knockout").plan(9, {"groups": 2, "legs": 2})
    # Five players play five rounds of two matches, four are ready after three.
    assert matches_by_round(plan.stages[0]) == [4, 4, 4, 2, 2] * 2


def test_one_player_is_too_few() -> None:
    with pytest.raises(BadInput) as refused:
        advise(1, minutes=50)
    assert refused.value.code == "too_few_players"


def test_those_that_fit_come_first_the_shortest_before() -> None:
    advices = advise(16, minutes=50, hours=5)
    assert [advice.fits for advice in advices] == sorted((a.fits for a in advices), reverse=True)
    fitting = [advice.minutes for advice in advices if advice.fits]
    assert fitting == sorted(fitting)


@given(players=st.integers(2, 40))
def test_the_matches_are_those_that_are_played(players: int) -> None:
    for advice in advise(players, minutes=50):
        if advice.formula.key == "swiss-cut":
            continue  # a bye is no match at a table
        plan = advice.formula.plan(players)
        event = PlayedEvent(plan, list(range(1, players + 1)))
        event.play(lower_wins)
        for stage, state in zip(plan.stages, event.states, strict=True):
            played = [
                sum(pairing.settled is None for pairing, _result in each) for each in state.rounds
            ]
            expected = matches_by_round(stage)
            if kind_of(stage).has_bracket:
                second_final = stage.kind == "double_elimination"  # it is not needed here
                assert played == (expected[:-1] if second_final else expected)
            else:
                assert len(played) == len(expected)
                assert max(played) <= max(expected)


def test_every_formula_is_advised_where_it_can_be_played() -> None:
    keys = {advice.formula.key for advice in advise(16, minutes=50)}
    assert keys == set(FORMULAS.keys())


def test_meeting_twice_is_a_separate_row_if_it_fits() -> None:
    once = advise(4, minutes=30, hours=5)
    assert not any(advice.twice for advice in once)
    both = advise(4, minutes=30, hours=5, twice=True)
    rows = [advice for advice in both if advice.formula.key == "single-group"]
    assert [(advice.twice, advice.rounds, advice.matches) for advice in rows] == [
        (False, 3, 6),
        (True, 6, 12),
    ]
    assert rows[1].options == {"legs": 2}
    # Six rounds of 40 minutes do not fit in three hours, so meeting twice is not proposed.
    short = advise(4, minutes=30, hours=3, twice=True)
    assert not any(advice.twice for advice in short)


def test_twice_in_every_stage_of_mutant_chronicles() -> None:
    rows = [advice for advice in advise(12, minutes=50, twice=True) if advice.twice]
    advice = of(tuple(rows), "mutant-chronicles")
    assert advice.options == {"legs": [2, 2, 2]}
    assert [stage.rounds for stage in advice.stages] == [6, 6, 6, 3, 1]


def test_formulas_for_more_players_are_named() -> None:
    small = {formula.key for formula in too_small(2)}
    assert small == {formula.key for formula in FORMULAS if formula.minimum > 2}
    assert too_small(12) == ()


def test_a_large_field_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying other minutes and other numbers of tables must not lay the schedules out again."""
    laid_out: list[str] = []

    def counted(stage: StagePlan) -> list[int]:
        laid_out.append(stage.key)
        return matches_by_round(stage)

    monkeypatch.setattr("rules.formulas.adviser.matches_by_round", counted)
    advices = advise(200, minutes=60, tables=10, hours=3)
    assert not any(advice.fits for advice in advices)
    assert len(laid_out) == sum(len(advice.stages) for advice in advices)
