"""POST /api/v1/rank/: standings of results that somebody sends."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tournaments.standings import api as rank

URL = "/api/v1/rank/"
RESULTS = {
    "players": ["anna", "bruno"],
    "matches": [{"round": 1, "a": "anna", "b": "bruno", "score": [40, 22]}],
}
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("players", "matches", "a", "b", "score", "winner", "lots", "points"),
                    *("seats", "places", "scores", "usual", "preset"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def post(client: Client, body: object) -> Any:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(URL, data=sent, content_type="application/json")


def test_results_are_ranked_for_anybody(client: Client) -> None:
    answer = post(client, RESULTS)
    assert answer.status_code == 200
    assert [(row["rank"], row["player"]) for row in answer.json()["standings"]] == [
        (1, "anna"),
        (2, "bruno"),
    ]
    assert answer.json()["standings"][1]["placed_by"] == "points"


def test_what_is_wrong_is_named_by_its_path(client: Client) -> None:
    wrong = {**RESULTS, "matches": [{"a": "anna", "b": "bruno", "score": [40, -1]}]}
    answer = post(client, wrong)
    assert answer.status_code == 400
    body = answer.json()
    assert (body["code"], body["path"]) == ("invalid_results", "matches[0].score[1]")
    assert body["detail"].startswith("matches[0].score[1]: ")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"1", b'["\\ud800"]'])
def test_rubbish_is_a_400(client: Client, body: bytes) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"] in ("invalid_json", "invalid_results")


def test_a_body_without_end_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rank.RankView, "largest_body", 100)
    answer = post(client, {**RESULTS, "withdrawn": ["anna"] * 100})
    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_long"


def test_half_a_character_is_refused(client: Client) -> None:
    answer = post(client, b'{"players": ["\\ud800"]}')
    assert answer.json()["path"] == "players[0]"


def test_half_a_character_in_a_name_of_penalties_is_refused(client: Client) -> None:
    answer = post(client, b'{"players": ["a"], "penalties": {"\\udc00": 1}}')
    assert (answer.status_code, answer.json()["path"]) == (400, 'penalties["\\udc00"]')


@settings(examples(0.5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=ANY_JSON)
def test_no_json_breaks_anything(client: Client, body: object) -> None:
    assert post(client, body).status_code in (200, 400)
