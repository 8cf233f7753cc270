"""Registration as everybody sees it: guests, accounts, waiting list, times, fee and clubs."""

import json
import re
from datetime import datetime, timedelta
from html import unescape
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone, translation
from django.utils.html import strip_tags
from django.utils.translation import override
from openpyxl import load_workbook
from rest_framework.test import APIClient

from rules.errors import RuleError
from rules.people.person_names import read_people
from tests import factories as make
from tests.browsers import ENGLISH, read, url
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.core.visibility import EVERY_LIST
from tournaments.events import services as events
from tournaments.events.selectors.events import setup_summary, state_badge
from tournaments.events.services import change_event_state
from tournaments.exports.workbook import event_workbook
from tournaments.models import Entry, Event, PersonalLink
from tournaments.pages.access import next_registration_change
from tournaments.players.services import entries
from tournaments.players.services import entries as pasted
from tournaments.players.views import access as public_register

pytestmark = pytest.mark.django_db


def test_a_guest_registers_by_name_and_gets_a_link_once(by, client: Client) -> None:
    event = make.open_event(by)
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


def test_a_user_registers_with_one_click(by, client: Client) -> None:
    event = make.open_event(by)
    person = make.user(name="Bruno")
    client.force_login(person)
    assert "Register as Bruno" in read(client, f"/events/{event.slug}/")
    answer = client.post(f"/events/{event.slug}/register/", {"name": "Bruno"})
    assert answer.status_code == 302
    assert Entry.objects.get(user=person).name == "Bruno"
    again = client.post(f"/events/{event.slug}/register/", {"name": "Bruno"})
    assert again.status_code == 409


def test_a_full_event_has_a_waiting_list(by, client: Client) -> None:
    event = make.open_event(by, capacity=1)
    make.players(event, 1, by)
    path = f"/events/{event.slug}/register/"
    assert "All places are taken" in read(client, path)
    member = Client()
    member.force_login(make.user(name="Bruno"))
    offered = read(member, f"/events/{event.slug}/")
    assert "Join the waiting list" in offered
    assert "Register as" not in offered
    client.post(path, {"name": "Anna"})
    assert "On the waiting list" in read(client, path)
    assert event.entries.get(name="Anna").status == Entry.Status.WAITING
    event.entries.exclude(name="Anna").delete()
    shown = read(Client(), f"/events/{event.slug}/")
    assert "Waiting list places left" in shown
    assert "All places are taken" not in shown
    event.refresh_from_db()
    assert setup_summary(event).for_waiting == 1


def test_registration_that_is_closed_says_so(by, client: Client) -> None:
    event = change_event_state(event=make.open_event(by), action="close_registration", by=by)
    path = f"/events/{event.slug}/register/"
    assert "Registration is closed." in read(client, path)
    assert client.post(path, {"name": "Anna"}).status_code == 409
    assert not event.entries.exists()


def test_a_flood_of_registrations_is_slowed_for_its_client_only(
    by, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_register, "PER_MINUTE", 5)
    event = make.open_event(by)
    path = f"/events/{event.slug}/register/"
    codes = [client.post(path, {"name": ""}).status_code for _ in range(6)]
    assert codes == [400] * 5 + [429]
    other = Client(REMOTE_ADDR="192.0.2.77")
    assert other.post(path, {"name": "Anna"}).status_code == 302
    assert event.entries.get().name == "Anna"


def test_a_reload_registers_nobody_again(by, client: Client) -> None:
    event = make.open_event(by)
    path = f"/events/{event.slug}/register/"
    assert client.post(path, {"name": "Anna"}).status_code == 302
    for _reload in range(2):
        assert "You are registered" in read(client, path)
    again = client.post(path, {"name": "Anna"}, headers={"accept-language": "en"})
    assert again.status_code == 409
    assert "You are already registered" in again.content.decode()
    assert event.entries.count() == 1


def test_a_phone_that_has_registered_says_where_a_friend_registers(by, client: Client) -> None:
    event = make.open_event(by)
    path = f"/events/{event.slug}/register/"
    client.post(path, {"name": "Anna"})
    client.cookies.pop("shown_once")
    refused = client.post(path, {"name": "Bea"}, headers={"accept-language": "it"})
    assert refused.status_code == 409
    words = refused.content.decode()
    assert "Gli amici devono iscriversi dal proprio telefono." in words
    assert "You are Anna" in read(client, path)
    assert event.entries.count() == 1
    assert Client().post(path, {"name": "Bea"}).status_code == 302


def test_the_link_is_shown_to_nobody_else(by, client: Client) -> None:
    event = make.open_event(by)
    path = f"/events/{event.slug}/register/"
    client.post(path, {"name": "Anna"})
    cookie = client.cookies["shown_once"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (path, True, "Strict")
    assert "/p/" not in read(Client(), path)
    forged = Client()
    forged.cookies["shown_once"] = cookie.value.replace(":", "x:", 1)
    assert "/p/" not in read(forged, path)


def test_an_equal_name_is_asked_about(by, client: Client) -> None:
    event = make.open_event(by)
    path = f"/events/{event.slug}/register/"
    assert "same name" not in read(client, path)
    Client().post(path, {"name": "Nicolò Riva"})
    asked = client.post(path, {"name": "NICOLO’ RIVA"}, headers={"accept-language": "en"})
    assert asked.status_code == 409
    words = asked.content.decode()
    assert "is already registered. If that is you" in words
    assert "I’m someone else with the same name" in words
    assert event.entries.count() == 1
    sent = client.post(path, {"name": "Nicolò Riva", "namesake": "on"})
    assert sent.status_code == 302
    assert event.entries.count() == 2


LISTS = re.compile(
    r"\b(deck ?)?lists?\b|\blist[ae]\b|\bmazz[oi]\b(?! da combattimento)", re.IGNORECASE
)
"""Words of lists; what to bring names the deck itself."""


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_registration_without_lists_never_speaks_of_lists(by, client: Client, language) -> None:
    event = make.open_event(by, fee="5 €")
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


FIRST = datetime(2099, 12, 5, 10, 30, tzinfo=ZoneInfo("America/New_York"))


@pytest.fixture
def later(by):
    """Return an event in New York whose registration opens in a far winter."""
    return make.open_event(
        by, time_zone="America/New_York", registration_opens=FIRST, fee="5 € <b>bar</b>"
    )


@pytest.fixture
def guest():
    cache.clear()
    return Client(headers=ENGLISH)


def settings_typed(client: Client, path: str, **typed: str) -> dict[str, object]:
    values = {bound.html_name: bound.value() for bound in client.get(path).context["form"]}
    kept = {key: value for key, value in values.items() if value is not False}
    return {key: "" if value is None else value for key, value in kept.items()} | typed


def test_nobody_registers_before_the_time_but_the_staff_enters_players(later, by):
    with translation.override("en"), pytest.raises(RuleError) as refused:
        entries.register(event=later, name="Ada", user=None, by=Actor())
    assert refused.value.code == "registration_not_open_yet"
    assert "Sat 5 December 2099, 10:30 (America/New_York)" in str(refused.value)
    assert not later.entries.exists()
    assert entries.add_entry(event=later, name="Ada", by=by).number == 1
    assert len(pasted.add_entries(event=later, people=read_people("Bea\nCarlo"), by=by)) == 2


def test_from_its_time_on_registration_is_open(later, by):
    for name, moment in (("Ada", timezone.now()), ("Carla", None)):
        later = events.change_event(event=later, changes={"registration_opens": moment}, by=by)
        assert entries.register(event=later, name=name, user=None, by=Actor()).plays
    soon = timezone.now() + timedelta(minutes=5)
    events.change_event(event=later, changes={"registration_opens": soon}, by=by)
    with pytest.raises(RuleError):
        entries.register(event=later, name="Bea", user=None, by=Actor())


def test_after_its_time_registration_is_called_closed(later, guest):
    now, address = timezone.now(), url("event", later)
    later.registration_opens, later.registration_closes = None, now + timedelta(minutes=1)
    later.capacity = 1
    later.save()
    assert next_registration_change(now) == later.registration_closes
    assert "Registration open" in guest.get(address).content.decode()
    later.registration_closes = now - timedelta(minutes=1)
    later.save()
    assert next_registration_change(now) is None
    with translation.override("en"):
        assert state_badge(later) == ("Registration closed", "neutral")
    assert "close_registration" not in setup_summary(later).moves
    cache.clear()
    page = guest.get("/").content.decode()
    assert "Registration closed" in page
    assert url("register", later) not in page


@pytest.mark.parametrize(
    ("language", "on_event", "on_form"),
    [
        (
            "en",
            ("Registration not open yet", "Registration opens:", "Sat 5 December, 10:30"),
            ("not open yet", "Opens:", "Sat 5 December 2099, 10:30"),
        ),
        (
            "it",
            ("non ancora aperte", "Le iscrizioni aprono:", "sabato 5 dicembre alle 10:30"),
            ("non sono ancora aperte", "Apertura:", "sabato 5 dicembre 2099, ore 10:30"),
        ),
    ],
)
def test_the_pages_say_when_it_opens_and_what_it_costs(later, guest, language, on_event, on_form):
    for name, words in (("event", on_event), ("register", on_form)):
        page = guest.get(url(name, later), headers={"accept-language": language}).content.decode()
        assert all(word in page for word in words)
        assert "2099" in page
        assert '<small class="zone">America/New_York</small>' in page
        assert "5 € &lt;b&gt;bar&lt;/b&gt;" in page
        assert 'action="/events/' not in page
    shown = guest.get("/", headers={"accept-language": "en"}).content.decode()
    assert "Registration not open yet" in shown


def test_a_post_before_the_time_is_refused_with_the_time(later, guest, by):
    answer = guest.post(f"/events/{later.slug}/register/", {"name": "Ada"})
    assert answer.status_code == 409
    assert "5 December 2099, 10:30" in answer.content.decode()
    assert not later.entries.exists()
    events.change_event(event=later, changes={"registration_opens": timezone.now()}, by=by)
    assert guest.post(f"/events/{later.slug}/register/", {"name": "Ada"}).status_code == 302
    assert later.entries.get().name == "Ada"


def test_without_fee_and_time_the_pages_say_nothing_of_them(guest, by):
    event = make.open_event(by)
    for path in (f"/events/{event.slug}/", f"/events/{event.slug}/register/"):
        page = guest.get(path).content.decode()
        assert "Fee" not in page
        assert "Opens:" not in page


@pytest.mark.deep
def test_the_settings_store_both_in_the_events_zone(signed, by):
    event = make.event(by, time_zone="America/New_York")
    path = f"/events/{event.slug}/manage/settings/"
    typed = settings_typed(signed, path, registration_opens="2099-12-05T10:30", fee=" 5 € ")
    assert signed.post(path, typed).status_code == 302
    event.refresh_from_db()
    assert (event.registration_opens, event.fee) == (FIRST, "5 €")
    assert settings_typed(signed, path)["registration_opens"] == "2099-12-05T10:30"
    answer = signed.post(
        f"/events/{event.slug}/manage/move/", {"action": "open_registration"}, follow=True
    )
    assert "Saved." in answer.content.decode()


@pytest.mark.parametrize("closes", ["2099-12-05T10:30", "2099-12-05T10:29", "2026-12-05T10:30"])
def test_the_settings_name_the_field_that_is_too_late(signed, later, closes):
    path = f"/events/{later.slug}/manage/settings/"
    typed = settings_typed(signed, path, registration_closes=closes)
    answer = signed.post(path, typed)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == ["registration_opens"]
    assert "must open before it closes" in answer.content.decode()
    assert Event.objects.get().registration_closes is None


@pytest.mark.parametrize("typed", [{"registration_opens": "rubbish"}, {"fee": "x" * 201}])
def test_rubbish_in_the_settings_is_refused(signed, later, typed):
    path = f"/events/{later.slug}/manage/settings/"
    answer = signed.post(path, settings_typed(signed, path, **typed))
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == list(typed)


def test_the_workbook_names_the_fee(later):
    with translation.override("en"):
        sheet = load_workbook(BytesIO(event_workbook(later, staff=False, sight=EVERY_LIST)))[
            "Event"
        ]
    assert ("Fee", later.fee) in list(sheet.iter_rows(values_only=True))


CLUBS = pytest.mark.parametrize(
    "club", ["Circolo anna.rossi@example.org", "333 1234567", "Circolo +39 333.1234567"]
)
SENTENCE = "Leave out email addresses, phone numbers and links."


@pytest.fixture
def opened(by) -> Event:
    return make.open_event(by)


@pytest.fixture
def program(by):
    api = APIClient(headers={"Accept-Language": "en"})
    api.force_authenticate(by.user)
    return api


def at_the_field(answer) -> bool:
    _before, found, after = unescape(answer.content.decode()).partition(
        '<div class="errors" id="id_club'
    )
    return bool(found) and SENTENCE in after


def page(name, event, *parts):
    return url(f"{name}", event, *parts)


@pytest.mark.deep
@CLUBS
def test_forms_say_so_at_the_field(opened, signed, by, club):
    entry = make.players(opened, 1, by)[0]
    visitor = Client(headers={"Accept-Language": "en"})
    running = make.playing(by, 8, formula="swiss-cut")
    ways = [
        (signed, page("manage-players-add", running)),
        (visitor, page("register", opened)),
        (signed, page("manage-players-add", opened)),
        (signed, page("manage-player", opened, entry.number)),
    ]
    for reader, address in ways:
        answer = reader.post(address, {"name": "Bea", "club": club, "missed": "loss"})
        assert answer.status_code == 400, address
        assert at_the_field(answer), address
    assert [*opened.entries.values_list("club", flat=True)] == [entry.club]


@CLUBS
@pytest.mark.parametrize("many", [False, True])
def test_programs_are_told_the_field(opened, program, by, many, club):
    entry = make.players(opened, 1, by)[0]
    players = f"/api/v1/events/{opened.slug}/players/"
    person = {"name": "Bea", "club": club}
    answers = [
        program.post(players, [person] if many else person, format="json"),
        program.patch(f"{players}{entry.number}/", {"club": club}, format="json"),
    ]
    for answer in answers:
        assert answer.status_code == 400
        told = json.dumps(answer.json())
        assert '"club' in told, told
        assert "Leave out email addresses" in told
    assert opened.entries.count() == 1


@CLUBS
def test_what_was_stored_before_comes_back_from_an_archive(opened, by, club):
    entry = make.players(opened, 1, by)[0]
    type(entry).objects.filter(pk=entry.pk).update(club=club)
    assert restore_archive(event_archive(opened), slug="again").entries.get().club == club
