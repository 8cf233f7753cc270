"""What a shared link shows: words, a drawn picture, and pages for the frames of other sites."""

import re
import struct

import pytest
from django.test import Client
from django.utils.translation import override

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Event
from tournaments.sharing import views as drawing
from tournaments.sharing.views import PictureName, parse_picture_name, picture_content, picture_path

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(by):
    event = make.started(by, 4, formula="single-group", name="Trofeo")
    return make.play_event(event, by)


def said(page, name):
    """Return what a page says of itself under a property."""
    found = re.search(rf'(?:property|name)="{name}" content="([^"]*)"', page)
    return found and found[1]


def size(png):
    """Return the width and the height of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


@pytest.mark.deep
@pytest.mark.parametrize(
    ("path", "subject", "title"),
    [
        ("", "event", "Trofeo"),
        ("standings/", "standings", "Classifica – Trofeo"),
        ("players/2/", "player-2", "{name} – Trofeo"),
    ],
)
def test_a_page_says_what_its_link_shows(client: Client, ended, path, subject, title) -> None:
    address = f"http://testserver/events/{ended.slug}/{path}"
    page = client.get(address, headers={"Accept-Language": "it"}).content.decode()
    assert said(page, "og:title") == title.format(name=ended.entries.get(number=2).name)
    assert said(page, "og:url") == address
    picture = said(page, "og:image")
    assert picture == "http://testserver" + picture_path(ended, subject, "it")
    assert str(ended.version) in picture
    answer = client.get(picture)
    assert answer["Content-Type"] == "image/png"
    assert size(answer.content) == (drawing.WIDE, drawing.HIGH)
    assert len(answer.content) < 300_000


def test_a_superseded_picture_leads_to_the_one_of_now(client: Client, by) -> None:
    event = make.playing(by, 4, formula="single-group")
    before = picture_path(event, "player-1", "en")
    make.play_round(event.rounds.get(), by)
    event = Event.objects.get(pk=event.pk)
    answer = client.get(before)
    assert answer.status_code == 302
    assert answer["Location"] == picture_path(event, "player-1", "en") != before


@pytest.mark.parametrize(
    "name", ["event-it", "event-xx-1", "player-it-1", "player-0-it-1", "all-it-1", "event-it--1"]
)
def test_what_names_no_picture_is_none(client: Client, ended, name: str) -> None:
    assert parse_picture_name(name) is None
    assert client.get(f"/events/{ended.slug}/pictures/{name}.png").status_code == 404


def test_a_name_says_what_is_asked_for() -> None:
    assert parse_picture_name("player-12-it-345") == PictureName("player", 12, "it", 345)
    assert parse_picture_name("standings-en-7") == PictureName("standings", 0, "en", 7)


def test_nobody_has_that_number(client: Client, ended) -> None:
    assert client.get(picture_path(ended, "player-99", "it")).status_code == 404


def test_a_draft_has_no_picture_and_no_frame(client: Client, by) -> None:
    event = make.event(by)
    for address in (
        picture_path(event, "event", "it"),
        f"/events/{event.slug}/embed/standings/",
        f"/events/{event.slug}/embed/bracket/",
    ):
        assert client.get(address).status_code == 404


def test_the_podium_stands_on_the_picture_of_a_finished_event(ended) -> None:
    with override("en"):
        content = picture_content(load_facts(ended, for_staff=False), "event")
    assert content is not None
    names = [person["name"] for person in content["people"]]
    assert len(names) == 3
    assert content["title"] == f"{names[0]} wins the event"
    assert content["over"] == "Trofeo"


def test_a_running_event_shows_its_best(by) -> None:
    event = make.playing(by, 12, formula="mutant-chronicles")
    with override("en"):
        content = picture_content(load_facts(event, for_staff=False), "event")
    assert content is not None
    assert len(content["rows"]) == 4
    assert content["heading"] == "Group A"
    assert "Round 1" in content["over"]


def test_the_same_picture_is_drawn_once(monkeypatch, ended) -> None:
    made = []
    monkeypatch.setattr(drawing, "_draw", lambda told: made.append(told) or b"png")
    content = picture_content(load_facts(ended, for_staff=False), "event")
    assert drawing.render_picture(content) == drawing.render_picture(content) == b"png"
    assert len(made) == 1
    assert drawing.render_picture(content | {"title": "Other"}) == b"png"
    assert len(made) == 2


@pytest.mark.deep
def test_names_are_never_read_as_commands(by) -> None:
    event = make.open_event(by, name='#panic() $x$ "]} <b>', venue="*_`\\")
    content = picture_content(load_facts(event, for_staff=False), "event")
    assert size(drawing.render_picture(content)) == (drawing.WIDE, drawing.HIGH)


@pytest.mark.parametrize("page", ["standings", "bracket"])
def test_embedded_pages_may_stand_in_frames_and_others_not(client: Client, ended, page) -> None:
    answer = client.get(f"/events/{ended.slug}/embed/{page}/")
    assert answer.status_code == 200
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert not answer.cookies
    assert b"csrfmiddlewaretoken" not in answer.content
    beside = client.get(f"/events/{ended.slug}/standings/")
    assert "frame-ancestors 'none'" in beside["Content-Security-Policy"]
    assert beside["X-Frame-Options"] == "DENY"


def test_a_page_has_a_button_to_share_it(client: Client, ended) -> None:
    assert b"data-share=" in client.get(f"/events/{ended.slug}/").content
