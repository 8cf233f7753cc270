"""What a kind of stage is without saying more than its rounds."""

import pytest

from rules.errors import BadInput
from rules.formulas.custom import read_definition
from rules.plans import GroupPlan, StagePlan
from rules.stages.base import LEGS, Pairing, Setting, StageState
from rules.stages.kind import STAGE_KINDS, StageKind
from rules.stages.round_robin import ROUND_ROBIN
from rules.wording import Sentence
from tests.rules.formulas import definitions as make

RUNGS = Setting(key="rungs", label=Sentence("rungs"), usual=2, least=1, most=9)
BACK = Setting(key="way_back", label=Sentence("the way back"), usual=False)


class Ladder(StageKind):
    """A kind that says nothing of brackets; its rounds are never made."""

    key = "ladder"
    label = Sentence("Ladder")
    settings = (LEGS, RUNGS, BACK)

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return no pairings."""
        return ()

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rungs."""
        return int(self.value_of(state.plan, "rungs"))

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return the label of a rung."""
        return Sentence("Rung")


def plan_of(**own: int | bool) -> StagePlan:
    return StagePlan(
        key="ladder",
        label=Sentence("Ladder"),
        kind="ladder",
        groups=(GroupPlan(name="A", seats=("S1", "S2", "S3")),),
        own=tuple(own.items()),
    )


def test_a_kind_has_no_bracket_unless_it_says_so() -> None:
    ladder, plan = Ladder(), plan_of()
    assert ladder.has_table
    assert ladder.matches(plan) == ()
    assert ladder.named_matches(3, plan) == ()
    assert ladder.game_parts(3) == ()
    assert [str(each) for each in ladder.describe(plan, 2)] == ["Ladder: players: 3. Rounds: 2."]


def test_a_stage_is_called_as_its_kind_but_round_robins_are_groups() -> None:
    assert [str(kind.usual_name) for kind in (Ladder(), ROUND_ROBIN)] == ["Ladder", "Groups"]


def test_settings_of_a_kind_alone_have_their_usual_value_unless_given() -> None:
    ladder = Ladder()
    assert ladder.own_settings == (RUNGS, BACK)
    assert [setting.is_flag for setting in ladder.own_settings] == [False, True]
    assert [ladder.value_of(plan_of(), key) for key in ("rungs", "way_back")] == [2, False]
    assert ladder.value_of(plan_of(rungs=5), "rungs") == 5


def test_settings_of_a_kind_alone_are_read_in_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {kind.key: kind for kind in (*STAGE_KINDS, Ladder())}
    monkeypatch.setattr(STAGE_KINDS, "_items", kinds)
    data = make.formula(make.stage("One", "ladder", make.group("A"), rungs=7), lowest=3)
    (stage,) = read_definition(data).stages
    assert stage.own == (("rungs", 7), ("way_back", False))
    data["stages"][0]["rungs"] = 10
    with pytest.raises(BadInput) as refused:
        read_definition(data)
    assert refused.value.sentence.values["field"] == "stages[0].rungs"
