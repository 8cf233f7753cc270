"""What tests of events share; each module says what its ``event`` is."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event


@pytest.fixture
def judge(event: Event) -> Actor:
    """Return a judge of the module's event."""
    return make.staff(event)


@pytest.fixture
def signed(by: Actor) -> Client:
    """Return the organiser's browser, in English."""
    return signed_in(by)


@pytest.fixture
def ada(event: Event, by: Actor) -> Entry:
    """Return the first of four players."""
    return make.players(event, 4, by)[0]
