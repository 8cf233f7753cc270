"""No-shows and players who dropped out are told apart, and the staff corrects it."""

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import RuleError
from tests import factories as make
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import data_of_entry
from tournaments.exports.handout.exits import exits
from tournaments.models import Entry, Event
from tournaments.players.services.departures import come_back, say_how_left, withdraw
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return a group after a round in which all played but number 4, who had withdrawn."""
    event = make.started(by, 4, formula="single-group", format="thoom")
    withdraw(entry=event.entries.get(number=4), by=by)
    make.play_round(make.next_round(event, by), by)
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def told(client: Client, event: Event) -> dict[int, tuple[str, str | None]]:
    rows = client.get(f"/api/v1/events/{event.slug}/players/").json()["results"]
    return {row["number"]: (row["status"], row["left"]) for row in rows}


def test_who_never_played_is_a_no_show(event, by, client):
    withdraw(entry=event.entries.get(number=1), by=by)
    assert told(client, event) == {
        1: ("withdrawn", "dropped"),
        2: ("registered", None),
        3: ("registered", None),
        4: ("withdrawn", "no_show"),
    }
    names = client.get(reverse("tournaments:players", args=[event.slug])).content.decode()
    standings = client.get(reverse("tournaments:standings", args=[event.slug])).content.decode()
    for page in (names, standings):
        assert page.count("No-show") == 1
        assert page.count("Withdrawn") == 1
    csv = client.get(reverse("tournaments:csv-players", args=[event.slug])).content.decode()
    assert "no_show" in csv
    assert "dropped" in csv
    assert list(verify_event(event)) == []


@pytest.mark.usefixtures("in_english")
def test_the_standings_to_hand_out_say_who_did_not_show_up(event, by):
    withdraw(entry=event.entries.get(number=1), by=by)
    out = exits(load_facts(event))
    assert (out[1], out[4]) == ("leaves after round 1", "did not show up")


def test_who_says_so_before_playing_is_no_no_show(by, client):
    event = make.open_event(by, formula="single-group", format="thoom")
    make.players(event, 4, by)
    withdraw(entry=event.entries.get(number=1), by=Actor(entry=event.entries.get(number=1)))
    withdraw(entry=event.entries.get(number=2), by=by)
    assert told(client, event)[1] == ("withdrawn", "dropped")
    assert told(client, event)[2] == ("withdrawn", None)


def test_the_staff_corrects_it_by_the_page(event, by, client):
    page = reverse("tournaments:manage-player", args=[event.slug, 4])
    assert "Counts as a no-show" in client.get(page).content.decode()
    left = reverse("tournaments:manage-player-left", args=[event.slug, 4])
    said = client.post(left, {"left": "dropped"}, follow=True)
    assert "counts as dropped out" in said.content.decode()
    assert told(client, event)[4] == ("withdrawn", "dropped")
    assert client.post(left, {"left": "flown"}).status_code == 404
    event.refresh_from_db()
    undo(event=event, expected=event.version, by=by)
    assert told(client, event)[4] == ("withdrawn", "no_show")
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


def test_a_program_corrects_it_and_an_archive_keeps_it(event, by, client):
    address = f"/api/v1/events/{event.slug}/players/4/"
    answer = client.patch(address, {"left": "dropped"}, "application/json")
    assert (answer.status_code, answer.json()["left"]) == (200, "dropped")
    assert data_of_entry(event.entries.get(number=4))["player"]["left"] == "dropped"
    lines = event.log.count()
    client.patch(address, {"left": "dropped"}, "application/json")
    assert event.log.count() == lines
    here = client.patch(address.replace("/4/", "/1/"), {"left": "dropped"}, "application/json")
    assert (here.status_code, here.json()["code"]) == (409, "not_withdrawn")
    written = archive(event)
    Event.objects.all().delete()
    again = restore(written, caller=by.user)
    assert told(client, again)[4] == ("withdrawn", "dropped")
    assert archive(again) == written


def test_who_comes_back_begins_anew(event, by):
    entry = say_how_left(entry=event.entries.get(number=4), left="dropped", by=by)
    come_back(entry=entry, by=by)
    assert Entry.objects.get(pk=entry.pk).left == ""
    with pytest.raises(RuleError, match="has not withdrawn"):
        say_how_left(entry=entry, left="no_show", by=by)
