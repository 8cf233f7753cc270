"""The list of events: progress, last results, winners, filters; the calendar and the feed."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar, Timezone

from rules.events.clock import ClockAction
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import read
from tests.front import Through
from tournaments.clock.services import run_clock
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import EventFilters
from tournaments.models import Event
from tournaments.players.services.entries import change_entry
from tournaments.public.page_cache import PageCache
from tournaments.public.selectors import calendar
from tournaments.public.selectors.listed import last_results, listed_events, parse_filters
from tournaments.public.selectors.upcoming_event import stage_path
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import decide_result
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


def names(filters):
    found = listed_events(Actor(), filters=filters)
    return {item.card.event.name for item in (*found["running"], *found["coming"], *found["past"])}


def test_a_running_event_says_how_far_it_is(by) -> None:
    event = make.playing(by, 4, formula="single-group")
    (item,) = listed_events(Actor())["running"]
    assert item.progress is not None
    assert (item.progress.missing, item.progress.tables, item.progress.percent) == (2, 2, 2)
    make.play_round(event.rounds.get(), by)
    (item,) = listed_events(Actor())["running"]
    assert item.progress is not None
    assert (item.progress.missing, item.progress.percent, item.progress.over) == (0, 33, False)
    make.play_stage(event, by)
    (item,) = listed_events(Actor())["running"]
    assert item.progress is not None
    assert item.progress.over
    page = read(Client(), "/")
    assert "All matches have been played" in page
    assert "All results are in." not in page


@pytest.mark.deep
@pytest.mark.parametrize(
    ("players", "more"),
    [
        (4, {"formula": "single-group"}),
        (8, {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 4}}),
        (12, {"formula": "mutant-chronicles"}),
    ],
)
def test_the_card_counts_rounds_as_the_events_own_page_does(by, players, more) -> None:
    event = make.playing(by, players, **more)
    make.play_round(event.rounds.get(), by)
    make.next_round(event, by)
    (item,) = listed_events(Actor())["running"]
    assert item.progress is not None
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    path = stage_path(facts)
    assert path is not None
    (now,) = (step.words for step in path.steps if step.state == "now")
    assert now.startswith("turno 2 di ")
    assert item.progress.words.endswith(f" · {now}")


@pytest.mark.deep
@pytest.mark.parametrize("formula", ["single-elimination", "double-elimination"])
def test_the_card_names_the_round_of_a_bracket_as_the_events_own_page_does(by, formula) -> None:
    event = make.playing(by, 8, formula=formula)
    for _round in range(2):
        (item,) = listed_events(Actor())["running"]
        path = stage_path(load_facts(Event.objects.get(pk=event.pk), for_staff=False))
        assert path is not None
        (now,) = (step.words for step in path.steps if step.state == "now")
        assert item.progress is not None
        assert item.progress.words == now
        make.play_round(event.rounds.last(), by)
        make.next_round(event, by)


def test_the_card_of_a_running_event_shows_its_clock(by) -> None:
    event = make.playing(by, 4, formula="single-group")

    def shown():
        return listed_events(Actor())["running"][0].progress.clock

    assert (bool(shown().face), shown().until) == (True, None)
    with CaptureQueriesContext(connection) as ready:
        listed_events(Actor())
    run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    shown()  # the log has grown: the last result is looked for once more
    with CaptureQueriesContext(connection) as running:
        clock = shown()
    assert len(running) == len(ready)
    assert timedelta(minutes=49) < clock.until - timezone.now() <= timedelta(minutes=50, seconds=1)
    card = Client().get("/").content.decode()
    assert card.count("data-until=") == 1
    run_clock(event=event, ordinal=1, action=ClockAction.PAUSE, by=by)
    assert (bool(shown().face), shown().until) == (True, None)
    make.play_round(event.rounds.get(), by)
    assert shown() is None, "nobody is playing"


def test_no_time_limit_is_said_on_the_card(by) -> None:
    event = make.playing(by, 4, formula="single-group")
    event.plan["stages"][0]["timed"] = False
    event.save()
    assert listed_events(Actor())["running"][0].progress.clock.words == "Senza limite di tempo"


@pytest.mark.deep
def test_a_past_event_tells_the_score_of_its_final_the_winners_first(by) -> None:
    def b_wins(match, _index):
        return Claim(score=(1, 2))

    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_event(event, by, b_wins)
    (item,) = listed_events(Actor())["past"]
    assert (item.score, bool(item.second)) == ("2–1", True)
    page = Client().get("/").content.decode()
    assert '<b class="final-score">2–1</b>' in page


@pytest.mark.deep
def test_a_past_event_names_its_winner_and_asks_once(by) -> None:
    ended = make.started(by, 4, formula="single-group", name="Past")
    make.play_event(ended, by)
    with CaptureQueriesContext(connection) as first:
        (item,) = listed_events(Actor())["past"]
    assert len(item.winners) == 1
    assert item.second
    with CaptureQueriesContext(connection) as again:
        assert listed_events(Actor())["past"][0].winners == item.winners
    assert len(again) <= 5 < len(first)


@pytest.mark.deep
def test_a_new_name_of_the_winner_is_shown(by) -> None:
    ended = make.started(by, 4, formula="single-group")
    make.play_event(ended, by)
    (before,) = listed_events(Actor())["past"]
    Event.objects.filter(pk=ended.pk).update(head="a" * 64)
    ended.entries.filter(name=before.winners[0]).update(name="Renamed")
    assert listed_events(Actor())["past"][0].winners == ("Renamed",)


def test_the_list_is_narrowed_by_words_game_place_and_month(by) -> None:
    make.open_event(by, name="Alba", venue="Sala Blu", format="doomtrooper-original")
    make.open_event(
        by,
        name="Bosco",
        venue="Club",
        format="creatures-of-exo",
        formula="single-group",
        starts_at=datetime(2031, 12, 31, 22, 30, tzinfo=UTC),
    )
    assert names(EventFilters()) == {"Alba", "Bosco"}
    assert names(EventFilters(words="alb")) == {"Alba"}
    assert names(EventFilters(words="blu")) == {"Alba"}
    assert names(EventFilters(place="club")) == {"Bosco"}
    assert names(EventFilters(game="creatures-of-exo")) == {"Bosco"}
    assert names(EventFilters(game="no-game")) == set()
    assert names(parse_filters({"month": "2031-12"})) == {"Bosco"}
    assert names(parse_filters({"month": "2032-01"})) == set()


@pytest.mark.parametrize("month", ["2031-13", "9999-12", "0000-01", "x", "2031", "--", "²-1"])
def test_a_month_that_is_none_counts_as_not_asked_for(month: str) -> None:
    assert parse_filters({"month": month}).month is None


def test_nothing_found_says_so_and_leads_back(client: Client, by) -> None:
    make.open_event(by, name="Alba")
    page = client.get("/?q=nowhere", headers={"Accept-Language": "en"}).content.decode()
    assert "No events found" in page
    assert "Alba" not in page


def test_an_events_calendar_has_its_zone_and_place(client: Client, by) -> None:
    starts = datetime(2031, 7, 5, 8, 0, tzinfo=UTC)
    event = make.open_event(by, name="Alba, sera; notte", venue="Sala", starts_at=starts)
    answer = client.get(f"/events/{event.slug}.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    made = Calendar.from_ical(answer.content)
    (entry,) = made.walk("VEVENT")
    assert str(entry["summary"]) == "Alba, sera; notte"
    assert entry["dtstart"].params["TZID"] == "Europe/Rome"
    assert entry["dtstart"].dt == starts
    assert entry["dtstart"].dt.hour == 10
    assert str(entry["url"]) == f"http://testserver/events/{event.slug}/"
    assert [str(zone["tzid"]) for zone in made.walk("VTIMEZONE")] == ["Europe/Rome"]
    assert len(answer.content) < 2_000


def test_calendar_and_feed_tell_of_public_events_only(client: Client, by) -> None:
    make.open_event(by, name="Coming", starts_at=timezone.now() + timedelta(days=3))
    make.open_event(by, name="Long past", starts_at=timezone.now() - timedelta(days=90))
    make.event(by, name="Draft", starts_at=timezone.now() + timedelta(days=3))
    made = Calendar.from_ical(client.get("/events.ics").content)
    assert [str(entry["summary"]) for entry in made.walk("VEVENT")] == ["Coming"]
    event = make.open_event(by, name="Alba & Co.")
    make.event(by, name="Draft")
    answer = client.get("/feed/")
    assert answer["Content-Type"].startswith("application/atom+xml")
    words = answer.content.decode()
    assert "<title>Alba &amp; Co.</title>" in words
    assert f"http://testserver/events/{event.slug}/" in words
    assert "Draft" not in words


def test_whoever_is_signed_out_reads_how_to_run_an_event(by, client) -> None:
    run = "Run an event"
    for page in (read(client, "/"), read(client, "/?word=nothing")):
        assert page.count(run) == 1
        assert '<a class="button' in page
        assert 'href="/events/new/"' in page
    make.open_event(by)
    cache.clear()
    assert "standings for card game tournaments" in read(client, "/")
    client.force_login(make.user(can_create_events=False))
    assert run not in read(client, "/")


def last_of(event: Event) -> dict[str, Any] | None:
    return last_results([Event.objects.get(pk=event.pk)]).get(event.pk)


def shown() -> str:
    return " ".join(Client().get("/").content.decode().split())


def enter(event: Event, table: int, score: tuple[int, int], by: Actor) -> None:
    match = event.rounds.latest("ordinal").matches.get(table=table)
    decide_result(match=match, version=match.version, claim=Claim(score=score), by=by)


def test_the_newest_that_counts_is_told_from_the_winners_side(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group")
    first, second = event.rounds.get().matches.order_by("table")
    assert last_of(event) is None
    report_result(match=second, claim=Claim(score=(40, 22)), by=Actor(entry=second.players[0]))
    assert last_of(event) is None, "only reported"
    enter(event, second.table, (40, 22), by)
    enter(event, first.table, (21, 43), by)
    names = {"first": first.players[1].name, "second": first.players[0].name}
    assert last_of(event) == {**names, "score": "43–21", "drawn": False, "ending": ""}
    card = shown()
    assert (
        f"<b><bdi>{first.players[1].name}</bdi></b> 43–21 <bdi>{first.players[0].name}</bdi>"
        in card
    )


def test_of_a_concession_no_score_is_told(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group")
    match = event.rounds.get().matches.get(table=1)
    claim = Claim(winner="b", ended_by="concession")
    decide_result(match=match, version=match.version, claim=claim, by=by)
    told = f"{match.players[0].name}</bdi> (resa di {match.players[0].name})"
    assert f"<b><bdi>{match.players[1].name}</bdi></b> – <bdi>{told}" in shown()
    page = " ".join(Client().get(f"/events/{event.slug}/").content.decode().split())
    assert f"resa di {match.players[0].name}" in page
    assert f">resa di {match.players[0].name}</a></b>" in page.partition('<b class="told">')[2]
    assert not any(score in page for score in ("1–0", "0–1", '"score">1', '"score">0'))


def test_of_a_draw_nobody_stands_out_and_a_bye_is_no_result(by: Actor) -> None:
    event = make.playing(by, 5, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    assert event.rounds.get().matches.filter(state="final").exclude(match_seats__number=2).exists()
    assert last_of(event) is None
    match = event.rounds.get().matches.filter(match_seats__number=2).first()
    enter(event, match.table, (30, 30), by)
    found = last_of(event)
    assert (found["first"], found["score"], found["drawn"]) == (
        match.players[0].name,
        "30–30",
        True,
    )
    assert f"<bdi>{match.players[0].name}</bdi> 30–30" in shown()


@pytest.mark.deep
def test_it_costs_readers_no_query_until_the_log_grows(by: Actor) -> None:
    events = [make.playing(by, 4, formula="single-group", name=name) for name in ("Uno", "Due")]
    for event in events:
        enter(event, 1, (40, 20), by)
    events = list(Event.objects.order_by("pk"))
    with CaptureQueriesContext(connection) as asked:
        known = last_results(events)
    assert (len(asked), len(known)) == (2, 2)
    with CaptureQueriesContext(connection) as again:
        assert last_results(events) == known
    assert not len(again)
    enter(events[0], 2, (12, 41), by)
    events = list(Event.objects.order_by("pk"))
    with CaptureQueriesContext(connection) as more:
        assert last_results(events)[events[0].pk]["score"] == "41–12"
    assert len(more) == 2


def test_a_result_taken_back_and_a_name_changed_are_gone_at_the_next_request(
    front: PageCache, event: Event, by: Actor
) -> None:
    enter(event, 2, (47, 3), by)
    enter(event, 1, (48, 2), by)
    assert "48–2" in shown()
    undo(event=event, expected=Event.objects.get(pk=event.pk).version, by=by)
    page = shown()
    assert "48–2" not in page
    assert "47–3" in page
    entry = event.rounds.latest("ordinal").matches.get(table=2).players[0]
    assert entry.name in page
    change_entry(entry=entry, changes={"name": "Nominata Altrimenti"}, by=by)
    page = shown()
    assert f"<bdi>{entry.name}</bdi></b> 47–3" not in page
    assert "Nominata Altrimenti" in page


def test_a_held_table_leaves_the_result_and_a_hidden_event_takes_it_along(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group", standings_held="all")
    enter(event, 1, (46, 4), by)
    assert "46–4" in shown(), "results stay public"
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    assert "46–4" not in shown()


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


@pytest.mark.deep
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


@pytest.mark.deep
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
