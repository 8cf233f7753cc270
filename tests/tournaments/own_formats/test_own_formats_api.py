"""Formats of games of one's own through the API, and events that have them."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from config.looks import drawing
from decks.models import FormatVersion, HouseFormat
from decks.rulebook import base_format, deck_format
from decks.stored_formats import once_a_request
from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.json import rules_to_json
from tests import factories as make
from tests.tournaments.own_formats.games import CATAN, PAUPER, posted
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
URL = "/api/v1/formats/"


@pytest.fixture
def owner() -> User:
    return make.user()


def browser(user: User | None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user)
    return client


def put(client: Client, slug: str, body: object) -> Any:
    return client.put(f"{URL}{slug}/", json.dumps(body), content_type="application/json")


def test_a_format_is_made_listed_changed_and_deleted(owner: User) -> None:
    client = browser(owner)
    made = posted(client, URL, PAUPER)
    assert made.status_code == 201
    told = made.json()
    assert told["own"] is True
    assert (told["game"], told["game_name"], told["lists"]) == ("Magic", "Magic", "counted")
    assert (told["slug"], told["version"], told["base"]) == ("own_pauper-del-venerdi", 1, None)
    assert told["rules"]["zones"][0]["min"] == 60
    assert told["not_checked"] == ["colours"]
    slug = told["slug"]
    assert client.get(f"{URL}{slug}/").json() == told
    listed = [one["slug"] for one in client.get(f"{URL}?own=1").json()["results"]]
    assert listed == [slug]
    assert browser(make.user()).get(f"{URL}?own=1").json()["results"] == []
    everybody = Client().get(f"{URL}?page_size=100").json()["results"]
    assert slug in {one["slug"] for one in everybody}
    changed = put(client, slug, PAUPER | {"game": "Magia", "version": 1})
    assert (changed.json()["game"], changed.json()["version"]) == ("Magia", 2)
    assert put(client, slug, PAUPER | {"version": 1}).status_code == 409
    assert put(client, slug, PAUPER | {"game": "Magia"}).json()["version"] == 2, "nothing changed"
    assert client.delete(f"{URL}{slug}/").status_code == 204
    assert client.get(f"{URL}{slug}/").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"game": " "}, "game"),
        ({"name": 7}, "name"),
        ({"lists": "some"}, "lists"),
        ({"rules": None}, "$"),
        ({"rules": {"zones": []}}, "zones"),
        ({"lists": "off", "rules": {"match": {"best_of": 2}}}, "match.best_of"),
        ({"lists": "collected", "rules": {"colours": 1}}, "colours"),
        ({"rules": PAUPER["rules"] | {"checks": [{"check": "one_language"}]}}, "checks"),
        ({"rules": PAUPER["rules"] | {"match": {"first": "The youngest."}}}, "match.first"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_stored(
    owner: User, wrong: dict[str, object], path: str
) -> None:
    answer = posted(browser(owner), URL, PAUPER | wrong)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["path"]) == ("invalid_rules", path)
    assert not HouseFormat.objects.exists()


def test_only_its_owner_changes_and_deletes_it(owner: User) -> None:
    slug = posted(browser(owner), URL, CATAN).json()["slug"]
    other = browser(make.user())
    assert put(other, slug, CATAN).status_code == 404
    assert other.delete(f"{URL}{slug}/").status_code == 404
    assert posted(browser(None), URL, CATAN).status_code in (401, 403)
    assert posted(browser(make.user(can_create_events=False)), URL, CATAN).status_code == 403
    assert put(browser(owner), "creatures-of-exo", CATAN).status_code == 404
    assert HouseFormat.objects.get().version == 1


def test_an_event_without_lists_has_points_criteria_and_time_of_its_game(owner: User) -> None:
    client = browser(owner)
    chess = next(one for one in ready_made() if one.key == "chess")
    body = {"game": "Scacchi", "name": "Blitz", "lists": "off", "rules": rules_to_json(chess.rules)}
    slug = posted(client, URL, body).json()["slug"]
    event = {"name": "Torneo", "format": slug, "formula": "single-group"}
    made = posted(client, "/api/v1/events/", event | {"decklists": "required"}).json()
    assert made["points"] == {"win": 1, "draw": "1/2", "loss": 0}
    assert (made["decklists"], made["minutes"]) == ("off", 50)
    assert made["criteria"][1] == "buchholz_cut1"
    url = f"/api/v1/events/{made['slug']}/"

    def change(points: object) -> Any:
        body = json.dumps({"points": points})
        return client.patch(url, body, content_type="application/json")

    assert change({"draw": "1/2", "win": 3}).json()["points"] == {
        "win": 3,
        "draw": "1/2",
        "loss": 0,
    }
    assert change({"draw": 1}).json()["points"] == {"win": 3, "draw": 1, "loss": 0}
    for wrong in ("1/3", "x", -1, 101, 0.5, "1e9", None):
        assert change({"draw": wrong}).status_code == 400, wrong


def test_a_started_event_keeps_its_version_and_the_format(owner: User) -> None:
    client = browser(owner)
    slug = posted(client, URL, PAUPER).json()["slug"]
    by = Actor(user=owner)
    event = make.started(by, 4, formula="single-group", format=slug, decklists="off")
    longer = {**PAUPER["rules"], "match": {"best_of": 5}}
    assert put(client, slug, PAUPER | {"rules": longer}).json()["version"] == 2
    event = Event.objects.get(pk=event.pk)
    assert event.format_version == 1
    assert deck_format(event.format_key).match.best_of == 3
    assert deck_format(slug).match.best_of == 5
    assert FormatVersion.objects.get().version == 1
    refused = client.delete(f"{URL}{slug}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "format_in_use")
    make.play_round(make.next_round(event, by), by)
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    make.started(by, 4, formula="single-group", format=slug, decklists="off", name="Dopo")
    assert put(client, slug, PAUPER).json()["version"] == 3
    assert [one.version for one in FormatVersion.objects.all()] == [1, 2]
    assert client.get(f"/api/v1/events/{event.slug}/").json()["format"] == slug


def test_a_request_reads_a_format_once(owner: User, django_assert_num_queries: Any) -> None:
    slugs = [posted(browser(owner), URL, CATAN | {"name": n}).json()["slug"] for n in "ABC"]

    def answer(_request: Any) -> Any:
        with django_assert_num_queries(len(slugs)):
            return [base_format(slug).label for slug in slugs * 3]

    assert len(once_a_request(answer)(None)) == 9  # type: ignore[arg-type]


def test_lists_are_checked_and_collected_by_the_format(owner: User) -> None:
    client = browser(owner)
    slug = posted(client, URL, PAUPER).json()["slug"]
    text = {"text": "Deck\n5 Ragno\n56 Isola"}
    answer = posted(Client(), f"{URL}{slug}/validate/", text).json()
    assert [one["code"] for one in answer["violations"]] == ["copies.too_many"]
    assert answer["not_checked"] == ["colours"]
    kept = posted(client, URL, PAUPER | {"lists": "collected", "rules": None}).json()
    assert "rules" not in kept
    answer = posted(Client(), f"{URL}{kept['slug']}/validate/", text).json()
    assert (answer["legal"], answer["violations"]) == (True, [])


def test_events_of_the_game_are_found_in_the_list(owner: User) -> None:
    slug = posted(browser(owner), URL, CATAN).json()["slug"]
    by = Actor(user=owner)
    make.open_event(by, name="Sera", format=slug, formula="single-group")
    make.open_event(by, name="Altra", format="thoom", formula="single-group")
    page = Client().get("/", {"game": "catan"}).content.decode()
    assert '<a href="/?game=catan" aria-current="true">' in page
    assert ("Sera" in page, "Altra" in page) == (True, False)


def test_pages_have_the_colours_and_the_emblem_of_the_game(by: Actor, owner: User) -> None:
    look = {"palette": "indigo", "emblem": "crown"}
    client = browser(by.user)
    slug = posted(client, URL, CATAN | {"rules": {"look": look}}).json()["slug"]
    event = make.open_event(by, format=slug, decklists="off", formula="single-group")
    for address in (f"/events/{event.slug}/", "/"):
        page = Client().get(address).content.decode()
        assert "g-indigo" in page
        assert drawing("crown") in page
    wrong = CATAN | {"rules": {"look": look | {"palette": "pink"}}}
    assert posted(client, URL, wrong).json()["path"] == "look.palette"
    again = {"rules": {"look": look | {"palette": "red"}}}
    assert put(client, slug, CATAN | again).status_code == 200
    assert "g-red" in Client().get(f"/events/{event.slug}/").content.decode()
