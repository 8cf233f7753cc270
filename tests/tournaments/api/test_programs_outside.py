"""What a program outside may send that nobody here would: empty filters, stages to come, no notes.

Contracts, API.
"""

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from tests import factories as make
from tests.callers import Callers

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/events/"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def event(by):
    return make.started(by, 12, format="doomtrooper-original", formula="mutant-chronicles")


def address(event, rest: str = "") -> str:
    return f"{ROOT}{event.slug}/{rest}"


def matches(api, event):
    return api.post(address(event, "rounds/")).json()["matches"]


def put(api, event, match, **body):
    return api.put(address(event, f"matches/{match['id']}/result/"), body, format="json")


@pytest.mark.parametrize("table", ["standings", "scenarios", "tie-breaks"])
def test_a_stage_to_come_has_no_rows_yet(api, event, table):
    for asked in ("?stage=2", "?stage=2&group=I", "?stage=5"):
        answer = api.get(address(event, f"{table}/{asked}"))
        assert (answer.status_code, answer.json()) == (200, []), asked
    assert api.get(address(event, f"{table}/?stage=6")).status_code == 404
    refused = api.get(address(event, f"{table}/?stage=x"))
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["stage"])


def test_an_empty_filter_filters_nothing(api, event):
    matches(api, event)
    asked = {
        "matches": "?stage=&round=&group=&player=&state=",
        "rounds": "?stage=&state=",
        "players": "?status=&club=&search=",
        "standings": "?stage=&group=",
        "scenarios": "?stage=&group=",
        "tie-breaks": "?stage=&group=",
    }
    for name, filters in asked.items():
        whole = api.get(address(event, f"{name}/"))
        same = api.get(address(event, f"{name}/{filters}"))
        assert (same.status_code, same.json()) == (200, whole.json()), name


def test_a_result_needs_no_note(api, event):
    first, second, third, *_more = matches(api, event)
    entered = put(api, event, first, version=0, score=[40, 22]).json()
    corrected = put(api, event, first, version=entered["version"], score=[22, 40])
    assert (corrected.status_code, corrected.json()["winner"]) == (200, "b")
    behind = put(api, event, second, version=0, score=[20, 45], winner="a")
    assert (behind.status_code, behind.json()["winner"], behind.json()["score"]) == (
        200,
        "a",
        [20, 45],
    )
    nobody = put(api, event, third, version=0, score=[16, 40], winner="none")
    assert (nobody.status_code, nobody.json()["winner"]) == (200, "none")


def test_a_winner_beside_an_impossible_score_is_refused_all_the_same(api, event):
    match = matches(api, event)[0]
    for wrong in ({"score": [1000, 2]}, {"games": ["a"]}, {"score": [40, 2], "ended_by": "bye"}):
        refused = put(api, event, match, version=0, winner="a", **wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result"), wrong


def test_a_bye_has_no_result_to_enter(api, by):
    event = make.started(by, 5, format="doomtrooper-original", formula="swiss-cut")
    bye = next(match for match in matches(api, event) if match["b"] is None)
    for body in ({"score": [1, 0]}, {"winner": "none", "note": "Visto"}):
        refused = put(api, event, bye, version=bye["version"], **body)
        assert (refused.status_code, refused.json()["code"]) == (409, "no_opponent")
    assert api.get(address(event, f"matches/{bye['id']}/")).json() == bye


def test_an_empty_list_is_no_draw(api, by):
    event = make.event(by, formula="mutant-chronicles", decklists="off")
    make.players(event, 12, by)
    refused = api.post(address(event, "start/"), {"groups": []}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["groups"])
    event.refresh_from_db()
    assert event.started_at is None
    assert api.post(address(event, "start/")).status_code == 200
    refused = api.post(address(event, "stages/1/lots/"), {"order": []}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["order"])


def test_what_is_hidden_answers_as_what_is_not_there(api, by):
    hidden = make.event(by)
    words = [
        {key: value for key, value in answer.json().items() if key != "request_id"}
        for answer in (APIClient().get(address(hidden)), APIClient().get(f"{ROOT}nowhere/"))
    ]
    assert words[0] == words[1]


def test_who_gives_no_token_is_asked_for_one(api, event):
    for call in (
        APIClient().post(ROOT, {}, format="json"),
        APIClient().post(address(event, "rounds/")),
        APIClient().get(address(event, "archive.json")),
    ):
        assert (call.status_code, call.json()["code"]) == (401, "not_authenticated")
        assert call["WWW-Authenticate"] == "Token"
    assert APIClient().get(address(event, "players/1/decklist/")).status_code == 403


def test_a_restore_without_a_body_is_refused(api):
    refused = api.post(f"{ROOT}restore/", b"", content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "archive_invalid")


def test_a_body_without_end_is_413_whatever_django_takes(api):
    long = b'"' + b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1) + b'"'
    refused = api.post(ROOT, long, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (413, "body_too_long")


def test_whatever_accept_asks_for_a_call_answers(api, event):
    book = api.get(address(event, "export.xlsx"), HTTP_ACCEPT=XLSX)
    assert (book.status_code, book["Content-Type"]) == (200, XLSX)
    for accepted in ("text/html", "application/problem+json"):
        answer = api.get(address(event), HTTP_ACCEPT=accepted)
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


def test_a_400_names_the_field_and_the_row(api, by):
    body = {"name": "T", "format": "thoom", "formula": "mutant-chronicles", "legs": [1, 2]}
    assert list(api.post(ROOT, body, format="json").json()["errors"]) == ["legs"]
    event = make.event(by)
    players = address(event, "players/")
    wrong = [{"name": "Ada"}, {"name": "\u202eadE"}, {"name": "x" * 81}]
    refused = api.post(players, wrong, format="json")
    assert (refused.status_code, event.entries.count()) == (400, 0)
    assert {row: list(fields) for row, fields in refused.json()["errors"].items()} == {
        "1": ["name"],
        "2": ["name"],
    }
    assert api.post(players, {"name": "Ada", "seed": 1}, format="json").status_code == 201
    taken = api.post(players, {"name": "Bea", "seed": 1}, format="json").json()
    assert (taken["code"], list(taken["errors"])) == ("seed_taken", ["seed"])
    double = api.post(address(event, "start/"), {"groups": [[1, 1, 1]]}, format="json").json()
    assert list(double["errors"]) == ["groups"]
    put_out = api.patch(f"{players}1/", {"status": "disqualified"}, format="json").json()
    assert (put_out["code"], list(put_out["errors"])) == ("reason_missing", ["reason"])


def test_the_schema_knows_lists_files_and_refusals(client):
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    paths = schema["paths"]
    book = paths["/api/v1/events/{slug}/export.xlsx"]["get"]["responses"]["200"]
    assert list(book["content"]) == [XLSX]
    enter = paths["/api/v1/events/{slug}/players/"]["post"]
    for part in (enter["requestBody"], enter["responses"]["201"]):
        named = part["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        kinds = schema["components"]["schemas"][named]["oneOf"]
        assert [kind.get("type", "one") for kind in kinds] == ["one", "array"]
    assert {"413", "415", "422", "503"} <= set(enter["responses"])


def test_callers_without_a_role_stay_forbidden():
    around = Callers()
    for caller in ("player", "elsewhere"):
        assert around.undone(caller, "post", around.address("rounds"), {}).status_code == 403


def test_a_time_without_offset_is_that_of_the_event(api):
    body = {"name": "T", "format": "thoom", "formula": "single-group"}
    there = body | {"time_zone": "America/New_York", "starts_at": "2026-12-05T10:00"}
    made = api.post(ROOT, there, format="json").json()
    assert made["starts_at"] == "2026-12-05T10:00:00-05:00"
    moved = api.patch(f"{ROOT}{made['slug']}/", {"starts_at": "2026-12-06T09:30"}, format="json")
    assert moved.json()["starts_at"] == "2026-12-06T09:30:00-05:00"
    both = {"starts_at": "2026-12-06T09:30", "time_zone": "Asia/Tokyo"}
    moved = api.patch(f"{ROOT}{made['slug']}/", both, format="json")
    assert moved.json()["starts_at"] == "2026-12-06T09:30:00+09:00"
    moved = api.patch(f"{ROOT}{made['slug']}/", {"starts_at": "2026-12-06T09:30Z"}, format="json")
    assert moved.json()["starts_at"] == "2026-12-06T18:30:00+09:00"
    assert api.post(ROOT, there | {"time_zone": 5}, format="json").status_code == 400


@pytest.mark.parametrize("name", ["\u200b", "\u202eabc", "\u2066"])
def test_an_event_has_a_name_that_can_be_read(api, name):
    body = {"name": name, "format": "thoom", "formula": "single-group"}
    refused = api.post(ROOT, body, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["name"])
    made = api.post(ROOT, body | {"name": " Coppa  d\u2019Autunno "}, format="json").json()
    assert made["name"] == "Coppa d\u2019Autunno"
    refused = api.patch(f"{ROOT}{made['slug']}/", {"name": name}, format="json")
    assert refused.status_code == 400
