"""Which rounds the public table leaves out."""

import pytest

from rules.events.held_standings import Hold, held_back


@pytest.mark.parametrize(
    ("hold", "rounds", "regular", "released", "held"),
    [
        (Hold.NONE, (1, 2, 3), 3, 0, ()),
        (Hold.ALL, (), 0, 0, ()),
        (Hold.ALL, (1, 2), 2, 0, (1, 2)),
        (Hold.ALL, (1, 2, 3), 3, 2, (3,)),
        (Hold.ALL, (1, 2, 3), 3, 3, ()),
        (Hold.LAST, (1, 2), 2, 0, ()),
        (Hold.LAST, (1, 2, 3), 3, 0, (3,)),
        (Hold.LAST, (1, 2, 3), 3, 2, (3,)),
        (Hold.LAST, (1, 2, 3), 3, 3, ()),
        (Hold.LAST, (1, 2, 3, 4), 3, 0, (3, 4)),
        (Hold.LAST, (1, 2, 3, 4), 3, 3, (4,)),
        (Hold.LAST, (5, 6, 7), 3, 2, (7,)),
    ],
)
def test_held(hold, rounds, regular, released, held):
    found = held_back(hold, rounds, planned=3, regular=regular, released=released)
    assert found == frozenset(held)


def test_a_stage_that_plans_no_round_holds_none_as_its_last():
    assert held_back(Hold.LAST, (1,), planned=0, regular=1, released=0) == frozenset()
