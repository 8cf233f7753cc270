"""What tests of finished answers share: a reader, and the front before every client."""

import pytest
from django.test import Client
from django.test import client as test_client
from django.utils import timezone

from tests import factories as make
from tests.front import Through, Time, before_client
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.public.page_cache import PageCache


@pytest.fixture
def plain() -> Client:
    """Return a reader without the front."""
    return Client()


@pytest.fixture
def front(plain: Client, monkeypatch: pytest.MonkeyPatch) -> PageCache:
    """Put the front before every client made from now on."""
    found = before_client(Time(timezone.now().timestamp()))
    monkeypatch.setattr(test_client, "ClientHandler", Through)
    return found


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event in its second round."""
    event = make.started(by, 8, formula="swiss-cut")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    return event
