"""The next evening of a series: made once, from the latest; whom it offers as regulars."""

from datetime import timedelta

import pytest
from django.utils import timezone

from rules.people.person_names import Person
from tests import factories as make
from tests.tournaments.series.evenings import (
    evening,
    played_by,
    refused,
    sent,
    series_of,
    unstarted,
)
from tournaments.models import Event, Series, StaffRole
from tournaments.players.services.entries import add_entries
from tournaments.repeats.selectors import regular_rows
from tournaments.repeats.services import repeat_event
from tournaments.series.finals import make_final, make_next_event
from tournaments.series.services import add_event
from tournaments.series.verifying import verify_series

pytestmark = pytest.mark.django_db
FOUR = "Ada Bea Carlo Dora"


def last_thursday(weeks: int = 1):
    """Return half past eight in the evening, so many weeks before next week’s day."""
    day = timezone.now().replace(hour=19, minute=30, second=0, microsecond=0)
    return day + timedelta(days=3) - timedelta(weeks=weeks)


@pytest.mark.deep
def test_one_call_makes_it_and_a_second_one_returns_it(api, by):
    last = evening(by, FOUR, name="Giovedì 7", tables="1-4", starts_at=last_thursday())
    judge = make.staff(last, "judge")
    at = series_of(api, last)
    made = sent(api.post(f"{at}next/", {}))
    event = Event.objects.get(slug=made["slug"])
    assert (made["name"], made["status"], event.tables) == ("Giovedì 8", "draft", "1-4")
    assert event.starts_at == last.starts_at + timedelta(weeks=1)
    assert event.staff.filter(user=judge.user, role="judge").exists()
    assert api.get(at).json()["events"] == [last.slug, event.slug]
    assert sent(api.post(f"{at}next/", {}), 200)["slug"] == event.slug
    assert Event.objects.count() == 2
    lines = [line.action for line in Series.objects.get().log.order_by("number")]
    assert lines == ["series.created", "series.next_made"]


@pytest.mark.deep
def test_the_latest_evening_is_repeated_and_never_the_final(api, by):
    first = evening(by, name="Serata 1", starts_at=last_thursday(2))
    at = series_of(api, first)
    final = make_final(
        series=Series.objects.get(), first=8, values={"starts_at": last_thursday(1)}, by=by
    )
    played_by(final, by)
    made = sent(api.post(f"{at}next/", {}))
    assert (made["name"], made["formula"]) == ("Serata 2", "single-elimination")
    assert Event.objects.get(slug=made["slug"]).source == first


@pytest.mark.deep
def test_repeat_adds_to_each_open_series_that_its_organiser_manages(api, by, client_of):
    last = evening(by, FOUR, starts_at=last_thursday())
    helper = make.staff(last, "organiser")
    both, closed = (series_of(api, last, name=name) for name in ("Lega", "Chiusa"))
    his = series_of(client_of(helper), last, name="Circuito")
    api.post(f"{closed}close/")
    there = repeat_event(source=last, by=by)
    listed = [api.get(at).json()["events"] for at in (both, closed, his)]
    assert listed == [[last.slug, there.slug], [last.slug], [last.slug]]
    line = Series.objects.get(name="Lega").log.last()
    assert (line.action, line.values["event"], line.by) == ("series.next_made", there.slug, by.user)
    assert sent(api.post(f"{both}next/", {}), 200)["slug"] == there.slug
    assert verify_series(Series.objects.get(name="Lega")) == []


@pytest.mark.deep
def test_next_evening_is_in_all_series_that_repeat_would_add_it_to(api, by):
    last = evening(by, FOUR, starts_at=last_thursday())
    one, other = (series_of(api, last, name=name) for name in ("Lega", "Circuito"))
    made = sent(api.post(f"{one}next/", {}))
    assert api.get(other).json()["events"] == [last.slug, made["slug"]]
    assert sent(api.post(f"{other}next/", {}), 200)["slug"] == made["slug"]


@pytest.mark.deep
def test_an_evening_repeated_by_others_joins_with_next_evening(api, by):
    last = evening(by, FOUR, starts_at=last_thursday())
    at = series_of(api, last)
    there = repeat_event(source=last, by=make.staff(last, "organiser"))
    assert api.get(at).json()["events"] == [last.slug]
    assert sent(api.post(f"{at}next/", {}), 200)["slug"] == there.slug
    assert api.get(at).json()["events"] == [last.slug, there.slug]


@pytest.mark.deep
def test_a_repeated_final_joins_no_series_and_a_full_series_gets_no_more(api, by, monkeypatch):
    last = evening(by, FOUR, starts_at=last_thursday(2))
    at = series_of(api, last)
    final = make_final(series=Series.objects.get(), first=2, values={}, by=by)
    repeat_event(source=final, by=by)
    assert api.get(at).json()["events"] == [last.slug, final.slug]
    monkeypatch.setattr("tournaments.series.finals.MOST_EVENTS", 2)
    repeat_event(source=last, by=by)
    assert api.get(at).json()["events"] == [last.slug, final.slug]


@pytest.mark.deep
def test_an_evening_that_nobody_held_is_not_the_next_one(api, by):
    last = evening(by, FOUR, starts_at=last_thursday(3))
    missed = unstarted(by, FOUR, starts_at=last_thursday(2))
    made = sent(api.post(f"{series_of(api, last, missed)}next/", {}))
    assert Event.objects.get(slug=made["slug"]).starts_at > timezone.now()


def test_a_whole_season_is_planned_by_its_dates(api, by):
    at = series_of(api, unstarted(by, FOUR, starts_at="2027-01-07T20:30:00+01:00"))
    dates = [f"2027-01-{day}T20:30:00" for day in (14, 21, 14)]
    answers = [api.post(f"{at}next/", {"starts_at": date, "name": date[:10]}) for date in dates]
    assert [one.status_code for one in answers] == [201, 201, 200]
    assert [one.json()["name"] for one in answers] == ["2027-01-14", "2027-01-21", "2027-01-14"]
    assert answers[0].json()["starts_at"].startswith("2027-01-14T20:30")


@pytest.mark.deep
def test_what_is_refused_makes_nothing(api, by, client_of):
    at = series_of(api)
    refused(api.post(f"{at}next/", {}), 409, "no_evening")
    answer = api.post(f"{at}next/", {"starts_at": "soon"}, format="json")
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, ["starts_at"])
    last = evening(by, FOUR, starts_at=last_thursday())
    at = series_of(api, last)
    assert client_of(make.organiser()).post(f"{at}next/", {}).status_code == 403
    assert client_of(None).post(f"{at}next/", {}).status_code == 401
    StaffRole.objects.filter(event=last).delete()
    assert api.post(f"{at}next/", {}).status_code == 403
    Series.objects.update(closed_at=timezone.now())
    refused(api.post(f"{at}next/", {}), 409, "series_closed")
    assert Event.objects.count() == 1


# --- Regulars -------------------------------------------------------------------------------
@pytest.mark.deep
def test_those_of_other_events_of_the_series_are_offered(api, by):
    thursday = evening(by, FOUR, starts_at=last_thursday(2))
    monday = evening(by, "Ada Elio", starts_at=last_thursday(1))
    at = series_of(api, thursday, monday)
    new = unstarted(by, "Bea", starts_at=last_thursday(0))
    assert regular_rows(new, by) == ()
    add_event(series=Series.objects.get(), event=new, by=by)
    rows = {row.entry.name: (row.times, row.events) for row in regular_rows(new, by)}
    assert rows == {"Ada": (2, 2), "Carlo": (1, 2), "Dora": (1, 2), "Elio": (1, 2)}
    assert {row.entry.event for row in regular_rows(new, by) if row.entry.name == "Ada"} == {monday}
    assert regular_rows(new, make.organiser()) == ()
    assert api.get(at).status_code == 200


@pytest.mark.deep
def test_those_of_the_chain_come_with_them(api, by):
    first = evening(by, "Ada Bea", starts_at=last_thursday(3))
    second = repeat_event(source=first, starts_at=last_thursday(2), by=by)
    add_entries(event=second, people=[Person("Ada"), Person("Carlo")], by=by)
    second = played_by(second, by)
    other = evening(by, "Ada Dora", starts_at=last_thursday(1))
    series_of(api, second, other)
    event, made = make_next_event(series=Series.objects.get(), by=by)
    assert made
    rows = {row.entry.name: (row.times, row.events) for row in regular_rows(event, by)}
    assert rows["Ada"][0] == rows["Ada"][1]
    assert rows.keys() >= {"Ada", "Dora"}


@pytest.mark.deep
def test_a_final_offers_no_regulars_and_counts_as_no_evening(api, by):
    first = evening(by, starts_at=last_thursday(2))
    series_of(api, first)
    series = Series.objects.get()
    final = make_final(series=series, first=2, values={"starts_at": last_thursday(1)}, by=by)
    assert regular_rows(final, by) == ()
    played_by(final, by)
    event, _made = make_next_event(series=series, by=by)
    assert {(row.times, row.events) for row in regular_rows(event, by)} == {(1, 1)}
