"""Finished answers of real events: what they hold, when they end, and who is left to Django."""

import gzip
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from config import transaction
from decks.house_formats.services import create_house_format
from tests import factories as make
from tests.crawling import routes, still
from tests.front import Through
from tournaments.core import acts as declared
from tournaments.core.acts import CacheEffect, NoUndo, acts
from tournaments.core.permissions import Actor
from tournaments.decklists.services import hide_decklists, publish_decklists
from tournaments.erasing.services.erase import erase_account
from tournaments.events.services import CHANGED, change_event
from tournaments.judging.services import create_announcement
from tournaments.log.services import lock_event, record
from tournaments.models import Announcement, Event
from tournaments.pages.access import public_parameters
from tournaments.public.page_cache import PageCache
from tournaments.rounds.services import delete_last_round
from tournaments.sharing.views import picture_path

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
PUBLIC = {
    *("tournaments:event-list", "tournaments:event", "tournaments:players", "tournaments:pairings"),
    *("tournaments:standings", "tournaments:formula"),
    *("tournaments:rules", "tournaments:calendar", "tournaments:event-calendar"),
    *("tournaments:feed", "tournaments:picture", "tournaments:record"),
    *("tournaments:embed-standings", "tournaments:embed-bracket"),
    *("tournaments:prospects", "tournaments:screen", "tournaments_api:events"),
    *("tournaments:player", "tournaments:bracket", "tournaments:public-match"),
    *("tournaments_api:event", "tournaments_api:players", "tournaments_api:stages"),
    *("tournaments_api:rounds", "tournaments_api:round", "tournaments_api:matches"),
    *("tournaments_api:standings", "tournaments_api:tie-breaks", "tournaments_api:scenarios"),
    *("tournaments_api:ranking", "tournaments:played", "tournaments_api:information"),
    *("tournaments:text-pairings", "tournaments:text-results", "tournaments:text-standings"),
    *("tournaments_api:texts", "tournaments:prizes"),
}
OF_ALL_EVENTS = {
    *("tournaments:event-list", "tournaments:calendar", "tournaments:feed"),
    "tournaments_api:events",
}
AFTERWARDS = {"tournaments:played", "tournaments:prizes"}  # 404 until lists or prizes are published


def address(name: str, event: Event) -> str:
    """Return a public address about an event."""
    if name in OF_ALL_EVENTS:
        return reverse(name)
    if name == "tournaments:picture":
        return picture_path(Event.objects.get(pk=event.pk), "event", "it")
    if name == "tournaments:public-match":
        return reverse(name, args=[event.slug, 1, 1])
    return reverse(
        name, args=[event.slug, 1] if name.endswith((":round", ":player")) else [event.slug]
    )


def marked() -> set[str]:
    """Return the names of all addresses whose views are marked."""
    found = set()
    for pattern, space in _patterns(get_resolver(), ""):
        if public_parameters(pattern.callback) is not None:
            found.add(f"{space}{pattern.name}")
    return found


def is_of_series(name: str) -> bool:
    """Return whether an address is a series' or a venue's, whose pages have tests of their own."""
    return not {"series", "venue"}.isdisjoint(name.rpartition(":")[2].split("-"))


def _patterns(resolver: Any, space: str) -> Iterator[tuple[Any, str]]:
    for item in resolver.url_patterns:
        if hasattr(item, "url_patterns"):
            inner = f"{space}{item.namespace}:" if item.namespace else space
            yield from _patterns(item, inner)
        else:
            yield item, space


def test_every_public_address_is_known_here() -> None:
    assert {name for name in marked() if not is_of_series(name)} == PUBLIC
    assert {name for name, _parts in routes()} >= PUBLIC


@pytest.mark.deep
@pytest.mark.parametrize("fragment", [False, True])
def test_finished_answers_are_what_django_answers_and_cost_nothing_again(
    plain: Client, front: PageCache, event: Event, fragment: bool
) -> None:
    headers = {"HX-Request": "true"} if fragment else {}
    added = {"ETag", "Cache-Control", "X-Request-ID", "Content-Length"}
    for name in sorted(PUBLIC - AFTERWARDS):
        at = address(name, event)
        expected = plain.get(at, headers=headers)
        Client().get(at, headers=headers)
        rendered = len(Through.rendered)
        found = Client().get(at, headers=headers)
        assert len(Through.rendered) == rendered, f"{name} was rendered again"
        assert found.status_code == expected.status_code == 200, name
        assert still_body(found) == still_body(expected), name
        for header, value in expected.headers.items():
            if header not in added | {"X-Clock", "Content-Security-Policy"}:
                assert found.headers.get(header) == value, (name, header)
        assert "script-src 'self'" in found.headers["Content-Security-Policy"]
        assert ("X-Clock" in expected.headers) == ("X-Clock" in found.headers), name
        assert not found.cookies
        kept = expected.headers.get("Cache-Control", "private, no-cache")
        assert found.headers["Cache-Control"] == kept, name
        assert found.headers["Content-Length"] == str(len(found.content))
    assert len(Through.rendered) == len(PUBLIC - AFTERWARDS)


def still_body(answer: HttpResponse) -> bytes:
    """Return a body without what the clock changes."""
    clock = rb'<i hidden data-now="[^"]*"></i>|data-left="[^"]*"|\d+\.\d\d'
    return re.sub(clock, b"", answer.getvalue())


@pytest.mark.deep
def test_statistics_are_kept_while_the_lists_are_public_and_no_longer(
    front: PageCache, by: Actor
) -> None:
    event = make.played(by, 4, format="creatures-of-exo", decklists="required")
    at = address("tournaments:played", event)
    assert Client().get(at).status_code == 404
    publish_decklists(event=event, by=by)
    front.now.at += 100
    first = Client().get(at)
    rendered = len(Through.rendered)
    assert Client().get(at).content == first.content
    assert (first.status_code, len(Through.rendered)) == (200, rendered)
    assert first.headers["Cache-Control"] == "private, no-cache", "else it is never kept"
    hide_decklists(event=Event.objects.get(pk=event.pk), by=by)
    front.now.at += 0.1
    assert Client().get(at).status_code == 404


def test_it_leaves_compressed_for_who_takes_that(front: PageCache, event: Event) -> None:
    at = address("tournaments:pairings", event)
    whole = Client().get(at)
    small = Client().get(at, headers={"accept-encoding": "br, gzip"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.content) == whole.content
    assert whole.content.endswith(b"</i></body>\n</html>\n")
    assert int(small.headers["Content-Length"]) == len(small.content) < len(whole.content) / 2
    assert "Accept-Encoding" in whole.headers["Vary"]
    assert {"Cookie", "Accept-Language", "HX-Request"} <= set(whole.headers["Vary"].split(", "))
    for refused in ("", "identity", "br", "*", "gzip;q=0", "gzip; Q=0.00", "br, gzip ;q=0, zstd"):
        answer = Client().get(at, headers={"accept-encoding": refused})
        assert "Content-Encoding" not in answer.headers, refused
        assert answer.content == whole.content
    for taken in (
        "gzip",
        "x-gzip",
        "gzip;q=0.1",
        "gzip;q=0.05, identity;q=0",
        "identity;q=0, gzip",
    ):
        answer = Client().get(at, headers={"accept-encoding": taken})
        assert answer.headers.get("Content-Encoding") == "gzip", taken
        assert gzip.decompress(answer.content) == whole.content


def test_who_has_a_session_a_token_or_a_link_is_left_to_django(
    front: PageCache, event: Event, by: Actor
) -> None:
    at = address("tournaments:event", event)
    Client().get(at)
    signed_in = Client()
    signed_in.force_login(by.user)
    assert "Settings" in signed_in.get(at, headers={"accept-language": "en"}).content.decode()
    assert "Settings" not in Client().get(at, headers={"accept-language": "en"}).content.decode()
    assert len(Through.rendered) == 2


@pytest.mark.deep
def test_a_draft_is_left_to_django_and_never_kept(front: PageCache, by: Actor) -> None:
    event = make.open_event(by)
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    for name in sorted(PUBLIC - OF_ALL_EVENTS):
        assert Client().get(address(name, event)).status_code == 404
    for name in sorted(OF_ALL_EVENTS):
        assert event.name not in Client().get(address(name, event)).content.decode()
    assert len(Through.rendered) == len(OF_ALL_EVENTS)


INVENTED = declared.Act(
    key="thing.invented", words="Invented", undo=NoUndo("No."), shows=CacheEffect.TAKES_AWAY
)


@pytest.mark.deep
def test_pages_of_before_are_sent_after_acts_that_add_and_never_after_others(
    front: PageCache, event: Event, by: Actor
) -> None:
    at = address("tournaments:standings", event)
    adding = [act for act in acts().values() if act.shows is CacheEffect.ADDS]
    for act in (*acts().values(), INVENTED):
        front.now.at += 100  # nothing of before is kept
        Client().get(at)
        with transaction.atomic():
            record(lock_event(event), act, by=by)
        rendered = len(Through.rendered)
        front.now.at += 0.1
        Client().get(at)
        anew = len(Through.rendered) > rendered
        assert anew is (act not in adding), act


def test_a_result_shows_within_two_seconds(front: PageCache, event: Event, by: Actor) -> None:
    at = address("tournaments:pairings", event)
    before = Client().get(at).content
    make.play_round(event.rounds.last(), by)
    front.now.at += 0.9
    assert Client().get(at).content == before
    front.now.at += 0.1
    assert Client().get(at).content != before


Act = Callable[[Event, Actor], object]
GONE: dict[str, tuple[str, Act]] = {
    "a round taken back": (
        "tournaments:pairings",
        lambda event, by: delete_last_round(event=event, ordinal=2, by=by),
    ),
    "an event deleted": ("tournaments:event", lambda event, _by: event.delete()),
    "an event that is a draft again": (
        "tournaments:event",
        lambda event, _by: Event.objects.filter(pk=event.pk).update(state="draft"),
    ),
    "a name changed": (
        "tournaments:event",
        lambda event, by: change_event(event=event, changes={"name": "Altro"}, by=by),
    ),
}


@pytest.mark.parametrize("act", sorted(GONE))
def test_what_is_taken_away_is_gone_at_the_next_request(
    front: PageCache, event: Event, by: Actor, act: str
) -> None:
    name, does = GONE[act]
    at = address(name, event)
    before = still(Client().get(at))
    lists = event.name in Client().get("/").content.decode()
    assert lists
    does(event, by)
    assert still(Client().get(at)) != before
    if name == "tournaments:event":
        assert event.name not in Client().get("/").content.decode()
        assert event.name not in Client().get("/api/v1/events/").content.decode()


def test_the_page_of_who_goes_on_is_gone_once_it_is_held_back(
    front: PageCache, event: Event, by: Actor
) -> None:
    at = address("tournaments:prospects", event)
    assert Client().get(at).status_code == 200
    Event.objects.filter(pk=event.pk).update(show_prospects=False)
    with transaction.atomic():
        record(lock_event(event), CHANGED, by=by)
    assert Client().get(at).status_code == 404
    assert Client().get(address("tournaments_api:scenarios", event)).status_code == 404


def test_a_format_named_after_an_account_is_renamed_everywhere_once_it_is_erased(
    front: PageCache, by: Actor
) -> None:
    """The event is somebody else's: its log has no line of the erasure."""
    anna = User.objects.create_user("anna@example.org", name="Anna Canarelli")
    house = create_house_format(
        base="creatures-of-exo", name="Lega di Anna Canarelli", changes={}, by=anna
    )
    event = make.open_event(by)
    Event.objects.filter(pk=event.pk).update(format=house.slug)
    at = address("tournaments:event", event)
    assert "Anna Canarelli" in Client().get(at).content.decode()
    erase_account(user=anna, confirm=anna.email)
    assert Event.objects.get(pk=event.pk).version == event.version
    assert "Canarelli" not in Client().get(at).content.decode()


def test_an_announcement_ends_by_itself(front: PageCache, event: Event, by: Actor) -> None:
    at = address("tournaments:standings", event)
    create_announcement(event=event, text="Pausa pranzo", minutes=1, by=by)
    Announcement.objects.update(until=timezone.now() + timedelta(seconds=20))
    assert "Pausa pranzo" in Client().get(at).content.decode()
    (kept,) = front.memory._kept.values()
    assert abs(kept.until - Announcement.objects.get().until.timestamp()) < 1
    Announcement.objects.update(until=timezone.now())
    front.now.at = kept.until - 0.1
    assert "Pausa pranzo" in Client().get(at).content.decode()
    front.now.at = kept.until + 1
    assert "Pausa pranzo" not in Client().get(at).content.decode()
