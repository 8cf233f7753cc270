"""Deck formats and exchanges for programs, own rules too."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from decks.api.formats import validate_exchange_body
from decks.decklists.samples import sample_deck
from decks.models import Decklist
from rules.deckbuilding.deck_json import deck_to_json
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse_decklist

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
    assert english == "Main deck: 29 instead of 30. Add 1."
    assert italian == "Mazzo principale: 29 invece di 30. Aggiungine 1."


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


@pytest.mark.deep
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


@pytest.mark.deep
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


GOLDEN = Path(__file__).parents[2] / "golden" / "exchange"
FILES = sorted(GOLDEN.glob("*/*.json"))


def post_exchange(
    client: Client, body: object, slug: str = "creatures-of-exo", **headers: str
) -> Any:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    url = f"/api/v1/formats/{slug}/exchange/"
    return client.post(url, data=sent, content_type="application/json", headers=headers)


def registered(slug: str, number: int = 5) -> dict[str, list[dict[str, Any]]]:
    shape = FORMATS.get(slug)
    return deck_to_json(parse_decklist(sample_deck(slug, number), shape))


@pytest.mark.django_db
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_answered_as_validate_answers(client: Client, path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    codes = sample.pop("codes")
    answer = post_exchange(client, sample, path.parent.name)
    assert answer.status_code == 200
    data = answer.json()
    assert [fault["code"] for fault in data["violations"]] == codes
    errors = [fault for fault in data["violations"] if fault["severity"] == "error"]
    assert data["legal"] is (not errors)
    assert set(data) == {"format", "legal", "language", "counts", "zones", "violations"}


@pytest.mark.django_db
def test_the_answer_holds_the_deck_after_the_exchange(client: Client) -> None:
    before = registered("creatures-of-exo")
    leaving, entering = before["main"][0]["name"], before["side"][0]["name"]
    body = {
        "registered": before,
        "out": {"main": [{"name": leaving, "count": 1}]},
        "in": {"main": [{"name": entering, "count": 1}]},
        "games_played": 1,
    }
    data = post_exchange(client, body).json()
    assert data["legal"] is True
    assert data["counts"] == {"leader": 1, "main": 30, "evolution": 5, "side": 5}
    assert entering in {entry["name"] for entry in data["zones"]["main"]}
    assert leaving in {entry["name"] for entry in data["zones"]["side"]}
    assert not Decklist.objects.exists()


@pytest.mark.django_db
def test_messages_of_an_exchange_follow_the_readers_language(client: Client) -> None:
    before = registered("doomtrooper-original", 1)
    name = before["reserve"][0]["name"]
    body = {"registered": before, "in": {"deck": [{"name": name}]}}
    italian, english = (
        post_exchange(client, body, "doomtrooper-original", **{"Accept-Language": language}).json()
        for language in ("it", "en")
    )
    assert [fault["message"] for fault in english["violations"]] == [
        "Cards out: 0, in: 1. Take out 1 more."
    ]
    assert [fault["message"] for fault in italian["violations"]] == [
        "Escono: 0, entrano: 1. Fanne uscire ancora 1."
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"registered", "out", "in", "table"}),
        ({"registered": {}}, {"out", "in", "table"}),
        ({"out": {}, "in": {}}, {"registered"}),
        ({"registered": {}, "out": {}, "table": {}}, {"out", "in", "table"}),
        (
            {"registered": [], "out": 1, "in": "x", "games_played": "2"},
            {"registered", "out", "in", "games_played"},
        ),
        ({"registered": {}, "table": []}, {"table"}),
        ({"registered": {}, "table": {}, "games_played": -1}, {"games_played"}),
        ({"registered": {}, "table": {}, "games_played": True}, {"games_played"}),
        ({"registered": {}, "table": {}, "games_played": 1.5}, {"games_played"}),
        ({"registered": {}, "table": {}, "games_played": 1000}, {"games_played"}),
    ],
)
def test_each_wrong_field_is_named(client: Client, body: object, fields: set[str]) -> None:
    answer = post_exchange(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert set(answer.json()["errors"]) == fields
    assert set(answer.json()) >= fields


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"registered": {"main": {}}, "table": {}}, "registered.main"),
        ({"registered": {}, "table": {"main": [[]]}}, "table.main[0]"),
        ({"registered": {}, "out": {"main": [{"name": "A", "kind": []}]}}, "out.main[0].kind"),
        ({"registered": {}, "in": {"main": [{"name": "A"}] * 5001}}, "in"),
    ],
)
def test_a_wrong_place_inside_an_exchange_is_named(
    client: Client, body: object, field: str
) -> None:
    answer = post_exchange(client, body)
    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert answer.json()["code"] in ("wrong_type", "text_too_long")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b"[" * 100_000, b'{"registered": {"main": [NaN]}}']
)
def test_a_rubbish_exchange_is_refused_with_a_code(client: Client, body: bytes) -> None:
    answer = post_exchange(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"]


@pytest.mark.django_db
def test_an_exchange_of_an_unknown_format_is_not_found(client: Client) -> None:
    answer = post_exchange(client, {"registered": {}, "table": {}}, "chess")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_format")


@pytest.mark.django_db
@pytest.mark.parametrize("slug", [shape.key for shape in FORMATS if shape.exchange is None])
def test_a_game_without_exchange_says_so(client: Client, slug: str) -> None:
    answer = post_exchange(client, {"registered": {}, "table": {}}, slug)
    assert (answer.status_code, answer.json()["code"]) == (400, "no_exchange")


@pytest.mark.django_db
def test_the_schema_documents_the_exchange(client: Client) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    assert "post" in schema["paths"]["/api/v1/formats/{slug}/exchange/"]
    fields = schema["components"]["schemas"]["Exchange"]["properties"]
    assert set(fields) == {"registered", "out", "in", "table", "games_played"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["registered", "out", "in", "table", "games_played"]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_object_is_read_or_refused_by_field(body: dict[str, object]) -> None:
    named: set[str] = set()
    try:
        validate_exchange_body(body)
    except ValidationError as refused:
        named = set(refused.detail)
    assert named <= set(FIELDS)


TRY = "/api/v1/formats/try/"
RULES = {"zones": [{"key": "main", "name": "Mazzo", "min": 3}], "copies": {"max": 2}}


def post_rules(client: Client, body: object) -> Any:
    return client.post(
        TRY, json.dumps(body), content_type="application/json", headers={"accept-language": "en"}
    )


def test_rules_that_come_along_can_be_sent_back(client: Client) -> None:
    found = client.get("/api/v1/formats/ready/").json()
    assert {"magic-constructed", "pokemon-standard", "chess"} <= {one["key"] for one in found}
    for one in found:
        answer = post_rules(client, {"rules": one["rules"], "text": ""})
        assert answer.status_code == 200, one["key"]
        assert answer.json()["not_checked"] == one["rules"]["not_checked"]


def test_a_list_is_tried_against_rules(client: Client) -> None:
    answer = post_rules(client, {"rules": RULES, "text": "Mazzo\n3 Lupo"}).json()
    assert [one["code"] for one in answer["violations"]] == ["copies.too_many"]
    assert answer["legal"] is False
    assert answer["counts"] == {"main": 3}
    assert answer["rules"][:3] == [
        "Mazzo: at least 3.",
        "Copies of each card: at most 2.",
        "Matches can be drawn",
    ]
    zones = {"main": [{"name": "Lupo", "count": 2}, {"name": "Orso", "count": 1}]}
    assert post_rules(client, {"rules": RULES, "zones": zones}).json()["legal"] is True


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
    answer = post_rules(client, {"rules": rules, "text": "1 Lupo"})
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["path"]) == ("invalid_rules", path)


def test_a_list_is_needed(client: Client) -> None:
    assert post_rules(client, {"rules": RULES}).status_code == 400
