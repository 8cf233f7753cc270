"""Registration that opens at a time, and the note on the fee: services, pages, archive."""

import json
from datetime import datetime, timedelta
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook

from rules.errors import BadInput, RuleError
from rules.people.person_names import read_people
from tests import factories as make
from tests.browsers import ENGLISH, signed_in
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.permissions import Actor
from tournaments.core.visibility import EVERY_LIST
from tournaments.events.selectors.events import state_badge
from tournaments.events.selectors.setup import setup_of
from tournaments.events.services import events
from tournaments.exports.workbook import event_workbook
from tournaments.models import Event
from tournaments.pages.offers import next_registration
from tournaments.players.services import entries
from tournaments.players.services import entries as pasted

pytestmark = pytest.mark.django_db

FIRST = datetime(2099, 12, 5, 10, 30, tzinfo=ZoneInfo("America/New_York"))


@pytest.fixture
def event(by):
    """Return an event in New York whose registration opens in a far winter."""
    return make.open_event(
        by, time_zone="America/New_York", registration_opens=FIRST, fee="5 € <b>bar</b>"
    )


@pytest.fixture
def guest():
    cache.clear()
    return Client(headers=ENGLISH)


@pytest.fixture
def signed(by):
    return signed_in(by)


def settings_typed(client: Client, path: str, **typed: str) -> dict[str, object]:
    values = {bound.html_name: bound.value() for bound in client.get(path).context["form"]}
    kept = {key: value for key, value in values.items() if value is not False}
    return {key: "" if value is None else value for key, value in kept.items()} | typed


def test_nobody_registers_before_the_time_but_the_staff_enters_players(event, by):
    with translation.override("en"), pytest.raises(RuleError) as refused:
        entries.register(event=event, name="Ada", user=None, by=Actor())
    assert refused.value.code == "registration_not_open_yet"
    assert "Sat 5 December 2099, 10:30 (America/New_York)" in str(refused.value)
    assert not event.entries.exists()
    assert entries.add_entry(event=event, name="Ada", by=by).number == 1
    assert len(pasted.add_entries(event=event, people=read_people("Bea\nCarlo"), by=by)) == 2


def test_from_its_time_on_registration_is_open(event, by):
    for name, moment in (("Ada", timezone.now()), ("Carla", None)):
        event = events.change_event(event=event, changes={"registration_opens": moment}, by=by)
        assert entries.register(event=event, name=name, user=None, by=Actor()).plays
    soon = timezone.now() + timedelta(minutes=5)
    events.change_event(event=event, changes={"registration_opens": soon}, by=by)
    with pytest.raises(RuleError):
        entries.register(event=event, name="Bea", user=None, by=Actor())


def test_after_its_time_registration_is_called_closed(event, guest):
    now, address = timezone.now(), reverse("tournaments:event", args=[event.slug])
    event.registration_opens, event.registration_closes = None, now + timedelta(minutes=1)
    event.capacity = 1
    event.save()
    assert next_registration(now) == event.registration_closes
    assert "Registration open" in guest.get(address).content.decode()
    event.registration_closes = now - timedelta(minutes=1)
    event.save()
    assert next_registration(now) is None
    with translation.override("en"):
        assert state_badge(event) == ("Registration closed", "neutral")
        steps = [step.label for step in setup_of(event)["steps"] if step.place == "now"]
    assert (steps, "close_registration" in setup_of(event)["moves"]) == (
        ["Registration closed"],
        False,
    )
    cache.clear()
    page = guest.get("/").content.decode()
    assert "Registration closed" in page
    assert reverse("tournaments:register", args=[event.slug]) not in page


@pytest.mark.parametrize("later", [timedelta(0), timedelta(minutes=-1), timedelta(days=-900)])
def test_it_opens_before_it_closes(event, by, later):
    before = Event.objects.values().get()
    changes = {"registration_closes": FIRST + later}
    with pytest.raises(BadInput) as refused:
        events.change_event(event=event, changes=changes, by=by)
    assert refused.value.code == "bad_registration"
    assert Event.objects.values().get() == before
    with pytest.raises(BadInput):
        make.event(by, registration_opens=FIRST, registration_closes=FIRST + later)


def test_the_times_lock_at_the_start_and_the_fee_does_not(by):
    event = make.started(by, 4, formula="single-group")
    with pytest.raises(RuleError) as refused:
        events.change_event(event=event, changes={"registration_opens": FIRST}, by=by)
    assert refused.value.code == "event_started"
    assert events.change_event(event=event, changes={"fee": "gratis"}, by=by).fee == "gratis"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("not open yet", "Opens:", "Sat 5 December 2099, 10:30", "to come")),
        ("it", ("non sono ancora aperte", "Apertura:", "sabato 5 dicembre 2099, ore 10:30")),
    ],
)
def test_the_pages_say_when_it_opens_and_what_it_costs(event, guest, language, words):
    for path in (f"/events/{event.slug}/", f"/events/{event.slug}/register/"):
        page = guest.get(path, headers={"accept-language": language}).content.decode()
        assert all(word in page for word in words)
        assert "America/New_York" in page
        assert "5 € &lt;b&gt;bar&lt;/b&gt;" in page
        assert 'action="/events/' not in page
    shown = guest.get("/", headers={"accept-language": "en"}).content.decode()
    assert "Registration to come" in shown


def test_a_post_before_the_time_is_refused_with_the_time(event, guest, by):
    answer = guest.post(f"/events/{event.slug}/register/", {"name": "Ada"})
    assert answer.status_code == 409
    assert "5 December 2099, 10:30" in answer.content.decode()
    assert not event.entries.exists()
    events.change_event(event=event, changes={"registration_opens": timezone.now()}, by=by)
    assert guest.post(f"/events/{event.slug}/register/", {"name": "Ada"}).status_code == 302
    assert event.entries.get().name == "Ada"


def test_without_fee_and_time_the_pages_say_nothing_of_them(guest, by):
    event = make.open_event(by)
    for path in (f"/events/{event.slug}/", f"/events/{event.slug}/register/"):
        page = guest.get(path).content.decode()
        assert "Fee" not in page
        assert "Opens:" not in page


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
    assert "Registration opens at its time." in answer.content.decode()


@pytest.mark.parametrize("closes", ["2099-12-05T10:30", "2099-12-05T10:29", "2026-12-05T10:30"])
def test_the_settings_name_the_field_that_is_too_late(signed, event, closes):
    path = f"/events/{event.slug}/manage/settings/"
    typed = settings_typed(signed, path, registration_closes=closes)
    answer = signed.post(path, typed)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == ["registration_opens"]
    assert "must open before it closes" in answer.content.decode()
    assert Event.objects.get().registration_closes is None


@pytest.mark.parametrize("typed", [{"registration_opens": "rubbish"}, {"fee": "x" * 201}])
def test_rubbish_in_the_settings_is_refused(signed, event, typed):
    path = f"/events/{event.slug}/manage/settings/"
    answer = signed.post(path, settings_typed(signed, path, **typed))
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == list(typed)


def test_the_workbook_names_the_fee(event):
    with translation.override("en"):
        sheet = load_workbook(BytesIO(event_workbook(event, staff=False, sight=EVERY_LIST)))[
            "Event"
        ]
    assert ("Fee", event.fee) in list(sheet.iter_rows(values_only=True))


def test_both_go_out_and_in_and_older_archives_lack_them(event):
    first = archive(event)
    Event.objects.filter(pk=event.pk).delete()
    again = restore(first)
    assert (again.registration_opens, again.fee) == (FIRST, event.fee)
    assert archive(again) == first
    document = json.loads(first)
    for name in ("registration_opens", "fee", "confirm_after"):
        del document["tables"]["events"][0][name]
    older = restore(json.dumps(document).encode(), slug="older")
    assert (older.registration_opens, older.fee, older.confirm_after) == (None, "", 0)
