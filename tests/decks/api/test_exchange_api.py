"""An exchange between two games, checked for programs."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from decks.api.formats import exchange_fields
from decks.decklists.samples import sample_deck
from decks.models import Decklist
from rules.deckbuilding.deck_json import deck_to_json
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse

GOLDEN = Path(__file__).parents[2] / "golden" / "exchange"
FILES = sorted(GOLDEN.glob("*/*.json"))


def post(client: Client, body: object, slug: str = "creatures-of-exo", **headers: str) -> Any:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    url = f"/api/v1/formats/{slug}/exchange/"
    return client.post(url, data=sent, content_type="application/json", headers=headers)


def registered(slug: str, number: int = 5) -> dict[str, list[dict[str, Any]]]:
    shape = FORMATS.get(slug)
    return deck_to_json(parse(sample_deck(slug, number), shape))


@pytest.mark.django_db
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_answered_as_validate_answers(client: Client, path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    codes = sample.pop("codes")
    answer = post(client, sample, path.parent.name)
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
    data = post(client, body).json()
    assert data["legal"] is True
    assert data["counts"] == {"leader": 1, "main": 30, "evolution": 5, "side": 5}
    assert entering in {entry["name"] for entry in data["zones"]["main"]}
    assert leaving in {entry["name"] for entry in data["zones"]["side"]}
    assert not Decklist.objects.exists()


@pytest.mark.django_db
def test_messages_follow_the_readers_language(client: Client) -> None:
    before = registered("doomtrooper-original", 1)
    name = before["reserve"][0]["name"]
    body = {"registered": before, "in": {"deck": [{"name": name}]}}
    italian, english = (
        post(client, body, "doomtrooper-original", **{"Accept-Language": language}).json()
        for language in ("it", "en")
    )
    assert [fault["message"] for fault in english["violations"]] == [
        "Cards going out: 0; coming in: 1. Take out 1 more."
    ]
    assert [fault["message"] for fault in italian["violations"]] == [
        "Carte che escono: 0; che entrano: 1. Fanne uscire ancora 1."
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
    answer = post(client, body)
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
def test_a_wrong_place_inside_is_named(client: Client, body: object, field: str) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert answer.json()["code"] in ("wrong_type", "text_too_long")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b"[" * 100_000, b'{"registered": {"main": [NaN]}}']
)
def test_rubbish_is_refused_with_a_code(client: Client, body: bytes) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"]


@pytest.mark.django_db
def test_an_unknown_format_is_not_found(client: Client) -> None:
    answer = post(client, {"registered": {}, "table": {}}, "chess")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_format")


@pytest.mark.django_db
@pytest.mark.parametrize("slug", [shape.key for shape in FORMATS if shape.exchange is None])
def test_a_game_without_exchange_says_so(client: Client, slug: str) -> None:
    answer = post(client, {"registered": {}, "table": {}}, slug)
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
        exchange_fields(body)
    except ValidationError as refused:
        named = set(refused.detail)
    assert named <= set(FIELDS)
