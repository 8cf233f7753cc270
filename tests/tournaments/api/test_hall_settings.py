"""What a hall needs, through the API: information, breaks, overtime, held standings."""

import pytest
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
LUNCH = {"at": "13:00", "minutes": 40, "label": "Pranzo"}
PAUSE = {"at": "11:30", "minutes": 10, "label": ""}


def path(event, rest=""):
    return f"/api/v1/events/{event.slug}/{rest}"


def held(by):
    return make.playing(by, 4, formula="single-group", standings_held="all")


def test_breaks_overtime_and_hold_are_settings_of_an_event(api, by):
    event = make.playing(by, 4)
    before = api.get(path(event)).json()
    assert [before[key] for key in ("breaks", "overtime", "standings_held")] == [[], None, ""]
    sent = {"breaks": [LUNCH, PAUSE | {"label": ""}], "overtime": 5, "standings_held": "last"}
    changed = api.patch(path(event), sent)
    assert changed.status_code == 200, changed.content
    assert changed.json()["breaks"] == [PAUSE, LUNCH]  # in order of their time
    assert (changed.json()["overtime"], changed.json()["standings_held"]) == (5, "last")
    event.refresh_from_db()
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert api.get(path(event)).json() | {"version": 0} == before | {"version": 0}


def test_they_may_be_named_when_an_event_is_made(api):
    sent = {"name": "Coppa", "format": "thoom", "formula": "single-group", "breaks": [LUNCH]}
    made = api.post("/api/v1/events/", sent | {"overtime": 0, "standings_held": "all"})
    assert made.status_code == 201
    assert made.json()["breaks"] == [LUNCH]
    assert (made.json()["overtime"], made.json()["standings_held"]) == (None, "all")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("breaks", [LUNCH | {"at": "25:00"}]),
        ("breaks", [LUNCH | {"at": "13"}]),
        ("breaks", [LUNCH | {"minutes": 0}]),
        ("breaks", [LUNCH | {"label": "x" * 41}]),
        ("breaks", [LUNCH, LUNCH | {"label": "Caffè"}]),  # two at one time
        ("breaks", [PAUSE | {"at": f"1{hour}:00"} for hour in range(7)]),
        ("breaks", "13:00"),
        ("breaks", None),
        ("overtime", 61),
        ("overtime", -1),
        ("standings_held", "some"),
        ("standings_held", None),
    ],
)
def test_a_bad_value_is_400_on_its_field(api, by, field, value):
    event = make.event(by)
    refused = api.patch(path(event), {field: value}, format="json")
    assert refused.status_code == 400
    assert set(refused.json()["errors"]) == {field}
    event.refresh_from_db()
    assert (event.breaks, event.overtime, event.standings_held) == ([], None, "")


def test_the_information_is_read_by_everybody_and_written_by_organisers(api, program, by):
    event = make.playing(by, 4)
    anybody, judge = APIClient(), program(make.staff(event).user)
    assert anybody.get(path(event, "information/")).json()["text"] == ""
    text = "# Premi\n\n1. Coppa  \n2. <b>Niente</b>\n"
    for client, status in ((anybody, 401), (judge, 403)):
        assert client.put(path(event, "information/"), {"text": text}).status_code == status
    written = api.put(path(event, "information/"), {"text": text})
    assert written.status_code == 200
    assert written.json()["text"] == text
    read = anybody.get(path(event, "information/"))
    assert read.json() == written.json()
    held_tag = {"If-None-Match": read["ETag"]}
    assert anybody.get(path(event, "information/"), headers=held_tag).status_code == 304
    assert api.put(path(event, "information/"), {"text": "x" * 20_001}).status_code == 400
    assert api.put(path(event, "information/"), {}).status_code == 400


def test_a_writer_who_is_late_gets_the_present_text(api, by):
    event = make.playing(by, 4)
    first = api.get(path(event, "information/"))
    body = {"text": "Uno", "version": first.json()["version"]}
    stored = api.put(path(event, "information/"), body)
    assert stored.status_code == 200
    late = api.put(path(event, "information/"), body | {"text": "Due"})
    assert late.status_code == 409
    assert late.json()["code"] == "stale"
    assert late.json()["information"] == stored.json()
    held_tag = {"HTTP_IF_MATCH": first["ETag"]}
    assert api.put(path(event, "information/"), {"text": "Due"}, **held_tag).status_code == 412
    fresh = {"HTTP_IF_MATCH": stored["ETag"]}
    assert api.put(path(event, "information/"), {"text": "Due"}, **fresh).status_code == 200


def test_standings_are_released_once_up_to_the_round_that_was_seen(api, program, by):
    event = held(by)
    make.play_round(event.rounds.get(), by)
    anybody, address = APIClient(), path(event, "standings/release/")

    def points() -> int:
        rows = anybody.get(path(event, "standings/")).json()
        return sum(row["values"]["points"] for row in rows)

    assert points() == 0
    judge = program(make.staff(event).user)
    assert judge.post(address, {"round": 1}).status_code == 403
    wrong = api.post(address, {"round": 2})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "another_round")
    key = {"HTTP_IDEMPOTENCY_KEY": "release"}
    for _ in range(2):
        released = api.post(address, {"round": 1}, **key)
        assert (released.status_code, released.json()) == (200, {"round": 1})
    assert points() > 0
    assert api.get(path(event)).json()["standings_released"] == 1
    again = api.post(address, {"round": 1})
    assert (again.status_code, again.json()["code"]) == (409, "nothing_held")
    assert event.log.filter(action="standings.released").count() == 1
