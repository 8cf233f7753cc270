"""Pages of a series are kept: until one of its events begins, ends or is corrected when over."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test import client as test_client
from django.urls import URLPattern, get_resolver, include, path, reverse
from django.utils import timezone

from tests import factories as make
from tests.front import Through, Time, before_client
from tests.reporting import correct
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event, change_event_state
from tournaments.models import Event, Match, Series
from tournaments.pages.access import (
    allow_series_caching,
    find_actor,
    public_parameters,
    public_read,
)
from tournaments.players.services.entries import add_entry
from tournaments.public.page_cache import PageCache
from tournaments.public.storage import (
    DAY,
    SERIES,
    DjangoVersionReader,
    SqliteVersionReader,
    site_data_versions,
)
from tournaments.series.selectors import read_series
from tournaments.series.services import change_series, create_series

pytestmark = pytest.mark.django_db


@public_read(every_act=True)
def day(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which rounds run."""
    actor = find_actor(request)
    events = read_series(slug, actor).events
    allow_series_caching(request, actor, events)
    return HttpResponse(" ".join(f"{event.name} {event.version}" for event in events))


urlpatterns = [path("series/<slug:slug>/day/", day, name="day"), path("", include("config.urls"))]


@pytest.fixture
def plain() -> Client:
    """Return a reader without the front."""
    return Client()


@pytest.fixture
def front(plain: Client, monkeypatch: pytest.MonkeyPatch, settings) -> PageCache:
    settings.ROOT_URLCONF = __name__
    found = before_client(Time(timezone.now().timestamp()))
    monkeypatch.setattr(test_client, "ClientHandler", Through)
    return found


@pytest.fixture
def series(by: Actor) -> Series:
    """Return a series of an event that is over, one that runs and one to come."""
    over = make.played(by, 4, formula="single-group")
    running = make.started(by, 4, formula="single-group", name="Second")
    to_come = make.open_event(by, name="Third")
    slugs = [over.slug, running.slug, to_come.slug]
    values = {"name": "Lega", "events": slugs, "points": {"taking_part": 1}}
    return create_series(values=values, by=by)


def events_of(series: Series) -> Iterator[Event]:
    yield from series.events.order_by("pk")


def rendered_by(front: PageCache, address: str) -> tuple[int, bytes]:
    """Read an address a minute's part later; return how often it was rendered, and the body."""
    front.now.at += 5
    before = len(Through.rendered)
    body = Client().get(address).content
    return len(Through.rendered) - before, body


def public_pages() -> Iterator[str]:
    """Yield the marked addresses of one series that need nothing but its slug."""
    for pattern in _all(get_resolver().url_patterns):
        route = str(pattern.pattern)
        if public_parameters(pattern.callback) is not None and route.startswith("series/<slug"):
            yield f"/{route.replace('<slug:slug>', 'lega')}"


def _all(patterns: list) -> Iterator[URLPattern]:
    for item in patterns:
        yield from _all(item.url_patterns) if hasattr(item, "url_patterns") else [item]


@pytest.mark.deep
def test_every_page_of_a_series_is_what_django_answers_and_costs_nothing_again(
    front: PageCache, series: Series, plain: Client
) -> None:
    pages = [page for page in public_pages() if page.count("<") == 0]
    assert reverse("tournaments:series", args=["lega"]) in pages
    for page in pages:
        expected = plain.get(page)
        if expected.status_code == 200 and "no-store" not in expected.get("Cache-Control", ""):
            assert rendered_by(front, page)[0] == 1, page
            assert rendered_by(front, page)[0] == 0, page


def test_a_result_of_a_running_event_changes_the_day_alone(
    front: PageCache, series: Series, by: Actor
) -> None:
    _over, running, _to_come = events_of(series)
    item = make.next_round(running, by)
    _count, table = rendered_by(front, "/series/lega/")
    _count, today = rendered_by(front, "/series/lega/day/")
    make.play_round(item, by)
    assert rendered_by(front, "/series/lega/") == (0, table)
    count, later = rendered_by(front, "/series/lega/day/")
    assert count == 1
    assert later != today


@pytest.mark.deep
def test_whatever_the_table_shows_makes_its_page_anew(
    front: PageCache, series: Series, by: Actor
) -> None:
    over, running, to_come = events_of(series)
    rendered_by(front, "/series/lega/")

    def changes(by_what: object) -> bool:
        return rendered_by(front, "/series/lega/")[0] == 1

    assert changes(change_series(series=series, values={"name": "Lega due"}, by=by))
    assert changes(change_event_state(event=over, action="reopen", by=by))
    match = Match.objects.filter(round__event=over)[0]
    correct(match, by, score=(1, 2), winner="b")
    assert not changes(None), "a running event doesn’t count"
    assert changes(change_event_state(event=over, action="finish", by=by))
    assert changes(change_event(event=to_come, changes={"name": "Fourth"}, by=by))
    assert changes(make.play_event(running, by))
    assert changes(
        erase_player(event=over, number=2, confirm=over.entries.get(number=2).name, by=by)
    )
    assert not changes(add_entry(event=to_come, name="Zoe", by=by))


def test_a_series_without_public_events_has_no_version(by: Actor) -> None:
    draft = make.event(by)
    create_series(values={"name": "Bozza", "events": [draft.slug]}, by=by)
    for prefix in (SERIES, DAY):
        assert DjangoVersionReader().current(f"{prefix}bozza") is None
        assert DjangoVersionReader().current(f"{prefix}nowhere") is None


@pytest.mark.django_db(transaction=True)
def test_the_site_s_reader_of_versions_says_the_same(by: Actor, series: Series) -> None:
    """On SQLite it reads the file by a connection of its own."""
    versions = site_data_versions() or DjangoVersionReader()
    assert isinstance(versions, SqliteVersionReader) == (connection.vendor == "sqlite")
    for prefix in (SERIES, DAY):
        assert versions.current(f"{prefix}lega") == DjangoVersionReader().current(f"{prefix}lega")
