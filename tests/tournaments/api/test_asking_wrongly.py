"""What a program asks for in a wrong way: it is told, and not given something else.

Safety notes, T03 and T37.
"""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
EVENTS = "/api/v1/events/"


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


def test_lots_are_drawn_in_the_stage_that_is_named(around):
    for body in ({"order": [1, 2]}, {}):
        address = around.address("stage-lots", number=2)
        refused = around.clients["organiser"].post(address, body)
        assert (refused.status_code, refused.json()["code"]) == (409, "stage_not_open")
