"""How somebody who withdrew has left."""

import pytest

from rules.events.lifecycle import Departure, departure_of, was_played
from rules.results import EndedBy


@pytest.mark.parametrize(
    ("ended_by", "scored", "played"),
    [
        (EndedBy.PLAYED, False, True),
        (EndedBy.TIME, True, True),
        (EndedBy.CONCESSION, True, True),
        (EndedBy.CONCESSION, False, False),
        (EndedBy.NO_SHOW, False, False),
        (EndedBy.BYE, False, False),
        (EndedBy.DOUBLE_LOSS, False, False),
        (EndedBy.PENALTY, False, False),
    ],
)
def test_a_match_is_played_at_the_table(ended_by: EndedBy, scored: bool, played: bool) -> None:
    assert was_played(ended_by, scored=scored) is played


def test_what_was_said_comes_before_what_was_played() -> None:
    assert departure_of("", played=False) is Departure.NO_SHOW
    assert departure_of("", played=True) is Departure.DROPPED
    assert departure_of("dropped", played=False) is Departure.DROPPED
    assert departure_of("no_show", played=True) is Departure.NO_SHOW
