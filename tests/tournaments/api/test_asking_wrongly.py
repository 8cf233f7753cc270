"""What a program asks for in a wrong way: it is told, and not given something else.

Safety notes, T03 and T37.
"""

import pytest
from django.test import Client

from tests.callers import Callers

pytestmark = pytest.mark.django_db
EVENTS = "/api/v1/events/"


@pytest.fixture
def around() -> Callers:
    return Callers()


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_write_without_the_last_slash_is_no_read(around, settings, method, debug):
    settings.DEBUG = debug
    for address in (EVENTS, around.address("event")):
        answer = getattr(around.clients["organiser"], method)(address.rstrip("/"), {})
        assert answer.status_code == 404, answer
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "not_found"
        assert "slash" in answer.json()["detail"]
        assert int(answer["Content-Length"]) == len(answer.content)
    if not debug:
        nowhere = around.clients["organiser"].post("/api/v1/no")
        assert (nowhere.status_code, "slash" in nowhere.json()["detail"]) == (404, False)


def test_a_reader_without_the_last_slash_is_sent_on():
    answer = Client().get(EVENTS.rstrip("/"))
    assert (answer.status_code, answer["Location"]) == (301, EVENTS)


@pytest.mark.parametrize("page", ["-1", "0", "x", "1.5", "%00", "²"])
def test_a_page_has_a_number(around, page):
    for address in (EVENTS, around.address("players"), "/api/v1/formats/"):
        answer = around.clients["organiser"].get(f"{address}?page={page}")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["page"]), address


def test_a_page_behind_the_last_is_not_there(around):
    client = around.clients["organiser"]
    for page in ("2", "9" * 5000):
        assert client.get(f"{EVENTS}?page={page}").status_code == 404
    for asked in ("", "?page=", "?page=1", "?page=last"):
        assert client.get(f"{EVENTS}{asked}").json()["count"] == 2, asked


@pytest.mark.parametrize(
    ("name", "field", "known"),
    [
        ("events", "status", "running"),
        ("players", "status", "registered"),
        ("rounds", "state", "published"),
        ("matches", "state", "open"),
    ],
)
def test_a_state_that_there_is_not_is_refused(around, client, name, field, known):
    address = EVENTS if name == "events" else around.address(name)
    program = around.clients["organiser"]
    assert program.get(address, {field: known}).json()["count"]
    refused = program.get(address, {field: "nope"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, [field])
    assert known in refused.json()["detail"] + str(refused.json()["errors"])
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    path = EVENTS if name == "events" else f"{EVENTS}{{slug}}/{name}/"
    asked = {each["name"]: each for each in schema["paths"][path]["get"]["parameters"]}
    assert known in asked[field]["schema"]["enum"]


def test_lots_are_drawn_in_the_stage_that_is_named(around):
    for body in ({"order": [1, 2]}, {}):
        address = around.address("stage-lots", number=2)
        refused = around.clients["organiser"].post(address, body)
        assert (refused.status_code, refused.json()["code"]) == (409, "stage_not_open")
