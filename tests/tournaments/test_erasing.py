"""A person erased: no name is left anywhere, and what was played stays as it was.

Safety notes, T55. ``tests/canary.py`` plants the names.
"""

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests import canary
from tests import factories as make
from tournaments.models import Event, GivenAnswer
from tournaments.permissions import Actor
from tournaments.services.erasing.erase import erase_account, erase_player
from tournaments.verification.event import verify_event

LABEL = "Giocatore 2"


def shown(event: Event) -> list[str]:
    """Return standings, ranking and matches as programs read them."""
    pages = ("players", "standings", "ranking", "matches", "tie-breaks")
    urls = [reverse(f"tournaments_api:{name}", args=[event.slug]) for name in pages]
    return [Client().get(url).content.decode() for url in urls]


def renamed(answers: list[str]) -> list[str]:
    """Return what was shown before, with the name that is to stand there now."""
    return [text.replace(canary.NAME, LABEL).replace(canary.CLUB, "") for text in answers]


def answered(by: Actor, name: str) -> None:
    body = {"name": name, "players": [{"name": name}]}
    GivenAnswer.objects.create(user=by.user, key="k", request_hash="h", status=201, body=body)


@pytest.mark.django_db(transaction=True)
def test_a_player_without_account_leaves_no_trace(by: Actor) -> None:
    event = canary.whole_event(by)
    answered(by, canary.NAME)
    before, sound = shown(event), list(verify_event(event))
    everywhere = canary.found_in_rows(*canary.WORDS)
    assert len({at.split(" ")[0] for at in everywhere}) >= 20
    erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    assert canary.found_in_rows(*canary.WORDS) == []
    if connection.vendor == "sqlite":
        content = canary.bytes_of_file().lower()
        assert [word for word in canary.WORDS if word.encode() in content] == []
    assert shown(event) == renamed(before) != before
    assert list(verify_event(Event.objects.get(pk=event.pk))) == sound == []


@pytest.mark.django_db(transaction=True)
def test_an_account_leaves_no_trace_in_any_event(by: Actor) -> None:
    user = canary.person()
    event = canary.whole_event(by, user)
    worked_for = make.started(by, 4)
    canary.helped(worked_for, user, by)
    answered(by, canary.ACCOUNT)
    before = shown(event)
    erase_account(user=user, confirm=canary.ADDRESS.upper())
    assert canary.found_in_rows(*canary.WORDS) == []
    if connection.vendor == "sqlite":
        content = canary.bytes_of_file().lower()
        assert [word for word in canary.WORDS if word.encode() in content] == []
    assert shown(event) == renamed(before)
    for told in (event, worked_for):
        assert list(verify_event(Event.objects.get(pk=told.pk))) == []
    closed = User.objects.get(pk=user.pk)
    assert (closed.is_active, closed.has_usable_password()) == (False, False)
