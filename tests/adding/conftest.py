"""The organiser of events with what is invented: a browser and a program."""

import pytest
from django.test import Client
from knox.models import AuthToken
from rest_framework.test import APIClient

from tests.browsers import signed_in
from tournaments.core.permissions import Actor


@pytest.fixture
def client_of(by: Actor) -> Client:
    """Return the organiser's browser."""
    return signed_in(by)


@pytest.fixture
def program(by: Actor) -> APIClient:
    """Return the organiser's program."""
    _token, secret = AuthToken.objects.create(user=by.user)
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {secret}", HTTP_ACCEPT_LANGUAGE="en")
    return program
