"""A club is public: no way of entering somebody takes an e-mail address or a number for it."""

import json
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.models import Event

pytestmark = pytest.mark.django_db
CLUBS = pytest.mark.parametrize(
    "club", ["Circolo anna.rossi@example.org", "333 1234567", "Circolo +39 333.1234567"]
)
SENTENCE = "Clubs are public: take it out."


@pytest.fixture
def event(by) -> Event:
    return make.open_event(by)


@pytest.fixture
def organiser(by):
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


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
    return reverse(f"tournaments:{name}", args=[event.slug, *parts])


@CLUBS
def test_forms_say_so_at_the_field(event, organiser, by, club):
    entry = make.players(event, 1, by)[0]
    visitor = Client(headers={"Accept-Language": "en"})
    ways = [
        (visitor, page("register", event)),
        (organiser, page("manage-players-add", event)),
        (organiser, page("manage-player", event, entry.number)),
    ]
    for reader, address in ways:
        answer = reader.post(address, {"name": "Bea", "club": club})
        assert answer.status_code == 400, address
        assert at_the_field(answer), address
    assert [*event.entries.values_list("club", flat=True)] == [entry.club]


@CLUBS
def test_so_does_the_form_of_a_late_entry(by, organiser, club):
    event = make.started(by, 8, formula="swiss-cut")
    make.next_round(event, by)
    values = {"name": "Zoe", "club": club, "missed": "loss"}
    answer = organiser.post(page("manage-players-add", event), values)
    assert (answer.status_code, at_the_field(answer)) == (400, True)


@CLUBS
@pytest.mark.parametrize("many", [False, True])
def test_programs_are_told_the_field(event, program, by, many, club):
    entry = make.players(event, 1, by)[0]
    players = f"/api/v1/events/{event.slug}/players/"
    person = {"name": "Bea", "club": club}
    answers = [
        program.post(players, [person] if many else person, format="json"),
        program.patch(f"{players}{entry.number}/", {"club": club}, format="json"),
    ]
    for answer in answers:
        assert answer.status_code == 400
        told = json.dumps(answer.json())
        assert '"club' in told, told
        assert "Clubs are public" in told
    assert event.entries.count() == 1


@CLUBS
def test_what_was_stored_before_comes_back_from_an_archive(event, by, club):
    entry = make.players(event, 1, by)[0]
    type(entry).objects.filter(pk=entry.pk).update(club=club)
    assert restore(archive(event), slug="again").entries.get().club == club
