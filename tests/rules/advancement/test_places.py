"""Places as data."""

import pytest

from rules.errors import BadInput
from rules.plans import places
from rules.plans.places import LoserOf, NthAmong, Place, RankOf, WinnerOf, start_places

ALL = [
    RankOf(name="A1", group="A", rank=1),
    NthAmong(name="R1", rank=3, groups=("A", "B", "C"), nth=1),
    WinnerOf(name="W3", match=3),
    LoserOf(name="L3", match=3),
]


@pytest.mark.parametrize("place", ALL, ids=lambda place: place.name)
def test_a_place_survives_being_stored(place: Place) -> None:
    assert places.from_json([places.to_json(place)]) == (place,)


def test_another_kind_is_refused() -> None:
    with pytest.raises(BadInput) as refusal:
        places.from_json([{"kind": "nonsense", "name": "A1"}])
    assert refusal.value.code == "unknown_place"


def test_the_order_of_the_start() -> None:
    assert start_places(3) == ("S1", "S2", "S3")
