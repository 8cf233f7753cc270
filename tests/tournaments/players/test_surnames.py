"""Surnames of players: asked, guessed, corrected, taken back, archived, erased."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput
from tests import factories as make
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import as_listed, by_surname, folded
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Entry
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import add_entry, change_entry
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
NAMES = [
    *("Zoe Àbate", "Anna De Luca", "Gaia D’Amico", "Ugo Đorđević", "Bea Dario", "Ada Zeta"),
    *("Ada Rossi", "Bo Rossi"),
]
SORTED = [
    *("Àbate Zoe", "D’Amico Gaia", "Dario Bea", "De Luca Anna", "Đorđević Ugo", "Rossi Ada"),
    *("Rossi Bo", "Zeta Ada"),
]


@pytest.fixture
def event(by):
    return make.open_event(by)


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def test_lists_are_sorted_by_surname_where_people_look(event, by):
    make.players_more(event, NAMES, by)
    found = sorted(event.entries.all(), key=by_surname)
    assert [str(as_listed(entry)) for entry in found] == SORTED
    assert folded("Őry-D’Ångelo") == "ory dangelo"


def test_the_pairings_by_name_begin_with_surnames(by, client):
    event = make.playing(by, 8, formula="swiss-cut")
    for entry, name in zip(event.entries.order_by("number"), NAMES, strict=True):
        change_entry(entry=entry, changes={"name": name}, by=by)
    event.refresh_from_db()
    rows = pairings_page(read_facts(event)).names
    assert [str(as_listed(row.entry)) for row in rows] == SORTED
    text = client.get(reverse("tournaments:pairings", args=[event.slug])).content.decode()
    assert '<bdi class="person">De Luca <span class="given">Anna</span></bdi>' in text


def test_a_player_gives_both_or_one(event):
    phone = Client(headers={"accept-language": "en"})
    address = reverse("tournaments:register", args=[event.slug])
    phone.post(address, {"name": "Anna Maria", "surname": "Rossi Bo"})
    entry = event.entries.get()
    assert (entry.name, entry.surname) == ("Anna Maria Rossi Bo", "Rossi Bo")
    Client().post(address, {"name": "Ugo Rossi", "surname": "rossi"})
    assert event.entries.filter(name="Ugo Rossi", surname="").exists()
    Client().post(address, {"name": "Ada Verdi"})
    assert as_listed(event.entries.get(name="Ada Verdi")).surname == "Verdi"


def test_the_organiser_corrects_the_guess_and_takes_it_back(event, by, client):
    entry = add_entry(event=event, name="Mario Rossi Bo", by=by)
    assert as_listed(entry).surname == "Bo"
    address = reverse("tournaments:manage-player", args=[event.slug, entry.number])
    sent = {"name": entry.name, "surname": "Rossi Bo"}
    assert client.post(address, sent).status_code == 302
    entry.refresh_from_db()
    assert as_listed(entry)[:2] == ("Rossi Bo", "Mario")
    assert 'value="Rossi Bo"' in client.get(address).content.decode()
    line = event.log.latest("number")
    assert line.after["surname"] == "Rossi Bo"
    undo(event=event, expected=line.number, by=by)
    entry.refresh_from_db()
    assert entry.surname == ""


def test_what_is_no_part_of_the_name_is_refused_beside_the_field(event, by, client):
    entry = add_entry(event=event, name="Mario Rossi", by=by)
    address = reverse("tournaments:manage-player", args=[event.slug, entry.number])
    answer = client.post(address, {"name": "Mario Rossi", "surname": "Verdi"})
    assert answer.status_code == 400
    assert "neither begins nor ends the name" in answer.content.decode()
    with pytest.raises(BadInput):
        change_entry(entry=entry, changes={"surname": "Verdi"}, by=by)


def test_a_new_name_has_a_surname_of_its_own(event, by, client):
    entry = add_entry(event=event, name="Mario Rossi Bo", surname="Rossi Bo", by=by)
    address = reverse("tournaments:manage-player", args=[event.slug, entry.number])
    client.post(address, {"name": "Mario Verdi", "surname": "Rossi Bo"})
    entry.refresh_from_db()
    assert (entry.surname, as_listed(entry).surname) == ("", "Verdi")


def test_the_surname_goes_through_an_archive(event, by):
    add_entry(event=event, name="Mario Rossi Bo", surname="Rossi Bo", by=by)
    add_entry(event=event, name="Ada Verdi", by=by)
    kept = json.loads(archive(event))
    back = restore(json.dumps(kept).encode(), slug="back")
    assert list(back.entries.values_list("surname", flat=True)) == ["Rossi Bo", ""]
    for row in kept["tables"]["entries"]:
        del row["surname"]  # of an older site
    older = restore(json.dumps(kept).encode(), slug="older")
    assert [as_listed(entry).surname for entry in older.entries.all()] == ["Bo", "Verdi"]


def test_erasing_a_player_leaves_no_surname(event, by):
    entry = add_entry(event=event, name="Mario Rossi Bo", surname="Rossi Bo", by=by)
    change_entry(entry=entry, changes={"club": "Lupi"}, by=by)
    withdraw(entry=entry, by=by)
    erase_player(event=event, number=entry.number, confirm=entry.name, by=by)
    assert "Rossi" not in archive(event).decode()


def test_programs_read_and_write_it(event, by, client):
    sent = {"name": "Mario Rossi Bo", "surname": "rossi bo"}
    address = f"/api/v1/events/{event.slug}/players/"
    made = client.post(address, sent, content_type="application/json")
    assert (made.status_code, made.json()["surname"]) == (201, "Rossi Bo")
    one = client.patch(f"{address}1/", {"surname": ""}, content_type="application/json")
    assert one.json()["surname"] == "Bo"
    wrong = client.patch(f"{address}1/", {"surname": "Verdi"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_surname")
    assert Entry.objects.get().surname == ""
