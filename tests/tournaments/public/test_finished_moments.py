"""Finished answers while time goes by: what begins and ends by itself, clocks, and counts."""

import gzip
import re
import threading
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rules.events.clock import ClockAction
from tests import factories as make
from tests.front import Through
from tests.tournaments.public.test_finished_pages import address
from tournaments.clock.services import run_clock
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match, Report, RoundClock, Series, SeriesEvent
from tournaments.models.tables import clear_row_marks
from tournaments.public.page_cache import PageCache
from tournaments.public.storage import DAY, SERIES, DjangoVersionReader
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["tournaments:event", "tournaments:event-list"])
def test_registration_opens_by_itself(front: PageCache, by: Actor, name: str) -> None:
    event = make.open_event(by)
    opens = timezone.now() + timedelta(seconds=30)
    Event.objects.filter(pk=event.pk).update(registration_opens=opens, registration_closes=None)
    before = Client().get(address(name, event)).content
    (kept,) = front.memory._kept.values()
    assert abs(kept.until - opens.timestamp()) < 1
    Event.objects.filter(pk=event.pk).update(registration_opens=timezone.now())
    assert Client().get(address(name, event)).content == before
    front.now.at = kept.until
    front.now.at += 1
    assert Client().get(address(name, event)).content != before


def test_a_report_that_is_due_is_confirmed_though_the_page_was_finished(
    front: PageCache, event: Event
) -> None:
    at = address("tournaments:pairings", event)
    Event.objects.filter(pk=event.pk).update(confirm_after=5)
    clear_row_marks()
    match = Match.objects.filter(round__event=event, state=Match.State.OPEN).first()
    report_result(match=match, claim=make.a_wins(match), by=Actor(entry=match.players[0]))
    Client().get(at)
    (kept,) = front.memory._kept.values()
    due = Report.objects.get(match=match).at + timedelta(minutes=5)
    assert kept.until <= due.timestamp()
    front.now.at += 61
    later = timezone.now() + timedelta(minutes=6)
    with patch.object(timezone, "now", return_value=later):
        Client().get(at)
    match.refresh_from_db()
    assert match.state == Match.State.FINAL


def test_the_clock_is_right_in_every_answer(front: PageCache, event: Event, by: Actor) -> None:
    at = address("tournaments:pairings", event)
    asks = {"HX-Request": "true"}
    assert Client().get(at, headers=asks).headers["X-Clock"] == "ready 3000.00"
    assert shown(Client().get(at)) == ("ready", 3000)
    run_clock(event=event, ordinal=2, action=ClockAction.START, by=by)
    rendered = len(Through.rendered)
    state, seconds = Client().get(at, headers=asks).headers["X-Clock"].split()
    assert state == "running"
    assert 2980 < float(seconds) <= 3000
    for coding in ("gzip", "identity"):
        page = Client().get(at, headers={"accept-encoding": coding})
        state, left = shown(page)
        assert state == "running"
        assert 2980 < left <= float(seconds)
        assert "X-Clock" not in page.headers
    assert len(Through.rendered) == rendered, "the page is as before, the clock is of now"
    tag = Client().get(at, headers=asks).headers["ETag"]
    same = Client().get(at, headers=asks | {"If-None-Match": tag})
    assert same.status_code == 304
    assert same.headers["X-Clock"].startswith("running")
    assert "X-Clock" not in Client().get(address("tournaments:standings", event)).headers


def test_a_page_opened_again_shows_the_clock_of_now(
    front: PageCache, event: Event, by: Actor
) -> None:
    """A browser keeps the page with its clock: told that it is unchanged, it would show that."""
    at = address("tournaments:pairings", event)

    def again(tag: str) -> int:
        return Client().get(at, headers={"If-None-Match": tag}).status_code

    ready = Client().get(at)["ETag"]
    assert again(ready) == 304
    run_clock(event=event, ordinal=2, action=ClockAction.START, by=by)
    front.now.at += 100  # the page of the clock's line of the log
    running = Client().get(at)["ETag"]
    RoundClock.objects.update(used=60)  # a minute later
    assert again(running) == 200
    run_clock(event=event, ordinal=2, action=ClockAction.PAUSE, by=by)
    front.now.at += 100
    assert again(running) == 200
    paused = Client().get(at)["ETag"]
    assert (again(ready), again(paused)) == (200, 304)
    assert len(Through.rendered) == 3
    standings = address("tournaments:standings", event)
    tag = Client().get(standings)["ETag"]
    assert Client().get(standings, headers={"If-None-Match": tag}).status_code == 304


def shown(answer: HttpResponse) -> tuple[str, float]:
    """Return the clock at the end of a page."""
    body = answer.content
    if answer.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    found = re.search(rb'<i hidden data-now="(\w+) ([\d.]+)"></i></body>\s*</html>\s*$', body)
    assert found is not None
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    return found[1].decode(), float(found[2])


def test_a_page_with_a_clock_ends_at_its_next_warning(
    front: PageCache, event: Event, by: Actor
) -> None:
    Event.objects.filter(pk=event.pk).update(warnings=[50], minutes=50)
    clear_row_marks()
    ordinal = event.rounds.last().ordinal
    run_clock(event=event, ordinal=ordinal, action=ClockAction.START, by=by)
    event.rounds.last().clock.__class__.objects.update(minutes=51, used=50)
    Client().get(address("tournaments:pairings", event))
    (kept,) = front.memory._kept.values()
    assert kept.until - timezone.now().timestamp() <= 10.1


def test_the_seconds_of_the_api_are_of_now(front: PageCache, event: Event, by: Actor) -> None:
    at = address("tournaments_api:round", event).replace("/1/", "/2/")
    ordinal = event.rounds.last().ordinal
    run_clock(event=event, ordinal=ordinal, action=ClockAction.START, by=by)
    Client().get(at)
    (kept,) = front.memory._kept.values()
    assert kept.until <= timezone.now().timestamp() + 1


def test_a_tag_of_a_finished_answer_is_one_that_writes_heed(
    front: PageCache, event: Event, by: Actor
) -> None:
    at = address("tournaments_api:event", event)
    tag = Client().get(at).headers["ETag"]
    organiser = Client()
    organiser.force_login(by.user)
    sent = {"data": {"venue": "Roma"}, "content_type": "application/json"}
    old = organiser.patch(at, headers={"If-Match": 'W/"old"'}, **sent)
    assert old.status_code == 412
    plain = organiser.get(at)
    assert plain.status_code == 200
    assert tag.startswith('W/"')


def test_kept_answers_are_not_counted_by_the_limits_and_rendered_ones_are(
    front: PageCache, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rest_framework.throttling import AnonRateThrottle

    monkeypatch.setattr(AnonRateThrottle, "get_rate", lambda _self: "3/min")
    at = address("tournaments_api:event", event)
    assert {Client().get(at).status_code for _ in range(10)} == {200}
    unknown = [Client().get(f"{at}?x={number}").status_code for number in range(4)]
    assert unknown == [200, 200, 429, 429]
    assert Client().get(at).status_code == 200


def test_a_look_is_one_query_and_reads_by_indexes(event: Event) -> None:
    versions = DjangoVersionReader()
    SeriesEvent.objects.create(series=Series.objects.create(slug="lega", name="Lega"), event=event)
    for slug in (event.slug, None, "nowhere", f"{SERIES}lega", f"{DAY}lega"):
        with CaptureQueriesContext(connection) as made:
            versions.current(slug)
        (query,) = made
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                plan = cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall()
            scans = [row[-1] for row in plan if row[-1].startswith("SCAN")]
            assert all("COVERING INDEX" in step for step in scans), scans


def test_events_are_counted_again_only_after_something_was_committed() -> None:
    """PostgreSQL says by its snapshot what ``data_version`` says of a file."""
    said: list[str] = []
    state = ["7:7:"]

    class Told(DjangoVersionReader):
        def _rows(self, sql: str, _values: Any) -> Any:
            said.append(sql)
            return [(2, 3, None, 4, None, *state) if "COUNT" in sql else tuple(state)]

    def counted() -> int:
        return len([sql for sql in said if "COUNT" in sql])

    versions = Told(snapshot="pg_current_snapshot()::text")
    first = versions.current(None)
    assert [versions.current(None) for _ in range(5)] == [first] * 5
    assert counted() == 1
    state[0] = "7:9:8"
    assert versions.current(None) != first
    assert counted() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the snapshot of PostgreSQL")
def test_what_another_connection_commits_changes_the_snapshot(by: Actor) -> None:
    event, versions = (
        make.open_event(by),
        DjangoVersionReader(snapshot="pg_current_snapshot()::text"),
    )

    def taken_away() -> None:
        Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
        connection.close()

    first = versions.current(None)
    with CaptureQueriesContext(connection) as made:
        assert versions.current(None) is first
    assert [query["sql"] for query in made] == ["SELECT pg_current_snapshot()::text"]
    other = threading.Thread(target=taken_away)
    other.start()
    other.join(30)
    assert versions.current(None).kin != first.kin


def test_views_that_are_not_asked_for_an_offer_ask_nothing_more(event: Event) -> None:
    at = address("tournaments:pairings", event)
    Client().get(at)
    with CaptureQueriesContext(connection) as made:
        Client().get(at)
    assert not [query for query in made if "MIN(" in query["sql"]]
