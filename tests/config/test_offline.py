"""What the service worker is, what it may keep, and of whom."""

import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import get_resolver, reverse

from config import offline
from tests import factories as make
from tournaments.pages.access import public_parameters
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db
OWN = {"me", "desk", "floor"}
"""Names of the pages of one reader that are kept; all others are the same for everybody."""


def views(patterns):
    for each in patterns:
        if hasattr(each, "url_patterns"):
            yield from views(each.url_patterns)
        else:
            yield each


def test_only_public_pages_and_three_of_a_reader_are_kept():
    kept = {
        each
        for each in views(get_resolver().url_patterns)
        if vars(each.callback).get("kept_offline")
    }
    own = {each.name for each in kept if public_parameters(each.callback) is None}
    assert own == OWN


def test_the_worker_names_its_release_and_files_that_exist(monkeypatch):
    answer = Client().get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["Cache-Control"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert f'"release": "{offline.release_digest()}"' in answer.content.decode()
    assert [name for name in offline.SHELL if finders.find(name) is None] == []
    before = offline.release_digest()
    offline.release_digest.cache_clear()
    monkeypatch.setattr(offline, "VERSION", "99.0")
    assert offline.release_digest() != before
    offline.release_digest.cache_clear()


def test_the_manifest_names_icons_of_their_size():
    told = Client().get("/manifest.webmanifest").json()
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert {"any", "maskable"} == {icon["purpose"] for icon in told["icons"]}
    for icon in told["icons"]:
        path = Path(str(finders.find(icon["src"].removeprefix("/static/"))))
        head = path.read_bytes()[:24]
        assert head.startswith(b"\x89PNG")
        assert "{}x{}".format(*struct.unpack(">II", head[16:])) == icon["sizes"]


@pytest.mark.parametrize(("code", "words"), [("it", "Senza connessione"), ("en", "No connection")])
def test_the_page_in_place_of_an_error_is_the_same_for_everybody(code, words, by):
    client = Client()
    client.force_login(by.user)
    own, others = client.get(f"/offline/{code}/"), Client().get(f"/offline/{code}/")
    assert words in others.content.decode()
    assert str(by.user) not in own.content.decode().split("<main", 1)[0]
    assert Client().get("/offline/xx/").status_code == 404


def reader_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.headers.get("X-Girone-Reader"), answer.headers.get("X-Girone-Keep")


@pytest.mark.deep
def test_own_pages_say_whose_they_are_and_no_other_session_says_the_same(by):
    event = make.playing(by, 4)
    desk = reverse("tournaments:desk", args=[event.slug])
    players = reverse("tournaments:players", args=[event.slug])
    first, second, nobody = Client(), Client(), Client()
    for client in (first, second):
        client.force_login(by.user)
    key, kept = reader_of(first, desk)
    assert key
    assert kept
    assert reader_of(first, players) == (key, "1")
    assert reader_of(second, desk)[0] not in (key, None)
    assert reader_of(nobody, players) == (None, None)
    first.post("/accounts/logout/")
    assert reader_of(first, players) == (None, None)


@pytest.mark.deep
def test_pages_with_secrets_are_not_kept(by):
    event = make.open_event(by)
    (entry,) = make.players(event, 1, by)
    client = Client()
    client.force_login(by.user)
    for name in ("manage-links", "manage-staff", "manage-tokens", "arrivals", "manage-players"):
        key, kept = reader_of(client, reverse(f"tournaments:{name}", args=[event.slug]))
        assert (bool(key), kept) == (True, None), name
    assert reader_of(client, "/accounts/me/")[1] is None
    player = Client()
    opened = player.get(reverse("tournaments:open-link", args=[make_link(entry=entry, by=by)]))
    assert "X-Girone-Keep" not in opened.headers
    assert reader_of(player, reverse("tournaments:me", args=[event.slug]))[1] == "1"
    deck = client.get(reverse("tournaments:my-deck", args=[event.slug]))
    assert "X-Girone-Keep" not in deck.headers
