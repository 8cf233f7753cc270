"""A round in play, and its first match."""

import pytest

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match


@pytest.fixture
def event(by: Actor) -> Event:
    return make.playing(by, 12)


@pytest.fixture
def match(event: Event) -> Match:
    return event.rounds.get().matches.select_related("round__event").get(table=1)
