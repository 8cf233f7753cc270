"""Formulas of one's own through the API."""

import json
from copy import deepcopy
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests import factories as make
from tests.rules.formulas import definitions
from tests.tournaments.api.test_rubbish_bodies import RAW, STRANGE
from tournaments.models import SavedFormula

pytestmark = pytest.mark.django_db

URL = "/api/v1/formulas/"


@pytest.fixture
def made(api: APIClient) -> dict[str, Any]:
    """Return a saved formula as the API answers it."""
    answer = api.post(URL, definitions.swiss_cut())
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def test_a_formula_is_made_read_changed_and_deleted(api: APIClient, made: dict[str, Any]) -> None:
    url = f"{URL}{made['slug']}/"
    assert (made["slug"], made["version"], made["girone_formula"]) == ("custom_prova", 1, 1)
    assert api.get(url).json() == made
    again = api.put(url, made | {"name": "Altra"})
    assert (again.status_code, again.json()) == (200, made | {"name": "Altra", "version": 2})
    stale = api.put(url, made)
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    without = {key: value for key, value in made.items() if key not in ("slug", "version")}
    assert api.put(url, without).json()["version"] == 3
    assert api.delete(url).status_code == 204
    assert api.get(url).status_code == 404


def test_the_list_names_the_own_ones_after_the_shipped(
    api: APIClient, made: dict[str, Any], client: Client, program: Any
) -> None:
    found = {one["slug"]: one for one in api.get(URL).json()["results"]}
    assert (found[made["slug"]]["minimum"], found[made["slug"]]["maximum"]) == (9, 16)
    assert found["single-group"]["maximum"] is None
    for other in (client, program(make.user(can_create_events=True))):
        assert made["slug"] not in {one["slug"] for one in other.get(URL).json()["results"]}
    advised = {one["formula"] for one in api.get(f"{URL}advice/?players=12").json()}
    assert made["slug"] in advised
    assert made["slug"] not in {
        one["formula"] for one in client.get(f"{URL}advice/?players=12").json()
    }


def test_the_list_comes_by_the_page(api: APIClient, by: Any) -> None:
    for number in range(100):
        SavedFormula.objects.create(
            slug=f"custom_{number}", name=f"Nr {number}", owner=by.user,
            definition=definitions.swiss_cut(),
        )  # fmt: skip
    first = api.get(URL).json()
    assert len(first["results"]) == 100
    second = api.get(first["next"]).json()
    assert (second["next"], first["count"]) == (None, 100 + len(second["results"]))
    slugs = [one["slug"] for one in (*first["results"], *second["results"])]
    assert len(set(slugs)) == first["count"]
    assert [slug.startswith("custom_") for slug in slugs] == sorted(
        slug.startswith("custom_") for slug in slugs
    )
    for page in ("9", "-1", "abc"):
        assert api.get(URL, {"page": page}).status_code == 404


def test_an_event_has_it(api: APIClient, made: dict[str, Any]) -> None:
    body = {"name": "T", "format": "thoom", "formula": made["slug"], "decklists": "off"}
    event = api.post("/api/v1/events/", body)
    assert (event.status_code, event.json()["formula"]) == (201, made["slug"])
    refused = api.delete(f"{URL}{made['slug']}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "formula_in_use")
    url = f"/api/v1/events/{event.json()['slug']}/"
    players = [{"name": f"Player {number}"} for number in range(9)]
    assert api.post(f"{url}players/", players).status_code == 201
    assert api.post(f"{url}start/", {}).status_code == 200
    names = [stage["name"] for stage in api.get(f"{url}stages/").json()]
    assert names == ["Swiss rounds", "Knock-out"]
    fresh = api.post("/api/v1/events/", body | {"formula": "single-group", "legs": 2}).json()
    changed = api.patch(f"/api/v1/events/{fresh['slug']}/", {"formula": made["slug"]})
    assert (changed.status_code, changed.json()["legs"]) == (200, 1)


def test_a_list_of_events_asks_for_no_formula(
    api: APIClient, made: dict[str, Any], by: Any, django_assert_num_queries: Any
) -> None:
    make.open_event(by, formula=made["slug"])
    with CaptureQueriesContext(connection) as one:
        assert api.get("/api/v1/events/").json()["count"] == 1
    for _event in range(3):
        make.open_event(by, formula=made["slug"])
    with django_assert_num_queries(len(one)):
        assert api.get("/api/v1/events/").json()["count"] == 4


def test_groups_are_given_with_who_enters_later(api: APIClient) -> None:
    data = definitions.formula(
        definitions.stage("Gironi", "round_robin", definitions.group("A")),
        definitions.stage(
            *("Finale", "knockout"),
            definitions.group("F", {"start": 1}, definitions.rank(1, "A", 1)),
        ),
        lowest=4,
    )
    slug = api.post(URL, data).json()["slug"]
    body = {"name": "T", "format": "thoom", "formula": slug, "decklists": "off"}
    url = f"/api/v1/events/{api.post('/api/v1/events/', body).json()['slug']}/"
    api.post(f"{url}players/", [{"name": name} for name in ("Ada", "Bea", "Ciro", "Dora")])
    assert api.post(f"{url}start/", {"groups": [[4, 2, 3]]}).status_code == 400
    started = api.post(f"{url}start/", {"groups": [[4, 2, 3], [1]]})
    assert started.json()["stage"]["groups"] == [{"name": "A", "seats": [4, 2, 3]}]
    assert started.json()["draw"]["order"] == [1, 4, 2, 3]


def test_formulas_of_others_and_unknown_ones_are_no_formulas(
    api: APIClient, made: dict[str, Any], program: Any, client: Client
) -> None:
    other = program(make.user(can_create_events=True))
    url = f"{URL}{made['slug']}/"
    for caller in (other, client):
        assert caller.get(url).status_code == 404
    assert other.put(url, made).status_code == 404
    assert other.delete(url).status_code == 404
    assert api.get(f"{URL}single-group/").status_code == 404
    body = {"name": "T", "format": "thoom"}
    foreign = other.post("/api/v1/events/", body | {"formula": made["slug"]})
    assert (foreign.status_code, "formula" in foreign.json()) == (400, True)
    unknown = api.post("/api/v1/events/", body | {"formula": "custom_nobody"})
    assert "formula" in unknown.json()


def test_tokens_reach_as_far_as_they_may(
    program: Any, by: Any, made: dict[str, Any], client: Client
) -> None:
    event = make.event(by, formula=made["slug"])
    url = f"{URL}{made['slug']}/"
    allowed = {"read": (200, 403), "results": (200, 403), "manage": (200, 201)}
    for level, (reading, writing) in allowed.items():
        caller = program(by.user, level)
        assert caller.get(url).status_code == reading
        assert caller.post(URL, definitions.swiss_cut()).status_code == writing
        assert (caller.put(url, made).status_code == 200) is (level == "manage")
    scoped = program(by.user, "manage", event)
    assert scoped.get(url).status_code == 403
    assert scoped.post(URL, definitions.swiss_cut()).status_code == 403
    assert made["slug"] not in {one["slug"] for one in scoped.get(URL).json()["results"]}
    assert client.post(URL, definitions.swiss_cut(), "application/json").status_code == 401
    guest = program(make.user(can_create_events=False))
    assert guest.post(URL, definitions.swiss_cut()).status_code == 403


def test_a_repeated_call_makes_one_formula(api: APIClient) -> None:
    answers = [
        api.post(URL, definitions.swiss_cut(), headers={"Idempotency-Key": "one"}).json()
        for _again in range(2)
    ]
    assert answers[0] == answers[1]
    assert SavedFormula.objects.count() == 1


def test_an_unchanged_formula_is_not_sent_again(api: APIClient, made: dict[str, Any]) -> None:
    url = f"{URL}{made['slug']}/"
    tag = api.get(url)["ETag"]
    assert api.get(url, headers={"If-None-Match": tag}).status_code == 304
    api.put(url, made | {"name": "Altra"})
    assert api.get(url, headers={"If-None-Match": tag}).status_code == 200


def test_faults_are_told_without_storing(api: APIClient, client: Client) -> None:
    good = definitions.swiss_cut()
    assert client.post(f"{URL}check/", good, "application/json").json() == {"faults": []}
    bad = deepcopy(good)
    bad["stages"][1]["groups"][0]["entrants"].append(definitions.rank(1, "Swiss", 1))
    told = api.post(f"{URL}check/", bad)
    assert told.status_code == 200
    assert told.json()["faults"][0].startswith("Stage 2, Knock-out, group KO: rank 1 of group")
    refused = api.post(URL, bad)
    assert (refused.status_code, refused.json()["code"]) == (400, "formula_faults")
    assert refused.json()["faults"] == told.json()["faults"]
    unread = api.post(URL, good | {"players": 3})
    assert (unread.json()["code"], unread.json()["field"]) == ("bad_formula", "players")
    assert not SavedFormula.objects.exists()


@pytest.mark.parametrize("call", ["post", "check", "put"])
def test_rubbish_is_refused_and_nothing_is_stored(
    api: APIClient, made: dict[str, Any], call: str
) -> None:
    url = {"post": URL, "check": f"{URL}check/", "put": f"{URL}{made['slug']}/"}[call]
    send = api.put if call == "put" else api.post
    for raw in RAW:
        assert send(url, raw, content_type="application/json").status_code in (400, 413), raw[:20]
    good = definitions.swiss_cut()
    for value in STRANGE:
        bodies = [value, *({**good, key: value} for key in good if key != "name")]
        first = deepcopy(good)
        first["stages"][0]["groups"][0] |= {"entrants": value}
        for body in (*bodies, first):
            sent = json.dumps(body, default=str)
            answer = send(url, sent, content_type="application/json")
            if answer.status_code not in (400, 413):
                assert body["girone_formula"] == 1, sent[:80]
    assert SavedFormula.objects.get(slug=made["slug"]).definition["name"] == "Prova"


def test_answers_have_the_fields_of_the_schema(client: Client, made: dict[str, Any]) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    shapes = schema["components"]["schemas"]
    assert set(made) == set(shapes["SavedFormulaShape"]["properties"])
    stage = {key for one in made["stages"] for key in one}
    assert stage <= set(shapes["StageShape"]["properties"])
