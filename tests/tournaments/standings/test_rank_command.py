"""rank: exit codes and answers."""

import io
import json
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

RESULTS = {
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
    code, out = run(write(tmp_path, json.dumps(RESULTS)))
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
    code, out = run(write(tmp_path, json.dumps(RESULTS)), "--json")
    answer = json.loads(out)
    assert code == 0
    assert [row["player"] for row in answer["standings"]] == ["anna", "bruno"]
    assert answer["standings"][0]["values"] == {"points": 3, "game_win": "2/3"}
    assert answer["tied"] == []


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(RESULTS).encode())))
    assert run("-")[0] == 0


def test_text_put_in_place_of_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(RESULTS)))
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
