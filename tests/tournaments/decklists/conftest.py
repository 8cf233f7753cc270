"""An event that asks for lists, and the phone of one of its players."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import by_link
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event


@pytest.fixture
def event(by: Actor) -> Event:
    return make.open_event(by, format="creatures-of-exo", decklists="required")


@pytest.fixture
def phone(ada: Entry, by: Actor) -> Client:
    """Return the browser of the first player, in English."""
    return by_link(ada, by)
