"""What tests of house formats share: one of them, its owner, and who looks at pages."""

import pytest
from django.test import Client

from accounts.models import User
from decks.house_formats.services import create_house_format
from decks.models import HouseFormat
from tests import factories as make

EXO = "creatures-of-exo"
SMALL = {"zones": {"main": {"minimum": 20, "maximum": 20}}, "limits": {"copies": 3}}


@pytest.fixture
def owner() -> User:
    return make.user()


@pytest.fixture
def house(owner: User) -> HouseFormat:
    return create_house_format(base=EXO, name="Lega veloce", changes=SMALL, by=owner)


def browser(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client
