"""Rules as data through the API: those that come along, and a list tried against rules."""

import json
from typing import Any

import pytest
from django.test import Client

TRY = "/api/v1/formats/try/"
RULES = {"zones": [{"key": "main", "name": "Mazzo", "min": 3}], "copies": {"max": 2}}


def post(client: Client, body: object) -> Any:
    return client.post(
        TRY, json.dumps(body), content_type="application/json", headers={"accept-language": "en"}
    )


def test_rules_that_come_along_can_be_sent_back(client: Client) -> None:
    found = client.get("/api/v1/formats/ready/").json()
    assert {"magic-constructed", "pokemon-standard", "chess"} <= {one["key"] for one in found}
    for one in found:
        answer = post(client, {"rules": one["rules"], "text": ""})
        assert answer.status_code == 200, one["key"]
        assert answer.json()["not_checked"] == one["rules"]["not_checked"]


def test_a_list_is_tried_against_rules(client: Client) -> None:
    answer = post(client, {"rules": RULES, "text": "Mazzo\n3 Lupo"}).json()
    assert [one["code"] for one in answer["violations"]] == ["copies.too_many"]
    assert answer["legal"] is False
    assert answer["counts"] == {"main": 3}
    assert answer["rules"][:3] == [
        "Mazzo: at least 3 cards, no maximum.",
        "Copies of one card: at most 2, all zones taken together.",
        "A match may be drawn.",
    ]
    zones = {"main": [{"name": "Lupo", "count": 2}, {"name": "Orso", "count": 1}]}
    assert post(client, {"rules": RULES, "zones": zones}).json()["legal"] is True


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        (None, "$"),
        ({}, "zones"),
        ({**RULES, "copies": {"max": 0}}, "copies.max"),
        ({**RULES, "colours": []}, "colours"),
    ],
)
def test_what_is_wrong_in_rules_is_named(client: Client, rules: object, path: str) -> None:
    answer = post(client, {"rules": rules, "text": "1 Lupo"})
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["path"]) == ("invalid_rules", path)


def test_a_list_is_needed(client: Client) -> None:
    assert post(client, {"rules": RULES}).status_code == 400
