"""The schema says what the calls do."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import get_resolver
from django.utils import translation
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView

from config.schema import Schema
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def schema(client: Client):
    return client.get("/api/schema/", headers={"Accept": "application/json"}).json()


def test_the_schema_is_written_once_for_each_language_and_format(client, monkeypatch) -> None:
    asked = []

    class Generator(SchemaGenerator):
        def get_schema(self, *args, **kwargs):
            asked.append(get_language())
            return super().get_schema(*args, **kwargs)

    monkeypatch.setattr(SpectacularAPIView, "generator_class", Generator)
    monkeypatch.setattr("config.schema.WRITTEN", {})
    usual = SpectacularAPIView.as_view(renderer_classes=Schema.renderer_classes)
    for accept in ("application/json", "*/*", "application/json; indent=2"):
        headers = {"accept": accept, "accept-language": "it"}
        first, second = (client.get("/api/schema/", headers=headers) for _ in range(2))
        with translation.override("it"):
            made = usual(RequestFactory().get("/api/schema/", headers=headers)).render()
        assert first.content == second.content == made.content
        for name in ("Content-Type", "Content-Disposition"):
            assert first[name] == second[name] == made[name]
    assert asked == ["it"] * (2 + 2 + 3)
    client.get("/api/schema/", headers={"accept-language": "en"})
    assert asked[7:] == ["en"]


def test_the_schema_is_valid_and_leaves_nothing_open() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO())


def test_every_call_is_in_the_schema_and_names_its_refusals(schema) -> None:
    spaces = ("tournaments_api", "decks_api")
    resolver = get_resolver()
    known = set()
    for item in resolver.url_patterns:
        if getattr(item, "namespace", None) in spaces:
            known |= {pattern.name for pattern in item.url_patterns}
    assert len(schema["paths"]) == len(known)
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert {"400", "403", "404", "409"} <= set(operation["responses"]), (path, method)


def test_an_answer_has_the_fields_of_its_schema(schema, api) -> None:
    body = {"name": "T", "format": "thoom", "formula": "single-group"}
    made = api.post("/api/v1/events/", body).json()
    assert set(made) == set(schema["components"]["schemas"]["EventOutput"]["properties"])
    player = api.post(f"/api/v1/events/{made['slug']}/players/", {"name": "Ada"}).json()
    assert set(player) == set(schema["components"]["schemas"]["PlayerOutput"]["properties"])


def test_a_filter_may_be_left_empty_and_the_schema_says_so(schema, api) -> None:
    event = make.playing(make.organiser(), 4)
    for path in ("matches", "standings", "rounds", "players"):
        operation = schema["paths"][f"/api/v1/events/{{slug}}/{path}/"]["get"]
        asked = [each for each in operation["parameters"] if each["in"] == "query"]
        assert asked
        address = f"/api/v1/events/{event.slug}/{path}/"
        plain = api.get(address)
        for parameter in asked:
            assert parameter["allowEmptyValue"] is True, (path, parameter)
            answer = api.get(address, {parameter["name"]: ""})
            assert answer.status_code == 200, (path, parameter)
            assert answer.json() == plain.json(), (path, parameter)
    advice = schema["paths"]["/api/v1/formulas/advice/"]["get"]["parameters"]
    assert [each["name"] for each in advice if "allowEmptyValue" in each] == []
    assert api.get("/api/v1/formulas/advice/", {"players": ""}).status_code == 400


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("matches/?round=x", 400),
        ("players/?page=x", 404),
        ("standings/?stage=x", 400),
        ("tie-breaks/?stage=x", 400),
    ],
)
def test_a_wrong_question_is_refused_whatever_the_reader_holds(api, by, asked, status) -> None:
    event = make.playing(by, 4)
    path = f"/api/v1/events/{event.slug}/{asked}"
    assert api.get(path, headers={"if-none-match": "*"}).status_code == status
    right = api.get(path.partition("?")[0])
    held = {"if-none-match": right.headers["ETag"]}
    assert api.get(path.partition("?")[0], headers=held).status_code == 304


def test_what_is_null_in_a_list_is_as_if_left_out_and_the_schema_says_so(schema, api) -> None:
    path = "/api/v1/formats/{slug}/validate/"
    content = schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    name = content["schema"]["$ref"].rpartition("/")[2]
    fields = schema["components"]["schemas"][name]["properties"]
    assert {key: field.get("nullable") for key, field in fields.items()} == dict.fromkeys(
        ("text", "zones", "language"), True
    )
    address = path.format(slug="thoom")
    plain = api.post(address, {"text": "1 x"})
    nulls = api.post(address, {"text": "1 x", "zones": None, "language": None})
    assert (nulls.status_code, nulls.json()) == (200, plain.json())
