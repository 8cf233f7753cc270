"""Extra matches through the API: made, played, counted for nothing but an order."""

import pytest
from rest_framework.test import APIClient

from tests import factories as make
from tests.level_players import four_level
from tournaments.models import Event, StaffRole

pytestmark = pytest.mark.django_db


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


def test_who_may_not_draw_lots_may_not_make_it(program, event):
    judge = make.staff(event, StaffRole.Role.JUDGE).user
    assert extra(program(judge), event).status_code == 403
    assert extra(APIClient(), event).status_code in (401, 403)
    assert extra(program(judge, "read", event), event).status_code == 403
    head = make.staff(event, StaffRole.Role.HEAD_JUDGE).user
    assert extra(program(head), event).status_code == 201


def test_a_missing_stage_and_one_that_is_not_in_progress(api, event):
    address = f"{root(event)}stages/9/extra-matches/"
    assert api.post(address, {}).status_code == 404
    refused = api.post(f"{root(event)}stages/2/extra-matches/", {"players": [1, 2]}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "stage_not_open")
