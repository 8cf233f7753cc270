"""Contacts are in an archive only where it was asked for with them, and come back from it."""

import json
from typing import Any

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from rules.errors import BadInput
from tests import factories as make
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Contact, Event
from tournaments.players.services import departures
from tournaments.players.services.contacts import change_contact

pytestmark = pytest.mark.django_db
FULL = {"email": "zibibbo@example.org", "memberships": {"konami": "ZB-0123"}}
ROW = {"player": 1, **FULL}


@pytest.fixture
def event(by: Actor) -> Event:
    event = make.open_event(by)
    make.players(event, 2, by)
    change_contact(entry=event.entries.get(number=1), **FULL, by=by)
    event.refresh_from_db()
    return event


def restored(document: dict[str, Any]) -> Event:
    return restore_archive(json.dumps(document).encode(), slug="anew")


def test_it_is_there_only_for_who_asks_and_comes_back(event: Event, by: Actor) -> None:
    api = APIClient()
    api.force_authenticate(by.user)
    address = reverse("tournaments_api:archive", args=[event.slug])
    assert b"zibibbo" not in api.get(address).content
    whole = json.loads(api.get(address, {"contacts": "1"}).content)
    assert whole["contacts"] == [{**ROW, "later_since": None}]
    again = restored(whole)
    (found,) = Contact.objects.filter(entry__event=again)
    assert (found.entry.number, found.email) == (1, FULL["email"])
    assert found.memberships == FULL["memberships"]
    api.force_authenticate(make.staff(event, "judge").user)
    assert api.get(address, {"contacts": "1"}).status_code == 403


@pytest.mark.deep
def test_an_archive_of_before_brings_back_nobody_who_was_erased(event: Event, by: Actor) -> None:
    whole = json.loads(event_archive(event, contacts=True))
    departures.withdraw(entry=event.entries.get(number=1), reason="", by=by)
    erase_player(event=Event.objects.get(), number=1, confirm="Ada", by=by)
    restored(whole)
    assert not Contact.objects.exists()


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ({}, "contacts"),
        ([{**ROW, "player": 9}], "contacts[0].player"),
        ([ROW, ROW], "contacts[1].player"),
        ([{**ROW, "email": "zibibbo"}], "contacts[0]"),
        ([{**ROW, "memberships": {"konami": 7}}], "contacts[0].memberships"),
        ([ROW, {**ROW, "player": 2}], "contacts"),
    ],
)
def test_contacts_that_are_none_are_refused(event: Event, rows: object, path: str) -> None:
    whole = json.loads(event_archive(event)) | {"contacts": rows}
    with pytest.raises(BadInput) as refused:
        restored(whole)
    assert str(refused.value.sentence.values["path"]).startswith(path)
    assert Event.objects.count() == 1
