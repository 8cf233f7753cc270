"""The list of events: progress, places, winners, filters; the calendar and the feed."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar

from rules.events.clock import ClockAction
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import read
from tournaments.clock.services import run_clock
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import Filters
from tournaments.models import Event
from tournaments.public.selectors.listed import filters_of, listed_events
from tournaments.public.selectors.stage_path import stage_path

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    cache.clear()
    return make.organiser()


def names(filters):
    """Return the names of all events that fit."""
    found = listed_events(Actor(), filters=filters)
    return {item.card.event.name for item in (*found.running, *found.coming, *found.past)}


def test_a_running_event_says_how_far_it_is(by) -> None:
    event = make.playing(by, 4, formula="single-group")
    (item,) = listed_events(Actor()).running
    assert item.progress is not None
    assert (item.progress.missing, item.progress.tables, item.progress.percent) == (2, 2, 2)
    make.play_round(event.rounds.get(), by)
    (item,) = listed_events(Actor()).running
    assert item.progress is not None
    assert (item.progress.missing, item.progress.percent, item.progress.over) == (0, 33, False)
    make.play_stage(event, by)
    (item,) = listed_events(Actor()).running
    assert item.progress is not None
    assert item.progress.over
    page = read(Client(), "/")
    assert "all matches are played" in page
    assert "between two rounds" not in page


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
    (item,) = listed_events(Actor()).running
    assert item.progress is not None
    facts = load_facts(Event.objects.get(pk=event.pk), drafts=False)
    path = stage_path(facts)
    assert path is not None
    (now,) = (step.words for step in path.steps if step.state == "now")
    assert now.startswith("turno 2 di ")
    assert item.progress.words.endswith(f", {now}")


@pytest.mark.parametrize("formula", ["single-elimination", "double-elimination"])
def test_the_card_names_the_round_of_a_bracket_as_the_events_own_page_does(by, formula) -> None:
    event = make.playing(by, 8, formula=formula)
    for _round in range(2):
        (item,) = listed_events(Actor()).running
        path = stage_path(load_facts(Event.objects.get(pk=event.pk), drafts=False))
        assert path is not None
        (now,) = (step.words for step in path.steps if step.state == "now")
        assert item.progress is not None
        assert item.progress.words == now
        make.play_round(event.rounds.last(), by)
        make.next_round(event, by)


def test_the_card_of_a_running_event_shows_its_clock(by) -> None:
    event = make.playing(by, 4, formula="single-group")

    def shown():
        return listed_events(Actor()).running[0].progress.clock

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
    assert listed_events(Actor()).running[0].progress.clock.words == "senza limite di tempo"


def test_a_past_event_tells_the_score_of_its_final_the_winners_first(by) -> None:
    def b_wins(match, _index):
        return Claim(score=(1, 2))

    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_event(event, by, b_wins)
    (item,) = listed_events(Actor()).past
    assert (item.score, bool(item.second)) == ("2–1", True)
    page = Client().get("/").content.decode()
    assert '<b class="final-score">2–1</b>' in page


def test_a_past_event_names_its_winner_and_asks_once(by) -> None:
    ended = make.started(by, 4, formula="single-group", name="Past")
    make.play_event(ended, by)
    with CaptureQueriesContext(connection) as first:
        (item,) = listed_events(Actor()).past
    assert len(item.winners) == 1
    assert item.second
    with CaptureQueriesContext(connection) as again:
        assert listed_events(Actor()).past[0].winners == item.winners
    assert len(again) <= 5 < len(first)


def test_a_new_name_of_the_winner_is_shown(by) -> None:
    ended = make.started(by, 4, formula="single-group")
    make.play_event(ended, by)
    (before,) = listed_events(Actor()).past
    Event.objects.filter(pk=ended.pk).update(head="a" * 64)
    ended.entries.filter(name=before.winners[0]).update(name="Renamed")
    assert listed_events(Actor()).past[0].winners == ("Renamed",)


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
    assert names(Filters()) == {"Alba", "Bosco"}
    assert names(Filters(words="alb")) == {"Alba"}
    assert names(Filters(words="blu")) == {"Alba"}
    assert names(Filters(place="club")) == {"Bosco"}
    assert names(Filters(game="creatures-of-exo")) == {"Bosco"}
    assert names(Filters(game="no-game")) == set()
    assert names(filters_of({"month": "2031-12"})) == {"Bosco"}
    assert names(filters_of({"month": "2032-01"})) == set()


@pytest.mark.parametrize("month", ["2031-13", "9999-12", "0000-01", "x", "2031", "--", "²-1"])
def test_a_month_that_is_none_counts_as_not_asked_for(month: str) -> None:
    assert filters_of({"month": month}).month is None


def test_nothing_found_says_so_and_leads_back(client: Client, by) -> None:
    make.open_event(by, name="Alba")
    page = client.get("/?q=nowhere", headers={"Accept-Language": "en"}).content.decode()
    assert "No event fits" in page
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


def test_the_calendar_leaves_out_drafts_and_what_is_long_past(client: Client, by) -> None:
    make.open_event(by, name="Coming", starts_at=timezone.now() + timedelta(days=3))
    make.open_event(by, name="Long past", starts_at=timezone.now() - timedelta(days=90))
    make.event(by, name="Draft", starts_at=timezone.now() + timedelta(days=3))
    made = Calendar.from_ical(client.get("/events.ics").content)
    assert [str(entry["summary"]) for entry in made.walk("VEVENT")] == ["Coming"]


def test_the_feed_tells_of_public_events_only(client: Client, by) -> None:
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
    assert "For organisers: registration" in read(client, "/")
    client.force_login(make.user(can_create_events=False))
    assert run not in read(client, "/")
