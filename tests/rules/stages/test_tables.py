"""Tables in order, but for players with a fixed one."""

import pytest

from rules.stages.tables import tables_for

PAIRS = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


@pytest.mark.parametrize(
    ("fixed", "tables"),
    [
        ({}, (1, 2, 3, 4)),
        ({"h": 1}, (2, 3, 4, 1)),
        ({"d": 12}, (1, 12, 2, 3)),
        ({"a": 3, "b": 2}, (2, 1, 3, 4)),
        ({"a": 3, "e": 3}, (3, 1, 2, 4)),
        ({"a": 3, "e": 3, "f": 4}, (3, 1, 4, 2)),
        ({"nobody": 1}, (1, 2, 3, 4)),
    ],
)
def test_each_pair_has_its_own_table(fixed, tables):
    found = tables_for(PAIRS, fixed)
    assert found == tables
    assert len(set(found)) == len(PAIRS)
