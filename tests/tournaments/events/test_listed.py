"""An event that is taken off the lists: named nowhere, found by its address."""

import json

import pytest

from tests import factories as make
from tests.browsers import signed_in
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.events.services.events import change_event, copy_event
from tournaments.models import Event
from tournaments.player_pages.services import show_person
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

NAME = "Torneo riservato"
LISTS = ("/", "/?q=riservato", "/feed/", "/events.ics", "/api/v1/events/?search=riservato")


@pytest.fixture(params=["open", "running", "finished"])
def event(request, by):
    made = {"open": make.open_event, "running": make.playing, "finished": make.played}
    players = () if request.param == "open" else (4,)
    return made[request.param](by, *players, name=NAME, formula="single-group")


def unlisted(event, by):
    return change_event(event=event, changes={"listed": False}, by=by)


def named_in(client):
    return [address for address in LISTS if NAME in client.get(address).content.decode()]


def test_it_stands_in_no_list_and_its_address_works(event, by, client):
    staff = signed_in(by)
    assert named_in(client) == named_in(staff) == list(LISTS)
    unlisted(event, by)
    assert named_in(client) == named_in(staff) == []
    for address in (f"/events/{event.slug}/", f"/api/v1/events/{event.slug}/"):
        assert NAME in client.get(address).content.decode()
    own = staff.get("/me/", headers={"accept-language": "en"}).content.decode()
    assert (NAME in own, "Not listed" in own) == (True, True)
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


def test_a_person_s_page_leaves_it_out(by, client):
    event = make.played(by, 4, name=NAME, formula="single-group")
    person = make.user("ada@example.org", name="Ada")
    event.entries.filter(number=1).update(user=person)
    show_person(user=person)
    person.refresh_from_db()
    address = f"/people/{person.person_key}/"
    assert NAME in client.get(address).content.decode()
    unlisted(event, by)
    assert NAME not in client.get(address).content.decode()


def test_it_is_a_setting_with_a_line_and_undo(by, client):
    event = make.started(by, 4, formula="single-group")
    client.force_login(by.user)
    address = f"/api/v1/events/{event.slug}/"
    send = {"data": json.dumps({"listed": False}), "content_type": "application/json"}
    assert client.get(address).json()["listed"] is True
    assert client.patch(address, **send).json()["listed"] is False
    line = event.log.order_by("-number").first()
    assert (line.action, line.before, line.after) == (
        "event.changed",
        {"listed": True},
        {"listed": False},
    )
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert client.get(address).json()["listed"] is True
    wrong = client.patch(address, json.dumps({"listed": "x"}), content_type="application/json")
    assert (wrong.status_code, "listed" in wrong.content.decode()) == (400, True)


def test_an_event_is_made_off_the_lists(by, client):
    client.force_login(by.user)
    sent = {"name": NAME, "format": "thoom", "formula": "single-group", "listed": False}
    made = client.post("/api/v1/events/", json.dumps(sent), content_type="application/json")
    assert (made.status_code, made.json()["listed"]) == (201, False)


def test_the_archive_holds_it_and_a_copy_does_not(by):
    event = unlisted(make.started(by, 4, formula="single-group"), by)
    content = archive(event)
    assert json.loads(content)["tables"]["events"][0]["listed"] is False
    assert not restore(content, slug="portato").listed
    older = json.loads(content)
    del older["tables"]["events"][0]["listed"]
    assert restore(json.dumps(older).encode(), slug="vecchio").listed
    values = {"name": "Copia", "format": event.format, "formula": "single-group"}
    assert copy_event(source=event, values=values | {"starts_at": event.starts_at}, by=by).listed


def test_the_settings_page_says_how_and_keeps_what_is_not_sent(by):
    event = make.started(by, 4, formula="single-group")
    client = signed_in(by)
    address = f"/events/{event.slug}/manage/settings/"
    page = client.get(address, headers={"accept-language": "en"})
    assert "only the site’s operator can delete it" in page.content.decode()
    form = page.context["form"]
    typed = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    for sent, listed in (("False", False), ("", False), ("True", True)):
        assert client.post(address, typed | {"listed": sent}).status_code == 302
        assert Event.objects.get(pk=event.pk).listed is listed


def test_a_copy_by_the_page_is_listed(by):
    event = unlisted(make.started(by, 4, formula="single-group"), by)
    form = signed_in(by).get(f"/events/new/?copy={event.slug}").context["form"]
    assert form["listed"].value() == "True"
