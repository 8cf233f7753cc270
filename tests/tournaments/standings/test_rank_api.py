"""Standings of results that somebody sends: POST /api/v1/rank/ and the command ``rank``."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override
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


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b'{"players": ["\\ud800"]}', "players[0]"),
        (b'{"players": ["a"], "penalties": {"\\udc00": 1}}', 'penalties["\\udc00"]'),
    ],
)
def test_half_a_character_is_refused(client: Client, body: bytes, path: str) -> None:
    answer = post(client, body)
    assert (answer.status_code, answer.json()["path"]) == (400, path)


@settings(examples(0.5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=ANY_JSON)
def test_no_json_breaks_anything(client: Client, body: object) -> None:
    assert post(client, body).status_code in (200, 400)


GAMES = {
    "players": ["anna", "bruno"],
    "criteria": ["points", "game_win", "head_to_head", "lots"],
    "matches": [{"a": "anna", "b": "bruno", "games": [2, 1, 0]}],
}


def run(*arguments: str, language: str = "en") -> tuple[int, str]:
    out = io.StringIO()
    with override(language):
        try:
            call_command("rank", *arguments, stdout=out)
        except CommandError as refused:
            return refused.returncode, str(refused)
    return 0, out.getvalue()


def write(folder: Path, content: str | bytes) -> str:
    path = folder / "results.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_a_table_is_printed(tmp_path: Path) -> None:
    code, out = run(write(tmp_path, json.dumps(GAMES)))
    assert code == 0
    assert out.splitlines() == [
        "Rank  Player  Played  Pts  GW   Placed by",
        "1     anna    1       3    2/3",
        "2     bruno   1       0    1/3  Points",
    ]


def test_nobody_is_a_table_too(tmp_path: Path) -> None:
    code, out = run(write(tmp_path, '{"players": []}'))
    assert (code, len(out.splitlines())) == (0, 1)


def test_json_is_the_contracts(tmp_path: Path) -> None:
    code, out = run(write(tmp_path, json.dumps(GAMES)), "--json")
    answer = json.loads(out)
    assert code == 0
    assert [row["player"] for row in answer["standings"]] == ["anna", "bruno"]
    assert answer["standings"][0]["values"] == {"points": 3, "game_win": "2/3"}
    assert answer["tied"] == []


def test_standard_input_is_read_also_a_text_put_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = json.dumps(GAMES)
    for stdin in (io.TextIOWrapper(io.BytesIO(text.encode())), io.StringIO(text)):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert run("-")[0] == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        (b"\xff", "not JSON"),
        ("[]", "$: "),
        ('{"players": ["a"], "matches": [{"a": "a", "b": "b"}]}', "matches[0].b: "),
    ],
)
def test_what_cannot_be_read_is_2(tmp_path: Path, content: str | bytes, said: str) -> None:
    code, error = run(write(tmp_path, content))
    assert code == 2
    assert said in error


def test_a_missing_file_is_2(tmp_path: Path) -> None:
    code, error = run(str(tmp_path / "nothing.json"))
    assert code == 2
    assert "nothing.json" in error
