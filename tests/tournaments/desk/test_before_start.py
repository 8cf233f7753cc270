"""The desk before the start: who is here, and whose list is missing."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import read, signed_in, url
from tournaments.players.services.entries import check_in

pytestmark = pytest.mark.django_db


def test_it_says_who_is_here_and_whose_list_is_missing(by) -> None:
    event = make.open_event(by, decklists="required")
    desk: Client = signed_in(by)
    assert "Lists missing" not in read(desk, url("desk", event))
    first, second, _third = make.players(event, 3, by)
    make.hand_in(second, by=by)
    check_in(entry=first, by=by)
    words = " ".join(read(desk, url("desk", event)).split())
    assert "Present: 1 of 3" in words
    assert "Lists missing: 2" in words
    assert "Lists illegal" not in words
