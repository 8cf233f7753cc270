"""Callers of the API of series."""

from collections.abc import Callable
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from tournaments.core.permissions import Actor
from tournaments.models import Event, TokenScope


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


@pytest.fixture
def program() -> Callable[..., APIClient]:
    """Return a function that gives a client with a user's token, scoped where a level is given."""

    def with_token(user: Any, level: str = "", event: Event | None = None) -> APIClient:
        token, secret = AuthToken.objects.create(user=user)
        if level:
            TokenScope.objects.create(token=token, level=level, event=event)
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {secret}", HTTP_ACCEPT_LANGUAGE="en")
        return client

    return with_token
