"""Single group."""

from rules.formulas import FORMULAS
from tests.rules.play import PlayedEvent, lower_wins

FORMULA = FORMULAS.get("single-group")


def test_a_table_is_all_there_is() -> None:
    plan = FORMULA.plan(6)
    assert [stage.key for stage in plan.stages] == ["group"]
    assert plan.stages[0].places == ()


def test_the_first_two_may_play_a_final() -> None:
    event = PlayedEvent(FORMULA.plan(6, {"final": 5, "legs": 2}), list(range(1, 7)))
    event.play(lower_wins)
    assert len(event.states[0].rounds) == 10
    assert set(event.states[1].seats["final"]) == {1, 2}
    assert event.plan.stages[1].best_of == (5,)
