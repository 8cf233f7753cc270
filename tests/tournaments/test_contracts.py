"""What programs outside rely on: shapes, values and exit codes, as the contracts write them."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import is_zipfile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from tournaments.models import Event

ROOT = Path(__file__).parents[2]
EXAMPLE = {
    "points": {"win": 3, "draw": 1, "loss": 0},
    "criteria": [
        *("points", "opponents_points", "head_to_head"),
        *("score_for", "score_difference", "lots"),
    ],
    "players": ["anna", "bruno", "carla"],
    "withdrawn": [],
    "matches": [
        {"round": 1, "a": "anna", "b": "bruno", "score": [40, 22]},
        {"round": 1, "a": "carla", "b": None},
        {"round": 2, "a": "anna", "b": "carla", "score": [30, 30], "winner": "a"},
        {"round": 3, "a": "bruno", "b": "carla", "games": [2, 1, 0]},
    ],
    "lots": ["carla", "bruno", "anna"],
}
# By hand: Anna 3 + 3; Bruno 3; Carla 3 by the bye. Opponents' points: Anna 3 + 3, Bruno 6 + 3,
# Carla 6 + 3. Bruno beat Carla. Scores: Anna 70:52, Bruno 24:41, Carla 31:32.
ROWS = [
    ("anna", 1, 2, 2, 0, 0, 6, 6, 70, 18, None),
    ("bruno", 2, 2, 1, 0, 1, 3, 9, 24, -17, "points"),
    ("carla", 3, 3, 1, 0, 2, 3, 9, 31, -1, "head_to_head"),
]
FEW = {
    "code": "zone.too_few",
    "severity": "error",
    "zone": "main",
    "card": None,
    "found": 29,
    "minimum": 30,
    "maximum": 30,
    "line": None,
}


def run(*arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py as a process of its own."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONWARNINGS": "ignore"} | more,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def called(*arguments: str) -> tuple[int, str]:
    """Call a command in this process; return its exit code and what it printed."""
    out = io.StringIO()
    try:
        call_command(*arguments, stdout=out)
    except CommandError as refused:
        return refused.returncode, out.getvalue()
    except SystemExit as left:
        return int(str(left.code)), out.getvalue()
    return 0, out.getvalue()


def rows(answer: dict[str, object]) -> list[tuple[object, ...]]:
    """Return the standings of an answer in the order of ``ROWS``."""
    found = []
    for row in answer["standings"]:
        values = row["values"]
        found.append(
            (
                *(row[key] for key in ("player", "rank", "played", "won", "drawn", "lost")),
                *(values[key] for key in ("points", "opponents_points")),
                *(values[key] for key in ("score_for", "score_difference")),
                row["placed_by"],
            )
        )
    return found


def test_the_example_of_rank_by_command_and_by_api(client: Client) -> None:
    ran = run("rank", "-", "--json", stdin=json.dumps(EXAMPLE))
    assert (ran.returncode, ran.stderr) == (0, "")
    answer = json.loads(ran.stdout)
    assert rows(answer) == ROWS
    assert answer["tied"] == []
    posted = client.post("/api/v1/rank/", json.dumps(EXAMPLE), content_type="application/json")
    assert (posted.status_code, posted.json()) == (200, answer)


def test_shared_ranks_fractions_and_lots_for_some(client: Client) -> None:
    level = {
        "criteria": ["points", "game_win", "lots"],
        "players": ["a", "b", "c", "d"],
        "matches": [
            {"a": "a", "b": "b", "games": [1, 1, 1]},
            {"a": "c", "b": "d", "games": [1, 1, 1]},
        ],
        "lots": ["d"],
    }
    answer = client.post("/api/v1/rank/", json.dumps(level), content_type="application/json").json()
    ranks = [(row["player"], row["rank"], row["placed_by"]) for row in answer["standings"]]
    assert ranks[0] == ("d", 1, None)
    assert {rank for _player, rank, _by in ranks[1:]} == {2}
    assert {by for _player, _rank, by in ranks[1:]} == {"lots"}
    assert [sorted(tied) for tied in answer["tied"]] == [["a", "b", "c"]]
    assert {row["values"]["game_win"] for row in answer["standings"]} == {"4/9"}


@pytest.mark.deep
def test_rank_that_cannot_be_read_is_2_with_the_path() -> None:
    wrong = EXAMPLE | {"matches": [{"a": "anna", "b": "bruno", "score": [40, "x"]}]}
    ran = run("rank", "-", stdin=json.dumps(wrong))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "matches[0].score[1]" in ran.stderr


@pytest.mark.deep
@pytest.mark.django_db
def test_check_deck_as_a_process_is_the_answer_of_the_api(tmp_path: Path, client: Client) -> None:
    file = tmp_path / "list.txt"
    file.write_text("1 Capo {Leader}\n\nMain\n29 Brace {Tattica}\n")
    ran = run("check_deck", "creatures-of-exo", str(file), "--json", LANGUAGE="it")
    assert (ran.returncode, ran.stderr) == (1, "")
    answer = json.loads(ran.stdout)
    assert list(answer)[:2] == ["format", "legal"]
    assert (answer["format"], answer["legal"]) == ("creatures-of-exo", False)
    assert answer["counts"]["main"] == 29
    url = "/api/v1/formats/creatures-of-exo/validate/"
    body = {"text": file.read_text()}
    posted = client.post(
        url, json.dumps(body), content_type="application/json", headers={"accept-language": "it"}
    )
    assert (posted.status_code, posted.json()) == (200, answer)


@pytest.mark.django_db
def test_a_violation_has_the_keys_of_the_contract(client: Client) -> None:
    body = {"zones": {"main": [{"name": "Brace", "count": 29, "kind": "Tattica"}]}}
    url = "/api/v1/formats/creatures-of-exo/validate/"
    answer = client.post(url, json.dumps(body), content_type="application/json").json()
    main = next(v for v in answer["violations"] if v["zone"] == "main" and "few" in v["code"])
    assert {key: main[key] for key in FEW} == FEW
    assert main["message"]
    assert answer["zones"]["main"] == body["zones"]["main"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("formula", ["mutant-chronicles", "groups-knockout", "single-group"])
def test_demo_export_and_verify(tmp_path: Path, formula: str) -> None:
    code, out = called("demo", "--players", "8", "--formula", formula, "--play")
    assert code == 0
    event = Event.objects.get()
    assert out.strip() == f"{event.slug}\t/events/{event.slug}/"
    assert (event.formula, event.state, event.entries.count()) == (formula, "finished", 8)
    file = tmp_path / "event.xlsx"
    assert called("export", event.slug, str(file))[0] == 0
    assert is_zipfile(file)
    assert called("verify", event.slug)[0] == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "--formula", "no-such"),
        ("export", "no-such", "event.xlsx"),
        ("verify", "no-such"),
        ("api_token", "no-such"),
        ("check_deck", "no-such", "-"),
        ("rank", "no-such.json"),
    ],
)
def test_what_is_not_there_is_2(arguments: tuple[str, ...]) -> None:
    assert called(*arguments) == (2, "")


@pytest.mark.django_db
def test_a_token_made_for_a_program() -> None:
    code, out = called("api_token", "desk", "--create")
    assert code == 0
    assert out == f"{out.strip()}\n"
    assert User.objects.get().can_create_events
    header = {"authorization": f"Token {out.strip()}"}
    assert Client().get("/api/v1/formats/", headers=header).status_code == 200
    wrong = {"authorization": "Token wrong"}
    assert Client().get("/api/v1/formats/", headers=wrong).status_code == 401
