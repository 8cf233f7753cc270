"""The formula in the documentation can be played."""

import json
import re
from pathlib import Path

import pytest

from rules.formulas.custom import custom_formula, faults, read_definition
from rules.formulas.custom.definition import StageDefinition
from rules.stages import STAGE_KINDS
from tests.rules.play import PlayedEvent, lower_wins

PAGE = (Path(__file__).parents[3] / "docs" / "formulas.md").read_text()
(EXAMPLE,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("players", range(9, 14))
def test_the_documented_example_can_be_played(players: int) -> None:
    definition = read_definition(json.loads(EXAMPLE))
    assert faults(definition) == ()
    plan = custom_formula("custom_cup", definition).plan(players)
    event = PlayedEvent(plan, list(range(1, players + 1)))
    event.play(lower_wins)
    assert event.ranking()[0] == (1,)
    assert sorted(p for level in event.ranking() for p in level) == list(event.order)


def test_every_kind_and_setting_is_described() -> None:
    settings = set(StageDefinition.__slots__) - {"name", "kind", "groups", "own"}
    described = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert settings == described
    assert all(f"`{kind.key}`" in PAGE for kind in STAGE_KINDS)
