"""Ready-made orders of criteria: each can be used as it is."""

import pytest

from rules.criteria import CRITERIA
from rules.criteria.presets import PRESETS, Preset
from rules.standings.table import DEFAULT_CRITERIA, rank

EVERY = pytest.mark.parametrize("preset", list(PRESETS), ids=lambda preset: preset.key)


@EVERY
def test_every_key_is_registered_once_and_lots_are_last(preset: Preset) -> None:
    assert all(key in CRITERIA for key in preset.criteria)
    assert len(set(preset.criteria)) == len(preset.criteria)
    assert "lots" not in preset.criteria[:-1]
    assert preset.criteria[0] == "points"


@EVERY
def test_players_can_be_ranked_by_it(preset: Preset) -> None:
    found = rank(players=(1, 2), results=(), criteria=preset.criteria)
    assert [row.rank for row in found.rows] == [1, 1]


def test_doomtrooper_is_the_usual_order() -> None:
    assert PRESETS.get("doomtrooper").criteria == DEFAULT_CRITERIA


def test_the_orders_differ() -> None:
    assert len({preset.criteria for preset in PRESETS}) == len(list(PRESETS))
