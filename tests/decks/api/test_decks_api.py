"""The deck formats for programs."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from decks.decklists.samples import sample_deck
from decks.models import Decklist
from rules.deckbuilding.formats import FORMATS

URL = "/api/v1/formats/creatures-of-exo/validate/"


def post(client: Client, body: object, url: str = URL, **headers: str) -> Any:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(url, data=sent, content_type="application/json", headers=headers)


@pytest.mark.django_db
def test_a_text_is_checked_and_not_stored(client: Client) -> None:
    answer = post(client, {"text": sample_deck("creatures-of-exo", 5)})
    assert answer.status_code == 200
    data = answer.json()
    assert (data["format"], data["legal"], data["violations"]) == ("creatures-of-exo", True, [])
    assert data["counts"] == {"leader": 1, "main": 30, "evolution": 5, "side": 5}
    assert data["zones"]["leader"][0]["kind"] == "Leader"
    assert not Decklist.objects.exists()


@pytest.mark.django_db
def test_zones_are_checked_and_answered_as_they_came(client: Client) -> None:
    entry = {"name": "Brace", "count": 29, "kind": "Tattica"}
    answer = post(client, {"zones": {"main": [entry]}, "language": "it"}).json()
    assert answer["zones"]["main"] == [entry]
    assert answer["language"] == "it"
    few = next(v for v in answer["violations"] if v["zone"] == "main")
    assert few == {
        "code": "zone.too_few",
        "severity": "error",
        "zone": "main",
        "card": None,
        "found": 29,
        "minimum": 30,
        "maximum": 30,
        "line": None,
        "message": few["message"],
        "suggestions": [],
    }


@pytest.mark.django_db
def test_messages_follow_the_readers_language(client: Client) -> None:
    body = {"text": "29 Brace"}
    italian, english = (
        post(client, body, **{"Accept-Language": language}).json()["violations"][1]["message"]
        for language in ("it", "en")
    )
    assert english == "Main deck, cards: 29; needed: exactly 30. Add 1."
    assert italian == "Mazzo principale, carte: 29; servono: esattamente 30. Aggiungine 1."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": "a", "zones": {}}, "zones"),
        ({"text": None}, "text"),
        ({"text": 4}, "text"),
        ({"text": ["a"]}, "text"),
        ({"zones": []}, "zones"),
        ({"zones": "main"}, "zones"),
        ({"text": "a", "language": 3}, "language"),
    ],
)
def test_a_wrong_field_is_named(client: Client, body: object, field: str) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert field in answer.json()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"zones": {"main": {}}}, "zones.main"),
        ({"zones": {"main": [[]]}}, "zones.main[0]"),
        ({"zones": {"main": [{"name": "A", "kind": []}]}}, "zones.main[0].kind"),
        ({"zones": {"main": [{"name": "A"}] * 5001}}, "zones"),
        ({"text": "a" * 70_000}, "text"),
    ],
)
def test_a_wrong_place_inside_is_named(client: Client, body: object, field: str) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert answer.json()["code"] in ("wrong_type", "text_too_long")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b'{"text": NaN}',
        b'{"text": "a", "text": "b"}',
        b'{"zones": {"main": [], "main": []}}',
        b'{"text": "\xff"}',
        b'{"text": "\\ud800"}',
        b'{"text": "a\\u0000"}',
        b'{"zones": {"main": [{"name": "\\u0000"}]}}',
        b"[" * 10_000,
        b'{"a":' * 10_000,
        b'{"text": ' + b"9" * 5000 + b"}",
        b" " * 10_000,
    ],
)
def test_rubbish_is_refused_with_a_code(client: Client, body: bytes) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"]


@pytest.mark.django_db
@pytest.mark.parametrize("count", [b"1e400", b"-1", b"99999999999999999999999999", b'"2"', b"[]"])
def test_a_bad_count_is_a_violation(client: Client, count: bytes) -> None:
    answer = post(client, b'{"zones": {"main": [{"name": "A", "count": ' + count + b"}]}}")
    assert answer.status_code == 200
    assert "line.unreadable" in {fault["code"] for fault in answer.json()["violations"]}


@pytest.mark.django_db
def test_a_body_that_no_list_needs_is_refused(client: Client) -> None:
    answer = post(client, {"text": "a" * 1024 * 1024})
    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_long"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["chess/", "chess/validate/"])
def test_an_unknown_format_is_not_found(client: Client, path: str) -> None:
    url = f"/api/v1/formats/{path}"
    answer = post(client, {"text": ""}, url) if "validate" in path else client.get(url)
    assert answer.status_code == 404
    assert answer.json()["code"] == "unknown_format"


@pytest.mark.django_db
def test_formats_are_listed_a_page_at_a_time(client: Client) -> None:
    answer = client.get("/api/v1/formats/").json()
    assert [known["slug"] for known in answer["results"]] == list(FORMATS.keys())
    assert answer["count"] == len(FORMATS.keys())


@pytest.mark.django_db
def test_the_rules_of_a_format_are_data(client: Client) -> None:
    with override("en"):
        exo = client.get("/api/v1/formats/creatures-of-exo/").json()
        original = client.get("/api/v1/formats/doomtrooper-original/").json()
    assert exo["zones"][1] | {"name": ""} == {
        "key": "main",
        "name": "",
        "minimum": 30,
        "maximum": 30,
        "or_none": False,
    }
    assert exo["limits"] == {"copies": 2}
    assert exo["lists"] is None
    assert exo["match"]["best_of"] == 3
    assert original["lists"]["date"] == "2026-11-21"
    assert len(original["lists"]["banned"]) == 28
    assert original["match"]["target"] == 40
    assert (original["game"], original["category"]) == ("doomtrooper", "Original")
    assert original["rules"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        {"text": "?\n" * 32_000},
        {"text": "".join(f"{number}\n" for number in range(11_000))},
        {"zones": {f"z{number}": [{}] for number in range(5_000)}},
        {"zones": {"main": [{}] * 5_000}},
    ],
    ids=["signs", "numbers", "zones", "entries"],
)
def test_an_answer_names_so_many_problems_and_counts_the_others(client: Client, body: Any) -> None:
    answer = post(client, body)
    *told, more = answer.json()["violations"]
    assert (len(told), more["code"], more["severity"]) == (500, "list.more_problems", "info")
    assert more["found"] > 4_000
    assert not answer.json()["legal"]
    assert len(answer.content) < 700_000


@pytest.mark.django_db
@pytest.mark.parametrize("number", [331, "331"], ids=["whole", "text"])
def test_the_number_of_a_card_may_be_a_whole_number(client: Client, number: object) -> None:
    entry = {"name": "Brace", "count": 3, "expansion": "EXO", "number": number}
    answer = post(client, {"zones": {"main": [entry]}})
    assert answer.status_code == 200
    assert answer.json()["zones"]["main"] == [entry | {"number": "331"}]
    schema = client.get("/api/schema/", headers={"accept": "application/vnd.oai.openapi+json"})
    shapes = json.loads(schema.content)["components"]["schemas"]
    kinds = {way["type"] for way in shapes["Entry"]["properties"]["number"]["oneOf"]}
    assert kinds == {"string", "integer"}
