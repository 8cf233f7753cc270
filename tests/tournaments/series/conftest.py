"""Callers of the API of series."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from tournaments.core.permissions import Actor


@pytest.fixture
def client_of() -> Callable[[Actor | None], APIClient]:
    """Return a function that gives a client for an actor, None for nobody."""

    def client(actor: Actor | None) -> APIClient:
        made = APIClient(HTTP_ACCEPT_LANGUAGE="en")
        if actor is not None:
            made.force_login(actor.user)
        return made

    return client


@pytest.fixture
def api(client_of, by) -> APIClient:
    return client_of(by)
