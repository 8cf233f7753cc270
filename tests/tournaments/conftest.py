"""What tests of events share; each module says what its ``event`` is."""

import pytest

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event


@pytest.fixture
def judge(event: Event) -> Actor:
    """Return a judge of the module's event."""
    return make.staff(event)


@pytest.fixture
def ada(event: Event, by: Actor) -> Entry:
    """Return the first of four players."""
    return make.players(event, 4, by)[0]
