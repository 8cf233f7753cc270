"""POST /api/v1/tables/: a round of tables for players that somebody sends."""

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import NotAuthenticated

from tests import factories as make
from tournaments.tables import api

URL = "/api/v1/tables/"
SEVEN = {
    "players": [
        {
            "player": one,
            "points": "5" if one in (1, 5) else 0,
            "met": {str(other): 1 for other in table if other != one},
            "small": int(len(table) < 4),
            "seats": [[seat, len(table)]],
        }
        for table in ((1, 2, 3, 4), (5, 6, 7))
        for seat, one in enumerate(table, start=1)
    ]
}


def post(client: Client, body: object, **headers: Any) -> Any:
    return client.post(URL, json.dumps(body), content_type="application/json", **headers)


def test_a_round_of_tables(client: Client) -> None:
    answer = post(client, SEVEN)
    assert answer.status_code == 200
    made = answer.json()
    assert sorted(map(len, made["tables"])) == [3, 4]
    assert sorted(one for table in made["tables"] for one in table) == [*range(1, 8)]
    assert made["cost"] == {"repeats": 3, "apart": 0, "again": 1, "low": 0, "spread": 100}
    assert made["proven"] is True
    assert post(client, SEVEN).json() == made


def test_little_is_required(client: Client) -> None:
    made = post(client, {"players": [{"player": one} for one in "abcde"], "sizes": [4]}).json()
    assert (len(made["tables"]), len(made["byes"])) == (1, 1)
    apart = {"players": [{"player": one} for one in range(8)], "apart": [[0, 1]]}
    assert not any({0, 1} <= {*table} for table in post(client, apart).json()["tables"])


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ([], "invalid_results", "$"),
        ({}, "invalid_results", "players"),
        ({"players": [1]}, "invalid_results", "players[0]"),
        ({"players": [{}]}, "invalid_results", "players[0].player"),
        ({"players": [{"player": -1}]}, "invalid_results", "players[0].player"),
        ({"players": [{"player": "x" * 81}]}, "invalid_results", "players[0].player"),
        ({"players": [{"player": 1}, {"player": "1"}]}, "invalid_results", "players[1].player"),
        ({"players": [{"player": 1, "points": "1/61"}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "points": "1/0"}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "points": "9" * 99}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "points": 0.5}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "met": {"2": 1}}]}, "invalid_results", "players[0].met.2"),
        ({"players": [{"player": 1, "met": {"1": 1}}]}, "invalid_results", "players[0].met.1"),
        ({"players": [{"player": 1, "seats": [[5, 4]]}]}, "invalid_results", "players[0].seats[0]"),
        ({"players": [{"player": 1}], "apart": [[1, 2]]}, "invalid_results", "apart[0][1]"),
        ({"players": [{"player": 1}], "apart": [[1, 1]]}, "invalid_results", "apart[0]"),
        ({"players": [], "small": "none"}, "invalid_results", "small"),
        ({"players": [], "seed": 7}, "invalid_results", "seed"),
        ({"players": [], "sizes": [4, 4]}, "invalid_sizes", None),
        ({"players": [], "sizes": []}, "invalid_sizes", None),
    ],
)
def test_what_is_wrong_is_named(client: Client, body: object, code: str, path: str | None) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json().get("path")) == (code, path)


@pytest.mark.django_db
def test_many_players_need_a_token(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MOST_FOR_ANYBODY", 6)
    refused = post(client, SEVEN)
    assert refused.status_code == NotAuthenticated.status_code
    assert "6" in refused.json()["detail"]
    client.force_login(make.user())
    assert post(client, SEVEN).status_code == 200
    too_many = {"players": [{"player": one} for one in range(1_025)]}
    assert post(client, too_many).json()["path"] == "players"
