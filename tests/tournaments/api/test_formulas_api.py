"""Formulas of one's own, advice, scenarios and extra matches through the API."""

import json
from copy import deepcopy
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests import factories as make
from tests.level_players import four_level
from tests.rules.formulas import definitions
from tests.tournaments.api.test_rubbish_bodies import RAW, STRANGE
from tournaments.models import Event, SavedFormula

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
    rounds = [[[4, 2]], [[4, 3]], [[2, 3]]]
    group = {"name": "A", "seats": [4, 2, 3], "rounds": rounds}
    assert started.json()["stage"]["groups"] == [group]
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
    twice = "Stage 2, Knock-out, group KO: “Stage 1, Swiss, rank 1” is used more than once."
    assert told.json()["faults"] == [twice]
    refused = api.post(URL, bad)
    assert (refused.status_code, refused.json()["code"]) == (400, "formula_faults")
    assert refused.json()["faults"] == told.json()["faults"]
    unread = api.post(URL, good | {"players": 3})
    assert (unread.json()["code"], unread.json()["field"]) == ("bad_formula", "players")
    assert not SavedFormula.objects.exists()


@pytest.mark.deep
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


def test_advice_names_what_fits_and_what_each_needs(client: Client) -> None:
    url = "/api/v1/formulas/advice/?players=16&minutes=50&tables=8&hours=6"
    found = client.get(url, headers={"accept-language": "en"}).json()
    by_key = {advice["formula"]: advice for advice in found if not advice["options"]}
    best = [advice for advice in found if advice["best"]]
    assert (found[: len(best)], len(best)) == (best, 3)
    assert [advice["least"] for advice in best] == [4, 4, 3]
    assert best[1]["options"] == {"cut": 0, "rounds": 4}
    assert by_key["swiss-cut"]["fits"]
    assert by_key["swiss-cut"]["needs"] == []
    long = by_key["mutant-chronicles"]
    assert not long["fits"]
    assert long["stages"][-1]["ends"] == long["minutes"]
    assert long["needs"] == ["More than one day"]


def test_what_is_asked_wrongly_is_named(client: Client) -> None:
    refused = client.get("/api/v1/formulas/advice/?players=0&minutes=x")
    assert refused.status_code == 400
    assert {"players", "minutes"} <= set(refused.json())
    assert client.get("/api/v1/formulas/advice/").status_code == 400


def test_formulas_are_listed_with_their_options_as_numbers_or_words(client: Client) -> None:
    page = client.get("/api/v1/formulas/").json()
    found = {formula["slug"]: formula for formula in page["results"]}
    assert (page["count"], page["next"], page["previous"]) == (len(found), None, None)
    assert {"mutant-chronicles", "swiss-cut", "single-elimination"} <= set(found)
    assert "cut" in {option["key"] for option in found["swiss-cut"]["options"]}
    found = {one["slug"]: one for one in client.get("/api/v1/formulas/").json()["results"]}
    options = {option["key"]: option["choices"] for option in found["tables-cut"]["options"]}
    assert "low" in options["small"]
    assert all(isinstance(one, int) for one in options["cut"])


@pytest.mark.deep
def test_scenarios_say_who_is_through_and_what_the_next_match_means(by, client):
    event = make.open_event(by)
    assert client.get(f"/api/v1/events/{event.slug}/scenarios/").json() == []
    event = make.started(by, 12)
    url = f"/api/v1/events/{event.slug}/scenarios/"
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    rows = client.get(url).json()
    assert sorted(row["player"] for row in rows) == list(range(1, 13))
    assert {row["status"] for row in rows} <= {"through", "out", "open"}
    assert all(set(row["next"]) == {"opponent", "win", "draw", "loss"} for row in rows)
    assert [row["group"] for row in client.get(f"{url}?group=B").json()] == ["B"] * 4
    assert client.get(f"{url}?group=Z").status_code == 404
    make.play_round(make.next_round(event, by), by)
    assert all(row["next"] is None for row in client.get(url).json())


@pytest.fixture
def event(by) -> Event:
    return four_level(by)


def root(event: Event) -> str:
    return f"/api/v1/events/{event.slug}/"


def extra(api: APIClient, event: Event, body: dict | None = None, **headers):
    address = f"{root(event)}stages/1/extra-matches/"
    return api.post(address, body or {}, format="json", headers=headers)


def higher_wins(api: APIClient, event: Event, made: dict) -> None:
    for match in made["matches"]:
        score = [40, 10] if match["a"] > match["b"] else [10, 40]
        address = f"{root(event)}matches/{match['id']}/result/"
        answer = api.put(address, {"version": 0, "score": score}, format="json")
        assert answer.status_code == 200, answer.json()


@pytest.mark.deep
def test_a_tie_is_settled_by_a_program(api, event):
    before = api.get(f"{root(event)}standings/").json()
    for number in (4, 5, 6):
        answer = extra(api, event)
        assert answer.status_code == 201
        made = answer.json()
        assert (made["number"], made["level"], made["state"]) == (
            *(number, [1, 2, 3, 4], "published"),
        )
        assert all(match["extra"] for match in made["matches"])
        assert extra(api, event).json()["code"] == "results_missing"
        higher_wins(api, event, made)
    rows = api.get(f"{root(event)}standings/").json()
    assert [row["player"] for row in rows] == [4, 3, 2, 1]
    assert [row["placed_by"] for row in rows] == [None, *["extra_match"] * 3]
    kept = ("played", "won", "drawn", "lost", "values")
    values = {row["player"]: [row[key] for key in kept] for row in before}
    assert {row["player"]: [row[key] for key in kept] for row in rows} == values
    (tied,) = api.get(f"{root(event)}tie-breaks/").json()
    assert tied["steps"][-1]["criterion"] == "extra_match"
    assert tied["steps"][-1]["values"] == {"1": [0], "2": [1], "3": [2], "4": [3]}
    assert extra(api, event).json()["code"] == "not_tied"
    assert api.post(f"{root(event)}stages/1/close/").status_code == 200
    assert extra(api, event).json()["code"] in ("not_tied", "stage_not_open")
    matches = api.get(f"{root(event)}matches/").json()["results"]
    assert [match["extra"] for match in matches].count(True) == 6


def test_one_key_makes_one_round_and_a_draft_is_seen_by_the_staff_alone(api, event):
    key = {"Idempotency-Key": "spareggio-1"}
    first = extra(api, event, {"players": [4, 3, 2, 1], "draft": True}, **key)
    again = extra(api, event, {"players": [4, 3, 2, 1], "draft": True}, **key)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert first.json()["state"] == "draft"
    assert APIClient().get(f"{root(event)}rounds/4/").status_code == 404
    assert api.delete(f"{root(event)}rounds/4/").status_code == 204
    assert extra(api, event, {"players": [1, 2]}).json()["code"] == "not_tied"
    assert extra(api, event, {"players": [1]}).status_code == 400
    assert extra(api, event, {"players": ["x"]}).status_code == 400


def test_a_missing_stage_and_one_that_is_not_in_progress(api, event):
    address = f"{root(event)}stages/9/extra-matches/"
    assert api.post(address, {}).status_code == 404
    refused = api.post(f"{root(event)}stages/2/extra-matches/", {"players": [1, 2]}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "stage_not_open")
