"""Fixtures of the second factor: a stopped clock, and somebody to sign in."""

from types import SimpleNamespace

import pytest

from tests import factories as make
from tests.accounts.second_factor.app import NOW


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Stop the clock of the codes; return what sets it."""

    def move(seconds):
        stopped = SimpleNamespace(time=lambda: NOW + seconds)
        monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", stopped)

    move(0)
    return move


@pytest.fixture
def anna():
    return make.user("anna@example.org")
