"""An event in its first round, for whoever looks at a player's page."""

import pytest

from tests import factories as make


@pytest.fixture
def running():
    """Return an event in its first round, its organiser, and the first match."""
    by = make.organiser()
    event = make.playing(by, 4)
    match = event.rounds.get().matches.select_related("round")[0]
    return event, by, match
