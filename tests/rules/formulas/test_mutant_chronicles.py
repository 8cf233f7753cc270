"""The Mutant Chronicles formula (Regolamento da torneo, Formula)."""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, describe
from rules.plans import FormulaPlan
from tests.rules.play import PlayedEvent, lower_wins

FORMULA = FORMULAS.get("mutant-chronicles")


def keys(plan: FormulaPlan) -> list[str]:
    return [stage.key for stage in plan.stages]


@pytest.mark.parametrize(
    ("players", "stages"),
    [
        (3, ["group", "final"]),
        (4, ["group", "final"]),
        (5, ["group", "last_three", "final"]),
        (7, ["group", "last_three", "final"]),
        (8, ["second_groups", "repechage", "last_three", "final"]),
        (9, ["preliminary", "second_groups", "repechage", "last_three", "final"]),
        (11, ["preliminary", "second_groups", "repechage", "last_three", "final"]),
        (12, ["groups", "second_groups", "repechage", "last_three", "final"]),
        (13, ["preliminary", "groups", "second_groups", "repechage", "last_three", "final"]),
        (40, ["preliminary", "groups", "second_groups", "repechage", "last_three", "final"]),
    ],
)
def test_stages_by_number_of_players(players: int, stages: list[str]) -> None:
    assert keys(FORMULA.plan(players)) == stages


def test_seats_of_the_second_groups() -> None:
    second = FORMULA.plan(12).stages[1]
    assert [group.seats for group in second.groups] == [
        ("A1", "B2", "C1", "R2"),
        ("A2", "B1", "C2", "R1"),
    ]


def test_eight_enter_at_the_second_groups() -> None:
    second = FORMULA.plan(8).stages[0]
    assert [group.seats for group in second.groups] == [
        ("S1", "S4", "S5", "S8"),
        ("S2", "S3", "S6", "S7"),
    ]


def test_after_a_play_in_the_slots_are_dealt_by_snake() -> None:
    groups = FORMULA.plan(16).stages[1]
    assert groups.groups[0].seats == ("W1", "W6", "W7", "W12")
    event = PlayedEvent(FORMULA.plan(16), list(range(1, 17)))
    event.play(lower_wins)
    assert event.states[1].seats["A"] == (1, 6, 7, 12)


def test_legs_by_stage_and_the_last_three_have_one() -> None:
    plan = FORMULA.plan(12, {"legs": [2, 1, 2]})
    assert [stage.legs for stage in plan.stages] == [2, 1, 2, 1, 1]
    assert plan.stages[3].one_leg_only


def test_the_final_is_best_of_three_without_time_limit() -> None:
    final = FORMULA.plan(12).stages[-1]
    assert (final.best_of, final.timed) == ((3,), False)


def test_two_are_too_few() -> None:
    with pytest.raises(BadInput) as refusal:
        FORMULA.plan(2)
    assert refusal.value.code == "too_few_players"


def test_in_words() -> None:
    assert [str(sentence) for sentence in describe(FORMULA.plan(6))] == [
        "Group: one group of 6 players. Rounds: 5.",
        "Each pair meets once.",
        "Players who go on: 3.",
        "Last three: one group of 3 players. Rounds: 3.",
        "Each pair meets once.",
        "Players who go on: 2.",
        "Final: best of 3.",
        "There is no time limit.",
    ]
