"""Programs play whole events, knowing nothing but the contract or the documentation."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from knox.models import AuthToken

from tests import factories as make
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


ROOT = "/api/v1/"


def ok(answer):
    assert answer.status_code < 300, (answer.status_code, answer.content)
    return answer.json() if answer.content else None


def play(api, event: str) -> None:
    """Play to the end: the lower number wins."""
    while any(stage["state"] == "open" for stage in ok(api.get(f"{event}stages/"))):
        made = api.post(f"{event}rounds/")
        if made.status_code == 201:
            for match in made.json()["matches"]:
                if match["state"] != "final":
                    score = [40, match["b"]] if match["a"] < match["b"] else [match["a"] % 40, 40]
                    body = {"version": match["version"], "score": score}
                    if match["best_of"] > 1:
                        body = {"version": match["version"], "games": ["a", "a"]}
                    ok(api.put(f"{event}matches/{match['id']}/result/", body))
            continue
        assert made.json()["code"] == "stage_complete", made.json()
        stage = next(s for s in ok(api.get(f"{event}stages/")) if s["state"] == "open")
        closed = api.post(f"{event}stages/{stage['number']}/close/")
        while closed.status_code == 409 and closed.json()["code"] == "lots_needed":
            assert all(isinstance(n, int) for tied in closed.json()["tied"] for n in tied)
            ok(api.post(f"{event}stages/{stage['number']}/lots/", {}))
            closed = api.post(f"{event}stages/{stage['number']}/close/")
        ok(closed)


@pytest.mark.parametrize(
    ("formula", "players", "options"),
    [
        pytest.param("mutant-chronicles", 16, {}, marks=pytest.mark.deep),  # golden ones are played
        pytest.param("mutant-chronicles", 17, {"preliminary": 1}, marks=pytest.mark.deep),
        ("groups-knockout", 10, {}),
        ("swiss-cut", 9, {}),
        ("single-group", 5, {}),
        pytest.param("single-elimination", 6, {}, marks=pytest.mark.deep),
        ("double-elimination", 7, {"second_final": False}),
    ],
)
def test_a_whole_event(api, formula, players, options):
    made = ok(
        api.post(
            f"{ROOT}events/",
            {
                "name": "Torneo",
                "format": "doomtrooper-original",
                "formula": formula,
                "starts_at": "2027-01-09T10:00:00+01:00",
                "decklists": "off",
                "options": options,
            },
        )
    )
    event = f"{ROOT}events/{made['slug']}/"
    added = ok(api.post(f"{event}players/", [{"name": f"Uno {n}"} for n in range(players)]))
    assert [player["number"] for player in added] == list(range(1, players + 1))
    started = ok(api.post(f"{event}start/", {"seed": "seme"}))
    assert started["status"] == "running"
    play(api, event)
    assert ok(api.patch(event, {"status": "finished"}))["status"] == "finished"
    ranking = ok(api.get(f"{event}ranking/"))
    assert ranking[0]["rank"] == 1
    assert sorted(row["number"] for row in ranking) == list(range(1, players + 1))
    rows = ok(api.get(f"{event}standings/?stage=1"))
    assert {"rank", "player", "values", "placed_by"} <= set(rows[0]) if rows else formula
    assert api.get(f"{event}export.xlsx").status_code == 200


def test_groups_are_seated_as_given(api):
    settings = {"name": "G", "format": "thoom", "formula": "groups-knockout", "decklists": "off"}
    event = f"{ROOT}events/{ok(api.post(f'{ROOT}events/', settings))['slug']}/"
    ok(api.post(f"{event}players/", [{"name": f"N{n}"} for n in range(8)]))
    refused = api.post(f"{event}start/", {"groups": [[1, 2, 3], [4, 5, 6, 7, 8]]})
    assert refused.status_code == 400
    assert "groups" in refused.json()
    wanted = [[4, 1, 7, 2], [8, 3, 6, 5]]
    started = ok(api.post(f"{event}start/", {"groups": wanted}))
    assert [group["seats"] for group in started["stage"]["groups"]] == wanted
    assert ok(api.get(f"{event}stages/"))[0]["state"] == "open"


def test_both_legs_are_said_and_read(api):
    settings = {"name": "M", "format": "thoom", "formula": "mutant-chronicles", "legs": [2, 1, 1]}
    made = ok(api.post(f"{ROOT}events/", settings))
    assert made["legs"] == [2, 1, 1]
    event = f"{ROOT}events/{made['slug']}/"
    assert ok(api.patch(event, {"legs": 2}))["legs"] == 2
    for legs in (2, 3, 4):
        assert ok(api.patch(event, {"formula": "single-group", "legs": legs}))["legs"] == legs
    for formula, legs in (("single-group", 5), ("mutant-chronicles", 3), ("swiss-cut", 2)):
        refused = api.patch(event, {"formula": formula, "legs": legs}, format="json")
        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["legs"])


DOCS = Path(__file__).resolve().parents[3] / "docs" / "api.md"


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_the_client_in_the_docs_plays_a_whole_event(live_server):
    (program,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert max(map(len, program.splitlines())) <= 110
    token = AuthToken.objects.create(user=make.user())[1]
    environment = {**os.environ, "SITE": live_server.url, "TOKEN": token}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    ranking = json.loads(ran.stdout)
    assert sorted(row["number"] for row in ranking) == list(range(1, 17))
    assert ranking[0]["rank"] == 1
    event = Event.objects.get()
    assert all(stage.state == "closed" for stage in event.stages.all())
    assert list(verify_event(event)) == []
