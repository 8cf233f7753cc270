"""The day of a series: what each reader sees of several events, who sits where, and the screen."""

from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test import client as test_client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from tests import factories as make
from tests.browsers import by_link, signed_in
from tests.convention import Convention, hold_convention
from tests.front import Through, Time, before_client
from tournaments.arrivals.photos import check_in_code
from tournaments.clock.services import run_clock
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event
from tournaments.models import Entry, Event, Match, RoundClock
from tournaments.results.services.results import decide_result
from tournaments.series.services import create_series
from tournaments.series.today import events_today, hall_screen_events, list_seats

pytestmark = pytest.mark.django_db
TODAY, SCREEN = "/series/fiera/today/", "/series/fiera/screen/"
HOSTILE = "<script>alert(1)</script> O’Brien"


@pytest.fixture
def fair(by: Actor) -> Convention:
    """Return a convention with two events that run."""
    return hold_convention(by)


def shown(client: Client, path: str = TODAY) -> str:
    answer = client.get(path, headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def lines(text: str) -> list[str]:
    """Return who sits where, a line for each."""
    return text.split("<li data-called=")[1:]


def result(event: Event, by: Actor) -> Match:
    match = event.rounds.get().matches.order_by("table").first()
    return decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)


def begin(event: Event, by: Actor) -> None:
    run_clock(event=event, ordinal=1, action="start", by=by)
    event.refresh_from_db()


def test_anybody_sees_what_runs_and_what_begins(fair, client):
    text = shown(client)
    for event in fair.events:
        assert f"/events/{event.slug}/" in text
    assert "Swiss rounds · round 1 of 4" in text
    assert "Still open: 6 / 6" in text
    assert "Still open: 4 / 4" in text
    for words in ("Tables finished", "/desk/", "/series/fiera/arrivals/", "/series/fiera/screen/"):
        assert words not in text


def test_its_staff_sees_the_next_step_of_each_event(fair, by):
    text = shown(signed_in(by))
    assert "Tables finished: 0 of 6" in text
    for words in (f"/events/{fair.alba.slug}/desk/", f"/events/{fair.cena.slug}/manage/arrivals/"):
        assert words in text
    assert "/series/fiera/arrivals/" in text
    assert SCREEN in text


def test_staff_of_one_event_sees_the_others_as_everybody(fair):
    text = shown(signed_in(make.staff(fair.borea)))
    assert f"/events/{fair.borea.slug}/floor/" in text
    assert f"/events/{fair.alba.slug}/floor/" not in text
    assert "Still open: 6 / 6" in text
    assert "/series/fiera/arrivals/" not in text


@pytest.mark.deep
def test_a_draft_never_appears(fair, by, client):
    for reader in (client, signed_in(by)):
        for path in (TODAY, f"{TODAY}?seats=1", SCREEN, "/today/", "/today/screen/"):
            assert fair.draft.name not in shown(reader, path)
    api = client.get("/api/v1/series/fiera/today/").json()
    assert [one["slug"] for one in api["events"]] == [event.slug for event in fair.events]


@pytest.mark.deep
def test_events_of_other_days_are_left_out_unless_they_run(by):
    day = {"starts_at": timezone.now() - timedelta(days=3)}
    running = make.playing(by, 4, formula="single-group", **day)
    over = make.played(by, 4, formula="single-group", **day)
    coming = make.open_event(by, starts_at=timezone.now() + timedelta(days=3))
    assert events_today([running, over, coming]) == [running]


def test_today_is_the_day_where_the_event_is(by, monkeypatch):
    now = datetime(2026, 11, 20, 20, tzinfo=UTC)
    near = make.open_event(by, time_zone="Pacific/Auckland", starts_at=now - timedelta(hours=1))
    late = make.open_event(
        by, time_zone="Europe/Rome", starts_at=now + timedelta(hours=3, minutes=30)
    )
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert events_today([near, late]) == [near]


# --- Who sits where -------------------------------------------------------------------------
def test_a_name_is_found_in_all_events_with_table_and_opponent(fair, client):
    found = lines(shown(client, f"{TODAY}?find=ad"))
    seats = [seat for seat in list_seats([*fair.events]) if seat.entry.name == "Ada"]
    assert len(found) == len(seats) == 4
    for line, seat in zip(found[:2], seats[:2], strict=True):
        assert f"Table {seat.row.table}" in line
        assert seat.others[0].name in line
        assert f"{seat.event.name} · Round 1" in line.replace("</bdi>", "").replace("<bdi>", "")
    assert "Table" not in found[2]
    assert len(lines(shown(client, f"{TODAY}?seats=1"))) == 12 + 8 + 6 + 3


def test_nobody_of_that_name(fair, client):
    assert "No player has this name." in shown(client, f"{TODAY}?find=zzz")


def test_the_code_of_the_door_finds_its_player(fair, client):
    entry = fair.alba.entries.get(number=3)
    code = f"https://girone.example/events/{fair.alba.slug}/arrive/{check_in_code(entry)}/"
    found = lines(shown(client, f"{TODAY}?find={code}"))
    assert len(found) == 1
    assert entry.name in found[0]
    forged = code.replace(check_in_code(entry), "x" * 20)
    assert not lines(shown(client, f"{TODAY}?find={forged}"))


def test_a_player_sees_their_seats_without_looking(fair, by):
    entry = fair.borea.entries.get(number=2)
    found = lines(shown(by_link(entry, by)))
    assert [entry.name in line and fair.borea.name in line for line in found] == [True]
    user = make.user()
    Entry.objects.filter(number=1, event__in=[fair.alba, fair.cena]).update(user=user)
    found = lines(shown(signed_in(Actor(user=user))))
    assert [fair.alba.name in found[0], fair.cena.name in found[1], len(found)] == [True, True, 2]


@pytest.mark.deep
def test_who_has_a_bye_or_no_match_is_told_so(by, client):
    event = make.playing(by, 5, formula="swiss-cut", starts_at=timezone.now())
    seats = list_seats([event])
    bye = next(seat for seat in seats if seat.row and not seat.row.table)
    create_series(values={"name": "Fiera", "slug": "fiera", "events": [event.slug]}, by=by)
    assert bye.row.result in lines(shown(client, f"{TODAY}?find={bye.entry.name}"))[0]


@pytest.mark.deep
def test_hostile_names_stay_text(by, client):
    event = make.open_event(by, name=HOSTILE, venue='"><img src=x>')
    make.players_more(event, [HOSTILE, *"ABC"], by)
    change_event(event=event, changes={"starts_at": timezone.now()}, by=by)
    create_series(values={"name": HOSTILE, "slug": "fiera", "events": [event.slug]}, by=by)
    for reader in (client, signed_in(by)):
        for path in (
            *(TODAY, f"{TODAY}?seats=1", f"{TODAY}?find=%3Cscript%3E", SCREEN),
            *(
                "/today/?venue=%22%3E%3Cimg%20src%3Dx%3E",
                "/series/fiera/arrivals/",
                "/today/?venue=%00",
            ),
        ):
            answer = reader.get(path)
            assert b"<script>alert" not in answer.content, path
            assert b"<img src=x>" not in answer.content, path


# --- A venue --------------------------------------------------------------------------------
def test_an_event_leads_to_its_venue_and_the_series_to_its_day(fair, client):
    assert "/today/?venue=Palazzetto" in shown(client, f"/events/{fair.alba.slug}/")
    assert f'href="{TODAY}"' in shown(client, "/series/fiera/events/")


@pytest.mark.deep
def test_a_venue_shows_its_public_events_of_the_day(fair, by, client):
    elsewhere = make.playing(by, 4, formula="single-group", venue="Altrove", name="Fuori")
    text = shown(client, "/today/?venue=PALAZZETTO")
    assert all(f"/events/{event.slug}/" in text for event in fair.events)
    assert elsewhere.slug not in text
    assert elsewhere.slug in shown(client, "/today/")
    change_event(event=fair.alba, changes={"listed": False}, by=by)
    assert f"/events/{fair.alba.slug}/" not in shown(client, "/today/?venue=Palazzetto")
    assert "No events today" in shown(client, "/today/?venue=Nessuno")


# --- The screen -----------------------------------------------------------------------------
def test_the_screen_shows_timers_tables_and_names(fair, by, client):
    result(fair.alba, by)
    text = shown(client, SCREEN)
    assert "Still open: 5 / 6" in text
    assert "Still open: 4 / 4" in text
    assert text.count('data-part="day"') == 3
    assert text.count("50:00") == 4  # above each page, and on the first


def test_names_give_way_once_the_round_runs(fair, by):
    begin(fair.alba, by)
    names = [bool(one.names) for one in hall_screen_events([*fair.events])]
    assert names == [True, True, False, False]
    begun = timezone.now() - timedelta(seconds=181)
    RoundClock.objects.update(since=begun, ticks=None, machine="")
    names = [bool(one.names) for one in hall_screen_events([*fair.events])]
    assert names == [False, True, False, False]


# --- Programs, queries, kept pages ----------------------------------------------------------
def test_programs_are_told_the_same(fair, by):
    api: Any = APIClient()
    begin(fair.alba, by)
    result(fair.alba, by)
    alba, borea, cena, _duna = api.get("/api/v1/series/fiera/today/").json()["events"]
    assert (alba["round"], alba["tables"], alba["missing"]) == (1, 6, 5)
    assert alba["clock"]["state"] == "running"
    assert 2990 <= alba["clock"]["remaining"] <= 3000
    assert (borea["missing"], borea["clock"]["state"]) == (4, "ready")
    assert (cena["state"], cena["round"], cena["clock"], cena["tables"]) == (
        *("registration", None, None, 0),
    )
    seats = api.get("/api/v1/series/fiera/seats/?name=ad").json()["seats"]
    assert [(one["event"], one["name"]) for one in seats] == [
        (event.slug, "Ada") for event in fair.events
    ]
    assert seats[0]["table"]
    assert len(seats[0]["against"]) == 1
    assert (seats[2]["table"], seats[2]["round"], seats[2]["against"]) == (None, None, [])
    assert len(api.get("/api/v1/series/fiera/seats/").json()["seats"]) == 12 + 8 + 6 + 3


@pytest.mark.deep
def test_queries_do_not_grow_with_players(by, client):
    counts = []
    for slug, players in (("small", 4), ("large", 40)):
        hold_convention(by, players, slug)
        made = []
        for path in ("today/", "today/?seats=1", "screen/", "arrivals/"):
            reader = signed_in(by) if path == "arrivals/" else client
            with CaptureQueriesContext(connection) as found:
                shown(reader, f"/series/{slug}/{path}")
            made.append(len(found))
        counts.append(made)
    assert counts[0] == counts[1]


@pytest.mark.parametrize("path", [TODAY, SCREEN, "/today/?venue=Palazzetto"])
def test_kept_pages_follow_each_act_of_their_events(fair, by, monkeypatch, path):
    front = before_client(Time(timezone.now().timestamp()))
    monkeypatch.setattr(test_client, "ClientHandler", Through)
    reader = Client()
    assert "Still open: 6 / 6" in shown(reader, path)
    rendered = len(Through.rendered)
    assert "Still open: 6 / 6" in shown(reader, path)
    assert len(Through.rendered) == rendered
    result(fair.alba, by)
    front.now.at += 5
    assert "Still open: 5 / 6" in shown(reader, path)


def test_all_phones_share_one_list_of_seats(fair, monkeypatch):
    before_client(Time(timezone.now().timestamp()))
    monkeypatch.setattr(test_client, "ClientHandler", Through)
    found = {shown(Client(), f"{TODAY}?seats=1") for _phone in range(3)}
    assert len(found) == 1
    assert len(Through.rendered) == 1
