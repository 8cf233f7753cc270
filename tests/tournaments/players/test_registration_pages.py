"""Registration as everybody sees it: guests, accounts, the waiting list, and its end."""

import re

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client
from django.utils.html import strip_tags
from django.utils.translation import override

from tests import factories as make
from tests.browsers import read
from tournaments.events.selectors.setup import setup_of
from tournaments.events.services.events import move_event
from tournaments.models import Entry, Event, PersonalLink
from tournaments.players.views import registration as public_register

pytestmark = pytest.mark.django_db


def test_a_guest_registers_by_name_and_gets_a_link_once(client: Client) -> None:
    cache.clear()
    event = make.open_event(make.organiser())
    path = f"/events/{event.slug}/register/"
    sent = client.post(path, {"name": "Anna"})
    assert (sent.status_code, sent.url) == (302, path)
    answer = client.get(path, headers={"accept-language": "en"})
    words = answer.content.decode()
    assert "You are registered" in words
    assert "/p/" in words
    assert "<svg" in words
    assert "style=" not in words
    assert answer["Cache-Control"] == "no-store"
    link = PersonalLink.objects.get()
    assert link.token_hash not in words
    assert "You are Anna" in read(client, f"/events/{event.slug}/")


def test_a_user_registers_with_one_click(client: Client) -> None:
    cache.clear()
    event = make.open_event(make.organiser())
    person = make.user(name="Bruno")
    client.force_login(person)
    assert "Register as Bruno" in read(client, f"/events/{event.slug}/")
    answer = client.post(f"/events/{event.slug}/register/", {"name": "Bruno"})
    assert answer.status_code == 302
    assert Entry.objects.get(user=person).name == "Bruno"
    again = client.post(f"/events/{event.slug}/register/", {"name": "Bruno"})
    assert again.status_code == 409


def test_a_full_event_has_a_waiting_list(client: Client) -> None:
    cache.clear()
    by = make.organiser()
    event = make.open_event(by, capacity=1)
    make.players(event, 1, by)
    path = f"/events/{event.slug}/register/"
    assert "All places are taken." in read(client, path)
    member = Client()
    member.force_login(make.user(name="Bruno"))
    offered = read(member, f"/events/{event.slug}/")
    assert "Join the waiting list" in offered
    assert "Register as" not in offered
    client.post(path, {"name": "Anna"})
    assert "You are on the waiting list" in read(client, path)
    assert event.entries.get(name="Anna").status == Entry.Status.WAITING
    event.entries.exclude(name="Anna").delete()
    shown = read(Client(), f"/events/{event.slug}/")
    assert "1 place free, for who is waiting" in shown
    assert "All places are taken" not in shown
    event.refresh_from_db()
    assert setup_of(event)["for_waiting"] == 1


def test_registration_that_is_closed_says_so(client: Client) -> None:
    cache.clear()
    by = make.organiser()
    event = move_event(event=make.open_event(by), action="close_registration", by=by)
    path = f"/events/{event.slug}/register/"
    assert "Registration is closed." in read(client, path)
    assert client.post(path, {"name": "Anna"}).status_code == 409
    assert not event.entries.exists()


def test_a_flood_of_registrations_is_slowed_for_its_client_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_register, "PER_MINUTE", 5)
    event = make.open_event(make.organiser())
    path = f"/events/{event.slug}/register/"
    codes = [client.post(path, {"name": ""}).status_code for _ in range(6)]
    assert codes == [400] * 5 + [429]
    other = Client(REMOTE_ADDR="192.0.2.77")
    assert other.post(path, {"name": "Anna"}).status_code == 302
    assert event.entries.get().name == "Anna"


def test_a_reload_registers_nobody_again(client: Client) -> None:
    event = make.open_event(make.organiser())
    path = f"/events/{event.slug}/register/"
    assert client.post(path, {"name": "Anna"}).status_code == 302
    for _reload in range(2):
        assert "You are registered" in read(client, path)
    again = client.post(path, {"name": "Anna"}, headers={"accept-language": "en"})
    assert again.status_code == 409
    assert "registered for this event already" in again.content.decode()
    assert event.entries.count() == 1


def test_a_phone_that_has_registered_says_where_a_friend_registers(client: Client) -> None:
    by = make.organiser()
    event = make.open_event(by)
    path = f"/events/{event.slug}/register/"
    client.post(path, {"name": "Anna"})
    client.cookies.pop("shown_once")
    shown = read(client, path)
    assert "A friend wants to play too? They register on their own phone" in shown
    refused = client.post(path, {"name": "Bea"}, headers={"accept-language": "it"})
    assert refused.status_code == 409
    words = refused.content.decode()
    assert "Chi è con te si iscrive dal proprio telefono, o chiede un posto" in words
    assert "You are Anna" in shown
    assert event.entries.count() == 1
    assert Client().post(path, {"name": "Bea"}).status_code == 302
    move_event(event=event, action="close_registration", by=by)
    assert "A friend" not in read(client, path)


def test_the_link_is_shown_to_nobody_else(client: Client) -> None:
    event = make.open_event(make.organiser())
    path = f"/events/{event.slug}/register/"
    client.post(path, {"name": "Anna"})
    cookie = client.cookies["shown_once"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (path, True, "Strict")
    assert "/p/" not in read(Client(), path)
    forged = Client()
    forged.cookies["shown_once"] = cookie.value.replace(":", "x:", 1)
    assert "/p/" not in read(forged, path)


def test_an_equal_name_is_asked_about(client: Client) -> None:
    event = make.open_event(make.organiser())
    path = f"/events/{event.slug}/register/"
    assert "same name" not in read(client, path)
    Client().post(path, {"name": "Nicolò Riva"})
    asked = client.post(path, {"name": "NICOLO’ RIVA"}, headers={"accept-language": "en"})
    assert asked.status_code == 409
    words = asked.content.decode()
    assert "is registered already. Nothing was stored" in words
    assert "I am somebody else with the same name" in words
    assert event.entries.count() == 1
    sent = client.post(path, {"name": "Nicolò Riva", "namesake": "on"})
    assert sent.status_code == 302
    assert event.entries.count() == 2


LISTS = re.compile(r"\b(deck ?)?lists?\b|\blist[ae]\b|\bmazz[oi]\b", re.IGNORECASE)


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_registration_without_lists_never_speaks_of_lists(client: Client, language) -> None:
    cache.clear()
    event = make.open_event(make.organiser(), fee="5 €")
    path = f"/events/{event.slug}/register/"
    before = (read(client, f"/events/{event.slug}/", language), read(client, path, language))
    client.post(path, {"name": "Anna"})
    link = PersonalLink.objects.get()
    context = {"event": event, "entry": link.entry, "named": True, "url": "/p/x"}
    with override(language):
        mail = render_to_string("tournaments/players/link.txt", context)
    found = [
        word[0]
        for words in (*before, read(client, path, language), mail)
        for word in LISTS.finditer(strip_tags(words.partition("<main")[2] or words))
    ]
    assert found == []
    event.decklists = Event.Decklists.REQUIRED
    with override(language):
        assert LISTS.search(render_to_string("tournaments/players/link.txt", context))
