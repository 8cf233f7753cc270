"""Every golden table through ``rank FILE --json`` and through POST /api/v1/rank/.

Both answer what the rules answer, which the other modules hold against the golden files.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.golden.tables import cases, in_text, table, tables

Rows = list[dict[str, Any]]


def in_words(rows: Rows) -> Rows:
    """Return rows with their values as text: whole numbers may stand as a number or as text."""
    return [{**row, "values": in_text(row["values"])} for row in rows]


def asked() -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Yield the name of a table, what is sent, and the check of the answer."""
    for case in cases("hand-worked"):
        yield f"hand-worked {case['id']}", case["input"], as_ranks(case)
    for case in cases("swiss"):
        yield f"swiss {case['id']}", case["input"], as_whole(case["expected"])
    for case in cases("groups"):
        for at, group in enumerate(case["groups"]):
            sent = {
                "points": table("groups")["points"],
                "criteria": case["criteria"],
                "players": group["seats"],
                "matches": group["matches"],
                "lots": [player for player in case["lots"] if player in group["seats"]],
            }
            yield f"groups {case['id']} {at}", sent, as_whole(group)
    for name, edition in tables("football-*").items():
        for letter, group in edition["groups"].items():
            more = {"points": edition["points"], "criteria": edition["criteria"]}
            yield f"{name} {letter}", {**group, **more}, as_table(group)
    for name, event in tables("magic-*").items():
        sent = {**event, "criteria": event["expected"]["criteria"]}
        yield name, sent, as_whole(event["expected"])


def as_ranks(case: dict[str, Any]) -> Any:
    """Return a check of ranks and of the values that the case names."""

    def check(answer: Any) -> None:
        ranks = sorted([row["rank"], row["player"]] for row in answer["standings"])
        assert ranks == sorted(case["expected"])
        values = {row["player"]: in_text(row["values"]) for row in answer["standings"]}
        for player, expected in case.get("values", {}).items():
            assert in_text(expected).items() <= values[player].items()

    return check


def as_whole(expected: dict[str, Any]) -> Any:
    """Return a check of every row and of who is tied."""

    def check(answer: Any) -> None:
        assert in_words(answer["standings"]) == in_words(expected["standings"])
        assert answer["tied"] == expected["tied"]

    return check


def as_table(group: dict[str, Any]) -> Any:
    """Return a check of the official order of a football group."""
    keys = ("rank", "player", "placed_by", "won", "drawn")

    def check(answer: Any) -> None:
        found = [[row[key] for key in keys] for row in answer["standings"]]
        assert found == [[row[key] for key in keys] for row in group["table"]]
        assert answer["tied"] == group["tied"]

    return check


CASES = list(asked())
EVERY = pytest.mark.parametrize(
    ("sent", "check"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)


def test_no_golden_table_is_left_out() -> None:
    files = {path.stem for path in Path(__file__).with_name("standings").glob("*.json")}
    assert {name.split()[0] for name, _sent, _check in CASES} == files


@EVERY
def test_by_the_command(sent: dict[str, Any], check: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "results.json", io.StringIO()
    file.write_text(json.dumps(sent), encoding="utf-8")
    call_command("rank", str(file), "--json", stdout=out)
    check(json.loads(out.getvalue()))


@EVERY
def test_by_the_api(sent: dict[str, Any], check: Any, client: Client) -> None:
    answer = client.post("/api/v1/rank/", json.dumps(sent), content_type="application/json")
    assert answer.status_code == 200, answer.content
    check(answer.json())
