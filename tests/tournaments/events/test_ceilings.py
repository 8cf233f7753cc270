"""Ceilings: what one account may hold, what a refusal says, and who has none."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.tokens import create_api_token
from decks.cards.files import CardData
from decks.cards.services import load_cards
from decks.house_formats.services import create_house_format
from decks.models import Catalogue, HouseFormat
from rules.errors import BadInput
from tests import factories as make
from tests.browsers import signed_in
from tournaments.archive.reader import count_restored_bytes, restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.events.services import delete_event
from tournaments.models import Event, Restoration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def low(settings):
    """Set ceilings that a test reaches with a few rows."""
    settings.CEILINGS = {
        "events": 3,
        "events_an_hour": 2,
        "restores_a_day": 2,
        "formats": 1,
        "catalogues": 1,
        "megabytes": 1,
    }


def refused(act, *args, **values) -> str:
    with pytest.raises(BadInput) as found:
        act(*args, **values)
    return found.value.code


def many_cards(count: int) -> list[CardData]:
    """Return cards that take some 300 characters each."""
    empty = dict.fromkeys(("key_en", "name_en", "kind", "genus", "expansion", "number"), "")
    names = [f"carta {number} {'x' * 140}" for number in range(count)]
    more = empty | {"max_copies": None, "attributes": {}}
    return [CardData(key=name, name=name, **more) for name in names]


def earlier(hours=2):
    Event.objects.update(created_at=timezone.now() - timedelta(hours=hours))


def test_events_that_have_not_started_are_counted_and_those_of_an_hour(by):
    make.event(by), make.event(by)
    assert refused(make.event, by) == "too_many_events"
    earlier()
    make.event(by)
    earlier()
    assert refused(make.event, by) == "too_many_events"
    Event.objects.first().delete()
    make.event(by)


@pytest.mark.deep
def test_started_events_do_not_count(by):
    make.started(by, 3)
    make.playing(by, 3)
    earlier()
    make.event(by)
    assert Event.objects.count() == 3


@pytest.mark.parametrize("values", [{"is_staff": True}, {"ceiling_factor": 0}])
def test_who_has_no_ceiling(by, values):
    User.objects.filter(pk=by.user.pk).update(**values)
    by.user.refresh_from_db()
    for _event in range(4):
        make.event(by)
    assert Event.objects.count() == 4


def test_another_ceiling_is_a_multiple_of_the_usual(by):
    User.objects.filter(pk=by.user.pk).update(ceiling_factor=2)
    by.user.refresh_from_db()
    for _event in range(4):
        make.event(by)
    assert refused(make.event, by) == "too_many_events"


@pytest.mark.deep
def test_archives_of_a_day_and_what_they_take(settings):
    by, caller = make.organiser(), make.user()
    content = event_archive(make.started(by, 3))
    restore_archive(content, slug="one", caller=caller)
    assert refused(restore_archive, b"{}", caller=caller) == "archive_invalid"
    settings.CEILINGS["megabytes"] = 0
    assert refused(restore_archive, content, slug="two", caller=caller) == "too_much_stored"
    settings.CEILINGS["megabytes"] = 1
    restore_archive(content, slug="two", caller=caller)
    assert refused(restore_archive, content, slug="three", caller=caller) == "too_many_restores"
    assert Event.objects.filter(slug="three").count() == 0
    Restoration.objects.update(at=timezone.now() - timedelta(days=1, hours=1))
    restore_archive(content, slug="three", caller=caller)


def test_events_of_an_hour_count_when_they_are_deleted(by, django_capture_on_commit_callbacks):
    for _event in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            delete_event(event=make.event(by), by=by)
    assert refused(make.event, by) == "too_many_events"


@pytest.mark.deep
def test_archives_of_a_day_count_when_their_events_are_deleted():
    by, caller = make.organiser(), make.user()
    content = event_archive(make.event(by))
    for slug in ("one", "two"):
        delete_event(
            event=restore_archive(content, slug=slug, caller=caller), by=Actor(user=caller)
        )
    assert refused(restore_archive, content, slug="three", caller=caller) == "too_many_restores"
    assert count_restored_bytes(caller) == 0


def test_a_restored_draft_is_one_event_more(by, settings):
    caller = make.user()
    content = event_archive(make.event(by))
    settings.CEILINGS["events"] = 1
    restore_archive(content, slug="one", caller=caller)
    assert refused(restore_archive, content, slug="two", caller=caller) == "too_many_events"


def test_house_formats():
    by = make.user()
    create_house_format(base="thoom", name="Mio", changes={}, by=by)
    again = {"base": "thoom", "name": "Altro", "changes": {}, "by": by}
    assert refused(create_house_format, **again) == "too_many_formats"
    assert HouseFormat.objects.filter(owner=by).count() == 1


@pytest.mark.deep
def test_catalogues_and_what_they_take(settings):
    owner = make.user()
    cards = many_cards(20)
    load_cards(game="thoom", cards=cards, owner=owner)
    load_cards(game="thoom", cards=cards[:5], owner=owner)
    assert refused(load_cards, game="yugioh", cards=cards, owner=owner) == "too_many_catalogues"
    assert Catalogue.objects.filter(owner=owner).count() == 1
    settings.CEILINGS |= {"catalogues": 2, "megabytes": 0}
    many = many_cards(4000)
    assert refused(load_cards, game="yugioh", cards=many, owner=owner) == "too_much_stored"
    load_cards(game="yugioh", cards=cards)
    assert Catalogue.objects.get(owner=None).cards.count() == 20


def test_pages_and_programs_say_which_and_how_to_go_on(by):
    make.event(by), make.event(by)
    token = create_api_token(by.user, 1)[1]
    values = {
        "name": "Terzo",
        "format": "thoom",
        "formula": "single-group",
        "starts_at": "2026-12-05T10:00",
    }
    answer = Client().post(
        "/api/v1/events/",
        values,
        content_type="application/json",
        headers={"authorization": f"Token {token}", "accept-language": "it"},
    )
    assert answer.status_code == 400
    assert answer.json()["code"] == "too_many_events"
    assert "2 eventi all’ora" in answer.json()["detail"]
    new, client = reverse("tournaments:event-new"), signed_in(by)
    form = client.get(f"{new}?format=thoom").context["form"]
    sent = {bound.html_name: bound.value() for bound in form}
    sent = {name: value for name, value in sent.items() if value is not None}
    sent |= {"name": "Terzo", "starts_at": "2026-12-05T10:00"}
    page = client.post(
        f"{new}?format=thoom", sent, headers={"accept-language": "it"}
    ).content.decode()
    assert "2 eventi all’ora" in page
    assert 'value="Terzo"' in page
    assert Event.objects.count() == 2


def test_a_program_of_the_operator_has_no_ceiling(capsys):
    call_command("api_token", "robot", "--create")
    assert User.objects.get(email="robot@girone.invalid").ceiling_factor == 0
    call_command("api_token", "robot@girone.invalid")
    assert User.objects.get(email="robot@girone.invalid").ceiling_factor == 0


def test_programs_of_before_have_none_and_people_the_usual():
    program = User.objects.create_user("robot@girone.invalid", name="robot")
    person = make.user()
    User.objects.update(ceiling_factor=1)
    import_module("accounts.migrations.0006_ceiling_factor").no_ceiling_for_programs(apps, None)
    program.refresh_from_db(), person.refresh_from_db()
    assert (program.ceiling_factor, person.ceiling_factor) == (0, 1)
