"""What tests of events share; a module says what its ``event`` is if it is not that of twelve."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Match


@pytest.fixture
def event(by: Actor) -> Event:
    """Return a running event of twelve without a round."""
    return make.started(by, 12)


@pytest.fixture
def match(event: Event, by: Actor) -> Match:
    """Return the match at table 1 of the first round, which is made."""
    return make.next_round(event, by).matches.get(table=1)


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
