"""The calendar tells of each zone once, for as long as its events last."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone
from icalendar import Calendar, Timezone

from tests import factories as make
from tests.front import Through
from tournaments.models import Event
from tournaments.public.selectors import calendar

pytestmark = pytest.mark.django_db

ROME = "Europe/Rome"
TWELVE = (
    *("Africa/Cairo", "America/Lima", "America/New_York", "America/Santiago", "Asia/Tokyo"),
    *("Asia/Kolkata", "Australia/Sydney", "Europe/London", "Europe/Paris", "Pacific/Auckland"),
    *("Pacific/Honolulu", "Europe/Moscow"),
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Any, ...]]]:
    """Return the definitions of zones that are made: the zone, the first day and the last."""
    found: list[tuple[Any, ...]] = []
    usual = Timezone.from_tzinfo

    def noted(hours: Any, zone: str, first_date: date, last_date: date) -> Timezone:
        found.append((zone, first_date, last_date))
        return usual(hours, zone, first_date=first_date, last_date=last_date)

    calendar.zone_definition.cache_clear()
    monkeypatch.setattr(Timezone, "from_tzinfo", noted)
    yield found
    calendar.zone_definition.cache_clear()


def plant(event: Event, starts_at: str) -> None:
    """Write a moment that no form takes into the row of an event."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {Event._meta.db_table} SET starts_at = %s WHERE id = %s",  # noqa: S608
            [starts_at, event.pk],
        )


def test_twelve_events_of_a_far_year_define_no_zone(client: Client, by, made) -> None:
    for number, zone in enumerate(TWELVE):
        event = make.open_event(by, name=f"Torneo {number}", time_zone=zone)
        plant(event, f"9998-0{1 + number % 9}-05 10:00:00+00:00")
    answer = client.get("/events.ics")
    assert made == []
    assert len(answer.content) < 6_000
    entries = Calendar.from_ical(answer.content).walk("VEVENT")
    assert {entry["dtstart"].dt.utcoffset() for entry in entries} == {timedelta()}
    assert {entry["dtstart"].dt.year for entry in entries} == {9998}
    assert client.get(f"/events/{event.slug}.ics").status_code == 200
    assert made == []


def test_an_event_of_a_far_year_stretches_no_other(client: Client, by, made) -> None:
    make.open_event(by, starts_at=datetime(2031, 7, 5, 8, tzinfo=UTC))
    plant(make.open_event(by, name="Lontano"), "9998-07-05 10:00:00+00:00")
    assert client.get("/events.ics").status_code == 200
    assert made == [(ROME, date(2030, 1, 1), date(2033, 1, 1))]


def test_a_zone_is_told_of_to_a_year_after_its_own_last_event(client: Client, by, made) -> None:
    for zone, year in ((ROME, 2031), (ROME, 2033), ("Asia/Tokyo", 2100)):
        make.open_event(by, starts_at=datetime(year, 7, 5, 8, tzinfo=UTC), time_zone=zone)
    told = Calendar.from_ical(client.get("/events.ics").content)
    assert [str(zone["tzid"]) for zone in told.walk("VTIMEZONE")] == ["Asia/Tokyo", ROME]
    rome = next(zone for zone in told.walk("VTIMEZONE") if zone["tzid"] == ROME)
    changes = {day.dt.year for part in rome.walk("DAYLIGHT") for day in part["rdate"].dts}
    assert max(changes) == 2034
    assert [last for _zone, _first, last in made] == [date(2102, 1, 1), date(2035, 1, 1)]


def test_a_zone_is_made_once_for_all_events_and_requests(client: Client, by, made) -> None:
    soon = timezone.now() + timedelta(days=3)
    events = [make.open_event(by, starts_at=soon, name=f"Torneo {n}") for n in range(5)]
    addresses = ("/events.ics", *(f"/events/{event.slug}.ics" for event in events))
    bodies = {client.get(address).content.count(b"BEGIN:VTIMEZONE") for address in addresses * 2}
    assert bodies == {1}
    assert [zone for zone, _first, _last in made] == [ROME]


@pytest.mark.parametrize(
    "zone",
    [ROME, "Asia/Tokyo", "Africa/Casablanca", "Australia/Lord_Howe", "America/Sao_Paulo"],
)
def test_a_definition_is_that_of_the_library_without_its_search(zone: str, monkeypatch) -> None:
    asked: list[datetime | None] = []
    usual = calendar._ZoneUntilYear.utcoffset

    def counted(self: Any, moment: datetime | None) -> timedelta | None:
        asked.append(moment)
        return usual(self, moment)

    monkeypatch.setattr(calendar._ZoneUntilYear, "utcoffset", counted)
    calendar.zone_definition.cache_clear()
    told = calendar.zone_definition(zone, 2026, 2027)
    whole = Timezone.from_tzinfo(
        ZoneInfo(zone), zone, first_date=date(2025, 1, 1), last_date=date(2029, 1, 1)
    )
    assert told == whole.to_ical()
    assert 0 < len(asked) < 1_000


def test_a_text_is_cut_where_its_page_has_the_whole(client: Client, by) -> None:
    make.open_event(by, starts_at=timezone.now() + timedelta(days=3), about="parola " * 700)
    (entry,) = Calendar.from_ical(client.get("/events.ics").content).walk("VEVENT")
    assert str(entry["description"]).startswith("parola parola")
    assert len(str(entry["description"])) == 1_000


@override_settings(ALLOWED_HOSTS=["testserver"])
def test_eight_invented_ports_cost_one_rendering(by, front) -> None:
    event = make.open_event(by, starts_at=timezone.now() + timedelta(days=3))
    addresses = (
        "/events.ics",
        "/feed/",
        "/",
        f"/events/{event.slug}/",
        f"/events/{event.slug}.ics",
    )
    for port in range(9_000, 9_008):
        for address in addresses:
            answer = Client().get(address, headers={"host": f"testserver:{port}"})
            assert answer.status_code == 200
            assert f":{port}" not in answer.content.decode()
    assert sorted(Through.rendered) == sorted(addresses)
