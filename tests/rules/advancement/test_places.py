"""Places as data."""

import pytest

from rules import plans
from rules.json_reader import WrongValue
from rules.plans import LoserOf, NthAmong, Place, RankOf, WinnerOf, start_places

ALL = [
    RankOf(name="A1", group="A", rank=1),
    NthAmong(name="R1", rank=3, groups=("A", "B", "C"), nth=1),
    WinnerOf(name="W3", match=3),
    LoserOf(name="L3", match=3),
]


@pytest.mark.parametrize("place", ALL, ids=lambda place: place.name)
def test_a_place_survives_being_stored(place: Place) -> None:
    assert plans.read_place(plans.to_json(place)) == place


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        ({"kind": "nonsense", "name": "A1"}, "kind"),
        ({"kind": "winner", "name": "A1"}, "match"),
        ({"kind": "winner", "name": "A1", "match": 0}, "match"),
        ({"kind": "winner", "name": "A1", "match": 1, "rank": 1}, "rank"),
        ({"kind": "nth", "name": "A1", "rank": 1, "groups": ["A", 2], "nth": 1}, "groups[1]"),
        ("A1", ""),
    ],
)
def test_what_is_no_place_is_refused(stored: object, path: str) -> None:
    with pytest.raises(WrongValue) as refused:
        plans.read_place(stored)
    assert refused.value.path == path


def test_the_order_of_the_start() -> None:
    assert start_places(3) == ("S1", "S2", "S3")
