"""How many queries pages cost when something has just changed, and when nothing has."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from tests import factories as make
from tests.tournaments.core.conftest import enter
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Match
from tournaments.players.services.entries import make_link

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("cached_facts")]
OF_READER = ("django_session", "accounts_user")
"""Tables that tell who reads."""


@pytest.fixture(params=[4, 64])
def event(request: pytest.FixtureRequest) -> Event:
    event = make.started(make.organiser(), request.param, formula="swiss-cut")
    make.next_round(event, Actor(user=event.created_by))
    return event


@pytest.fixture
def player(event: Event) -> Entry:
    return Match.objects.filter(round__event=event).order_by("-number")[0].players[0]


@pytest.fixture
def phone(event: Event, player: Entry) -> Client:
    client = Client()
    token = make_link(entry=player, by=Actor(entry=player))
    client.get(reverse("tournaments:open-link", args=[token]))
    return client


def asked(client: Client, address: str, **headers: str) -> tuple[HttpResponse, list[str]]:
    """Return the answer, and the queries that were made for it but for who reads."""
    with CaptureQueriesContext(connection) as made:
        answer = client.get(address, headers=headers)
    return answer, list(of_page(query["sql"] for query in made))


def of_page(queries: Iterator[str]) -> Iterator[str]:
    for sql in queries:
        if sql.startswith("SELECT") and not any(f'FROM "{table}"' in sql for table in OF_READER):
            yield sql


@pytest.mark.parametrize("name", ["pairings", "standings"])
def test_after_a_result_a_public_page_costs_three_queries(event: Event, name: str) -> None:
    address = f"/events/{event.slug}/{name}/"
    first, _all = asked(Client(), address)
    enter(event, Actor(user=event.created_by))
    answer, queries = asked(Client(), address)
    assert len(queries) == 3, queries
    assert answer.content != first.content


@pytest.mark.parametrize("name", ["pairings", "standings"])
def test_a_page_of_a_version_that_is_known_costs_one_query(event: Event, name: str) -> None:
    address, polls = f"/events/{event.slug}/{name}/", {"HX-Request": "true"}
    first, _all = asked(Client(), address, **polls)
    answer, queries = asked(Client(), address, **polls)
    assert (answer.content, len(queries)) == (first.content, 1)
    held, queries = asked(Client(), address, **polls, **{"If-None-Match": first["ETag"]})
    assert (held.status_code, len(queries)) == (304, 1)


def test_a_result_at_the_desk_costs_as_many_queries_in_any_hall(event: Event) -> None:
    """What it reads, stores and answers: event, match, log, the round's results and reports."""
    client = Client()
    client.force_login(event.created_by)
    client.get(f"/events/{event.slug}/desk/")
    matches = iter(Match.objects.filter(round__event=event).order_by("table"))

    def save() -> HttpResponse:
        address = f"/events/{event.slug}/desk/save/{next(matches).pk}/"
        sent = {"version": 0, "text": "40 10"}
        return client.post(address, sent, headers={"accept": "application/json"})

    save()
    with CaptureQueriesContext(connection) as made:
        answer = save().json()
    assert answer["status"] == "saved"
    assert " final" in answer["row"]
    assert '<progress value="2"' in answer["next"]
    asked_for = list(of_page(query["sql"] for query in made))
    assert len(asked_for) <= 16, asked_for


def test_the_api_shows_what_it_has_just_stored(event: Event) -> None:
    """The facts of the version before are known, and are not what is told."""
    client = APIClient()
    client.force_authenticate(event.created_by)
    for match in Match.objects.filter(round__event=event).order_by("table")[:2]:
        address = f"/api/v1/events/{event.slug}/matches/{match.pk}/"
        assert client.get(address).json()["state"] == "open"
        sent = {"version": 0, "score": [40, 10]}
        told = client.put(f"{address}result/", sent, format="json").json()
        assert (told["state"], told["version"], told["score"]) == ("final", 1, [40, 10])
        assert client.get(address).json() == told


def test_a_players_page_costs_three_queries(event: Event, phone: Client, player: Entry) -> None:
    """Event, link with the player, and what is reported at their table."""
    address = f"/events/{event.slug}/me/"
    asked(phone, address)
    enter(event, Actor(user=event.created_by))
    _answer, queries = asked(phone, address)
    assert len(queries) <= 4, queries  # the first who reads this version: its lines, its round
    _answer, queries = asked(phone, address)
    assert len(queries) <= 3, queries
    changed = Match.objects.filter(match_seats__entry=player)
    changed.update(state="reported", version=1)
    _answer, queries = asked(phone, address)
    assert len(queries) <= 3, queries


def test_an_account_sees_its_own_page_with_as_few(event: Event, player: Entry) -> None:
    client = Client()
    client.force_login(event.created_by)
    Entry.objects.filter(pk=player.pk).update(user=event.created_by)
    address = f"/events/{event.slug}/me/"
    asked(client, address)
    _answer, queries = asked(client, address)
    assert len(queries) <= 3, queries
