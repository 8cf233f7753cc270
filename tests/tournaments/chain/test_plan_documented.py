"""The plan of an event: ``docs/verifying.md`` names each field of it, and no others."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.formulas import FORMULAS
from rules.formulas.custom import custom_formula
from rules.formulas.examples import EXAMPLES
from rules.plans.places import KINDS
from rules.plans.plan import DOUBLE_ELIMINATION, KNOCKOUT, ROUND_ROBIN, SWISS, FormulaPlan
from tests.chance_events import FORMULAS as PLAYED

DOCS = Path(__file__).resolve().parents[3] / "docs" / "verifying.md"
ROW = re.compile(r"^\| `([a-z_.]+)` \| .+ \|$", re.MULTILINE)
FREE = ("stages.label.values", "stages.own", "holders")
"""Fields whose keys are names, not fields."""


def section() -> str:
    """Return the part of the document about the plan."""
    text = DOCS.read_text().split("### The plan", 1)[1]
    return text.split("\n## ", 1)[0]


def fields(value: Any, path: str = "") -> set[str]:
    """Return the paths of all fields of a plan; those in lists once."""
    if isinstance(value, list):
        return {found for each in value for found in fields(each, path)}
    if not isinstance(value, dict) or path in FREE:
        return set()
    names = {name: f"{path}.{name}".lstrip(".") for name in value}
    return {*names.values()} | {f for name in value for f in fields(value[name], names[name])}


def shipped(key: str) -> list[FormulaPlan]:
    """Return the plans of a shipped formula for the sizes and options that events are played in."""
    sizes, options = PLAYED[key]
    return [FORMULAS.get(key).plan(size, chosen) for size in sizes for chosen in options]


def own() -> list[FormulaPlan]:
    """Return plans of the examples of own formulas, and one of a kind that came as a file.

    That has byes, and another holder of a place of the start.
    """
    plans = [
        custom_formula("own", example.definition(str)).plan(size)
        for example in EXAMPLES
        for size in (example.lowest, example.highest)
    ]
    added = replace(plans[0].stages[0], own=(("rungs", 4),), byes=((1, 2),))
    return [*plans, replace(plans[0], stages=(added,)).with_holders({"S1": 9})]


def test_every_shipped_formula_is_among_those_looked_at() -> None:
    assert set(PLAYED) == {formula.key for formula in FORMULAS}


@pytest.mark.parametrize("key", PLAYED)
def test_each_field_of_a_shipped_plan_is_documented(key: str) -> None:
    found = set().union(*(fields(plan.to_json()) for plan in shipped(key)))
    assert found <= set(ROW.findall(section()))


def test_each_documented_field_exists() -> None:
    plans = [plan for key in PLAYED for plan in shipped(key)] + own()
    found = set().union(*(fields(plan.to_json()) for plan in plans))
    assert set(ROW.findall(section())) == found


def test_each_word_that_a_field_can_hold_is_documented() -> None:
    orders = {stage.order for key in PLAYED for plan in shipped(key) for stage in plan.stages}
    for word in {ROUND_ROBIN, SWISS, KNOCKOUT, DOUBLE_ELIMINATION, *KINDS, *orders}:
        assert f"`{word}`" in section()
