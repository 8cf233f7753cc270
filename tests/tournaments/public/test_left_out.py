"""Events that are damaged in their rows: lists leave them out, their pages say so."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests import factories as make
from tournaments.core import draw_origins
from tournaments.events import views
from tournaments.models import Entry, Event
from tournaments.my_events.selectors import my_events_context
from tournaments.public import storage
from tournaments.public.selectors.listed import render_in_lists

pytestmark = pytest.mark.django_db


FAR = "9999-12-31 23:59:59+00:00"
BROKEN: Mapping[str, Mapping[str, Any]] = {
    "unknown zone": {"time_zone": "Nowhere/X"},
    "zone that is a path": {"time_zone": "../../etc/passwd"},
    "far start": {"starts_at": FAR},
    "far opening": {"registration_opens": FAR, "registration_closes": FAR},
    "unknown format": {"format": "no-format"},
    "unknown house format": {"format": "no-format.of-nobody"},
    "unknown formula": {"formula": "no-formula"},
    "formula that is gone": {"formula": "custom_nobody"},
    "unknown state": {"state": "elsewhere"},
    "list for options": {"options": "[]"},
    "nested options": {"options": '{"legs": {"a": [1]}}'},
    "text for options": {"options": '"legs"'},
    "numbers for breaks": {"breaks": "[1]"},
    "break without a time": {"breaks": '[{"at": {}, "minutes": "x"}]'},
    "number for breaks": {"breaks": "5"},
    "numbers for questions": {"questions": "[1]"},
    "text for criteria": {"criteria": "7"},
    "text for warnings": {"warnings": '["x"]'},
    "empty plan": {"plan": "{}"},
    "list for a plan": {"plan": "[1]"},
    "plan without stages": {"plan": '{"players": "x", "stages": [{}]}'},
}
OF_SQLITE: Mapping[str, Mapping[str, Any]] = {
    "NUL in a name": {"name": "Coppa\x00rotta"},
    "NUL in a zone": {"time_zone": "Europe/\x00Rome"},
    "NUL in a format": {"format": "\x00"},
    "options cut off": {"options": '{"legs": '},
    "plan cut off": {"plan": '{"players": 4'},
    "number that is none": {"options": '{"cut": NaN}'},
    "no moment": {"starts_at": "never"},
    "month that is none": {"starts_at": "2026-13-01 10:00:00"},
    "text for a number": {"minutes": "many", "capacity": "many", "points_win": "x"},
    "bytes that are no letters": {"venue": b"\xff\xfe"},
}
"""What PostgreSQL does not take at all."""
FAULTS = BROKEN | (OF_SQLITE if connection.vendor == "sqlite" else {})
EACH_FAULT = [
    pytest.param(name, marks=[pytest.mark.deep] if at % 3 else []) for at, name in enumerate(FAULTS)
]
LISTS = ("/", "/?q=o", "/feed/", "/events.ics", "/api/v1/events/", "/api/v1/events/?search=o")
ADMIN = tuple(
    f"/admin/tournaments/{name}/" for name in ("event", "entry", "staffrole", "match", "logline")
)
GOOD = "Torneo intatto"


@pytest.fixture(autouse=True)
def nothing_known():
    cache.clear()
    draw_origins.logged.clear()


def plant(event: Event, values: Mapping[str, Any]) -> None:
    """Write values into the row of an event, past everything that checks them."""
    columns = ", ".join(f"{connection.ops.quote_name(name)} = %s" for name in values)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")  # JSON, numbers above zero
        try:
            cursor.execute(
                f"UPDATE {Event._meta.db_table} SET {columns} WHERE id = %s",  # noqa: S608 - ours
                [*values.values(), event.pk],
            )
        finally:
            if connection.vendor == "sqlite":  # the tests that follow share the connection
                cursor.execute("PRAGMA ignore_check_constraints = OFF")


@pytest.fixture
def site(by):
    """Return three events that are about to be broken, and a good one."""
    soon = timezone.now() + timedelta(days=3)
    broken = [
        make.played(by, 4, formula="single-group"),
        make.playing(by, 4, formula="single-group"),
        make.open_event(by, starts_at=soon, name="Aperto"),
    ]
    Event.objects.filter(pk__in=[event.pk for event in broken]).update(starts_at=soon)
    good = make.open_event(by, starts_at=soon, name=GOOD)
    player = make.user(person_key="bcdfghjkmnpq")
    Entry.objects.filter(event__in=broken, number=1).update(user=player)
    return broken, good, player


@pytest.mark.deep
@pytest.mark.parametrize("fault", EACH_FAULT)
def test_every_list_leaves_out_what_cannot_be_drawn(by, site, fault: str) -> None:
    """The staff and the administration are told which it is."""
    broken, _good, player = site
    for event in broken:
        plant(event, FAULTS[fault])
    nobody, organiser, reader, boss = Client(), Client(), Client(), Client()
    organiser.force_login(by.user)
    reader.force_login(player)
    boss.force_login(make.user(is_staff=True, is_superuser=True))
    named = {address: words(nobody, address) for address in LISTS}
    mine = words(organiser, "/me/")
    named |= {"staff": mine, "administration": words(boss, ADMIN[0])}
    assert [address for address, told in named.items() if GOOD not in told] == []
    for address in ADMIN[1:]:
        words(boss, address)
    words(nobody, "/people/bcdfghjkmnpq/")
    words(organiser, "/events/new/")
    words(reader, "/me/")
    shown, _heading, damaged = mine.partition("Damaged events")
    for event in broken:
        address = f'href="/events/{event.slug}/"'
        assert f"/event/{event.pk}/" in named["administration"]
        assert address in shown + damaged
        if address in shown and event.state != Event.State.DRAFT:
            assert address in named["/"], "the staff are not told that it is left out"


def words(client: Client, address: str) -> str:
    answer = client.get(address, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_what_every_list_can_show_is_drawn_at_once_or_refused(site) -> None:
    broken, good, _player = site
    assert render_in_lists(good) == good
    for event in broken:
        assert render_in_lists(event) == event
        plant(event, {"time_zone": "Nowhere/X"})
        with pytest.raises(ZoneInfoNotFoundError):
            render_in_lists(Event.objects.get(pk=event.pk))
    assert draw_origins.logged == set()


@pytest.mark.deep
def test_my_events_asks_as_much_for_many_as_for_one(by) -> None:
    """Only a running event's facts are read for each, and cached."""
    user, asked = by.user, []
    make.playing(by, 4, formula="single-group")
    for _number in range(2):
        make.played(by, 4, formula="single-group")
        make.open_event(by)
        make.event(by)
        my_events_context(user)  # winners and last results are known from now on
        with CaptureQueriesContext(connection) as sent:
            assert my_events_context(user)["damaged"] == ()
        asked.append(len(sent))
    assert asked[0] == asked[1] <= 30


def test_a_damaged_event_is_logged_once(site, caplog) -> None:
    (_played, _playing, event), _good, _player = site
    plant(event, {"time_zone": "Nowhere/X"})
    with caplog.at_level(logging.ERROR, "tournaments.drawing"):
        for address in (*LISTS, *LISTS):
            assert Client().get(address).status_code == 200
    (line,) = [each for each in caplog.records if each.name == "tournaments.drawing"]
    assert event.slug in line.getMessage()
    assert "Nowhere/X" in line.getMessage()


def test_a_list_asks_no_more_for_a_row_that_is_whole(by, django_assert_num_queries) -> None:
    make.open_event(by)
    with django_assert_num_queries(1):
        assert (
            len(
                draw_origins.map_readable_rows(draw_origins.readable_rows(Event.objects.all()), str)
            )
            == 1
        )


def test_a_database_that_does_not_answer_is_no_fault_of_a_row(by) -> None:
    def ask(event: Event) -> None:
        raise OperationalError("gone")

    event = make.open_event(by)
    with pytest.raises(OperationalError):
        draw_origins.map_readable_rows([event], ask)
    assert draw_origins.logged == set()


def test_someone_without_events_is_told_so(client: Client) -> None:
    client.force_login(make.user())
    page = client.get("/me/", headers={"Accept-Language": "en"}).content.decode()
    assert "No events yet" in page
    assert "shown" not in page


__all__ = ["nothing_known", "site"]
PAGES = ("", "me/", "manage/", "manage/settings/", "manage/players/", "desk/", "log/")
SENTENCES = {
    "en": "This event’s data is damaged.",
    "it": "I dati di questo evento sono danneggiati.",
}


def reader_of(user, language="en"):
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    client.force_login(user)
    return client


@pytest.mark.deep
@pytest.mark.parametrize("fault", EACH_FAULT)
def test_a_page_of_a_damaged_event_is_shown_or_says_so(site, fault):
    (_played, playing, _open), _good, player = site
    plant(playing, FAULTS[fault])
    for user in (player, playing.created_by):
        client = reader_of(user)
        for page in PAGES:
            answer = client.get(f"/events/{playing.slug}/{page}")
            assert answer.status_code < 500 or SENTENCES["en"] in answer.content.decode(), page


@pytest.mark.parametrize("language", SENTENCES)
def test_it_says_so_in_the_reader_s_language_and_is_logged(site, language, caplog):
    broken = site[0][1]
    plant(broken, {"time_zone": "Nowhere/X"})
    client = reader_of(broken.created_by, language)
    page = client.get(f"/events/{broken.slug}/manage/settings/")
    assert page.status_code == 500
    assert SENTENCES[language] in page.content.decode()
    assert "event_damaged" in page.content.decode()
    assert "Nowhere/X" in caplog.text
    told = client.get(f"/api/v1/events/{broken.slug}/")
    assert (told.status_code, told.json()["code"]) == (500, "event_damaged")


def test_a_fault_of_the_program_is_none_of_the_event(site, monkeypatch):
    def fails(_event):
        raise ValueError

    monkeypatch.setattr(views, "event_settings", fails)
    good = site[1]
    page = reader_of(good.created_by).get(f"/events/{good.slug}/manage/settings/")
    assert page.status_code == 500
    assert "event_damaged" not in page.content.decode()


def test_a_refusal_draws_no_event(site, monkeypatch):
    drawn = []
    monkeypatch.setattr(storage, "render_event", drawn.append)
    good, client = site[1], Client()
    refused = [client.get(f"/events/{good.slug}/{page}").status_code for page in ("r/99/", "x/me/")]
    refused += [reader_of(site[2]).get(f"/events/{good.slug}/manage/").status_code]
    assert set(refused) == {403, 404}
    assert drawn == []
