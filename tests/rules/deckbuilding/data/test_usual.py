"""What new events of each game begin with."""

import pytest

from rules.deckbuilding.data.files import USUAL, EventDefaults, shipped_rules
from rules.deckbuilding.formats import FORMATS
from rules.formulas.base import shipped_formula
from rules.standings.rank_document import read_stored_points

READY = {one.key: one.usual for one in shipped_rules()}


@pytest.mark.parametrize("key", sorted(USUAL | READY))
def test_what_an_event_begins_with_is_possible(key: str) -> None:
    usual = (USUAL | READY)[key]
    formula = shipped_formula(usual.formula)
    formula.checked(dict(usual.options))
    assert usual.decklists in ("off", "optional", "required")
    assert 0 < usual.minutes <= 600
    if usual.table_points is not None:
        assert formula.of_tables
        read_stored_points(usual.table_points)


def test_every_shipped_format_has_it() -> None:
    assert set(USUAL) <= set(FORMATS.keys())
    assert USUAL["doomtrooper-open"] == EventDefaults(formula="mutant-chronicles", minutes=60)


def test_limited_has_no_lists_and_commander_sits_at_tables() -> None:
    assert READY["magic-limited"].decklists == "off"
    assert READY["magic-commander"].formula == "tables-cut"
