"""Callers of the API: programs with a token, people with a session, and everybody at once."""

from collections.abc import Callable
from typing import Any

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from tests.callers import Callers
from tournaments.models import Event, TokenScope


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


@pytest.fixture
def api(program, by) -> APIClient:
    return program(by.user)


@pytest.fixture
def around() -> Callers:
    """Return a running event with everybody around it."""
    return Callers()
