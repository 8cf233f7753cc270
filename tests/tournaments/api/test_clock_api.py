"""The clock of a round through the API."""

from datetime import UTC, datetime, timedelta

import pytest

from rules.events.clock import Moment
from tests import factories as make

pytestmark = pytest.mark.django_db
BEGIN = Moment(datetime(2026, 12, 5, 9, tzinfo=UTC), 100.0, "laptop")


@pytest.fixture
def wait(monkeypatch):
    """Return a function that lets seconds pass; nothing passes by itself."""
    now = [BEGIN]
    for module in ("core.clocks", "clock.services"):
        monkeypatch.setattr(f"tournaments.{module}.moment_now", lambda: now[0])

    def pass_by(seconds: float) -> None:
        was = now[0]
        now[0] = Moment(was.at + timedelta(seconds=seconds), was.ticks + seconds, was.machine)

    return pass_by


@pytest.fixture
def event(by):
    return make.playing(by, 4)


def url(event, rest="", ordinal=1):
    return f"/api/v1/events/{event.slug}/rounds/{ordinal}/{rest}"


def clock(answer):
    assert answer.status_code == 200, answer.content
    told = answer.json()["clock"]
    return told["state"], told["remaining"], told["minutes"]


def test_a_round_with_its_clock(api, event, wait):
    def act(action, **more):
        return clock(api.post(url(event, "clock/"), {"action": action} | more))

    assert clock(api.get(url(event))) == ("ready", 3000, 50)
    assert act("start") == ("running", 3000, 50)
    wait(60)
    assert act("pause") == ("paused", 2940, 50)
    wait(60)
    assert act("resume") == ("running", 2940, 50)
    assert act("add", minutes=5) == ("running", 3240, 55)
    wait(4000)
    assert clock(api.get(url(event))) == ("over", 0, 55)
    assert act("reset") == ("ready", 3300, 55)


def test_each_second_is_another_answer_while_it_runs(api, event, wait):
    api.post(url(event, "clock/"), {"action": "start"})
    tag = api.get(url(event))["ETag"]
    assert api.get(url(event), HTTP_IF_NONE_MATCH=tag).status_code == 304
    wait(2)
    again = api.get(url(event), HTTP_IF_NONE_MATCH=tag)
    assert clock(again) == ("running", 2998, 50)
    listed = api.get(f"/api/v1/events/{event.slug}/rounds/").json()["results"][0]
    assert listed["clock"]["remaining"] == 2998
    api.post(url(event, "clock/"), {"action": "pause"})
    tag = api.get(url(event))["ETag"]
    wait(99)
    assert api.get(url(event), HTTP_IF_NONE_MATCH=tag).status_code == 304


def test_refusals(api, event, wait, by):
    for body in ({}, {"action": "stop"}, {"action": "add", "minutes": 0}, {"action": 7}):
        assert api.post(url(event, "clock/"), body).status_code == 400
    for body, code in (
        ({"action": "pause"}, "clock_not_running"),
        ({"action": "add", "minutes": 5}, "clock_not_started"),
    ):
        refused = api.post(url(event, "clock/"), body)
        assert (refused.status_code, refused.json()["code"]) == (409, code)
    api.post(url(event, "clock/"), {"action": "start"})
    assert api.post(url(event, "clock/"), {"action": "add"}).status_code == 400
    assert api.post(url(event, "clock/", ordinal=9), {"action": "start"}).status_code == 404


def test_the_same_call_twice_has_one_effect(api, event, wait):
    api.post(url(event, "clock/"), {"action": "start"})
    body = {"action": "add", "minutes": 5}
    for _turn in range(2):
        answer = api.post(url(event, "clock/"), body, HTTP_IDEMPOTENCY_KEY="five more")
        assert clock(answer) == ("running", 3300, 55)


def test_who_may(program, event, wait, judge_of):
    body = {"action": "start"}
    judge = judge_of(event)
    assert program(judge, "results").post(url(event, "clock/"), body).status_code == 403
    assert program(make.user()).post(url(event, "clock/"), body).status_code == 403
    assert clock(program(judge).post(url(event, "clock/"), body))[0] == "running"


def test_a_final_has_no_clock(api, by):
    event = make.started(by, 4)
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    item = make.next_round(event, by)
    assert api.get(url(event, ordinal=item.ordinal)).json()["clock"] is None
    refused = api.post(url(event, "clock/", ordinal=item.ordinal), {"action": "start"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_time_limit")
