"""Who saves formulas in these tests: somebody signed in, and the same as a user."""

import pytest

from accounts.models import User
from tests.browsers import signed_in
from tournaments.core.permissions import Actor


@pytest.fixture
def signed(by):
    return signed_in(by)


@pytest.fixture
def owner(by: Actor) -> User:
    assert by.user is not None
    return by.user
