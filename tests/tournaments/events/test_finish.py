"""The end in one act: it closes the last stage too, and one undo takes back both."""

import pytest
from rest_framework.test import APIClient

from rules.errors import RuleError
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.events.services import change_event_state
from tournaments.judging.services import call_judge
from tournaments.models import Event, LogLine, StaffRole, Stage
from tournaments.stages.services import close_stage
from tournaments.undo.selectors import find_redoable_undo, last_act, undo_options
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

GROUP = {"formula": "single-group", "format": "creatures-of-exo"}
CUT = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 2, "cut": 2}}
TABLES = make.TABLES | {"options": {"rounds": 2, "cut": 0}}


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def all_but_closed(by, **values) -> Event:
    """Return an event whose last stage is played, with nothing left to decide."""
    event = make.started(by, 6, **values)
    while True:
        make.play_stage(event, by)
        while needed := load_facts(event).open_stage.outcome.lots_needed:
            make.draws.draw_tied_order(event=event, tied=needed[0], by=by)
        facts = load_facts(event)
        if facts.open_stage is facts.stages[-1]:
            return fresh(event)
        close_stage(event=event, expected_stage=facts.open_stage.stage.number, by=by)


def state_of(event: Event) -> tuple[object, ...]:
    event = fresh(event)
    stages = tuple(event.stages.order_by("number").values_list("state", "closed_at", "places"))
    return event.state, event.finished_at, event.held_stage, stages, load_facts(event).ranking


def end(event: Event, by) -> None:
    change_event_state(event=fresh(event), action="finish", by=by)


def places(event: Event) -> list[dict[str, int]]:
    return list(event.stages.order_by("number").values_list("places", flat=True))


@pytest.mark.deep
@pytest.mark.parametrize("values", [GROUP, CUT, TABLES, GROUP | {"standings_held": "last"}])
def test_one_act_ends_the_event_and_one_undo_takes_it_back(by, values):
    event = all_but_closed(by, **values)
    before = state_of(event)
    end(event, by)
    after = state_of(event)
    assert after[0] == Event.State.FINISHED
    assert {state for state, *_rest in after[3]} == {Stage.State.CLOSED}
    assert list(verify_event(fresh(event))) == []
    line = last_act(fresh(event)).line
    assert line.action == "event.finish"

    undo(event=fresh(event), expected=line.number, by=by)
    assert state_of(event) == before
    assert list(verify_event(fresh(event))) == []
    assert last_act(fresh(event)).line.action not in ("event.finish", "stage.closed")

    redo(event=fresh(event), expected=find_redoable_undo(fresh(event)).number, by=by)
    assert state_of(event) == after
    assert list(verify_event(fresh(event))) == []
    again = last_act(fresh(event)).line
    assert again.action == "act.redone"
    assert "stage.closed" not in [each.line.action for each in undo_options(fresh(event)).others]

    undo(event=fresh(event), expected=again.number, by=by)
    assert state_of(event) == before
    assert list(verify_event(fresh(event))) == []


def test_it_gives_the_places_that_closing_and_finishing_give(by):
    event = all_but_closed(by, **CUT)
    end(event, by)
    at_once = places(event), state_of(event)[4]
    undo(event=fresh(event), expected=last_act(fresh(event)).line.number, by=by)
    close_stage(event=fresh(event), expected_stage=2, by=by)
    end(fresh(event), by)
    assert (places(event), state_of(event)[4]) == at_once


@pytest.mark.deep
def test_a_stage_closed_before_stays_closed_when_the_end_is_taken_back(by):
    event = all_but_closed(by, **GROUP)
    close_stage(event=event, expected_stage=1, by=by)
    end(event, by)
    undo(event=fresh(event), expected=last_act(fresh(event)).line.number, by=by)
    assert event.stages.get().state == Stage.State.CLOSED
    assert last_act(fresh(event)).line.action == "stage.closed"


@pytest.mark.deep
def test_an_open_call_is_closed_and_comes_back(by):
    event = make.started(by, 4, **GROUP)
    match = make.next_round(event, by).matches.exclude(table=None).first()
    call = call_judge(match=match, entry=None, by=by)
    make.play_round(event.rounds.get(), by)
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_tied_order(event=event, tied=needed[0], by=by)
    end(event, by)
    undo(event=fresh(event), expected=last_act(fresh(event)).line.number, by=by)
    assert list(verify_event(fresh(event))) == []
    call.refresh_from_db()
    assert fresh(event).state == Event.State.RUNNING


def missing_round(by) -> Event:
    return make.halfway(by, 6, **GROUP)


def missing_result(by) -> Event:
    return make.playing(by, 2, **GROUP)


def missing_stage(by) -> Event:
    return make.stage_played(by, 6, **CUT)


REFUSED = {
    "rounds_missing": missing_round,
    "results_missing": missing_result,
    "stage_open": missing_stage,
}


@pytest.mark.deep
@pytest.mark.parametrize(("code", "made"), REFUSED.items())
def test_what_is_missing_is_named_and_nothing_changes(by, code, made):
    event = made(by)
    before, lines = state_of(event), LogLine.objects.count()
    with pytest.raises(RuleError) as refused:
        end(event, by)
    assert refused.value.code == code
    assert (state_of(event), LogLine.objects.count()) == (before, lines)


def api_of(account) -> APIClient:
    client = APIClient()
    client.force_authenticate(account.user)
    return client


def address(event: Event) -> str:
    return f"/api/v1/events/{event.slug}/finish/"


@pytest.mark.deep
def test_the_api_ends_the_event_once(by):
    event, api = all_but_closed(by, **CUT), api_of(by)
    made = api.post(address(event), HTTP_IDEMPOTENCY_KEY="fine")
    assert (made.status_code, made.json()["status"]) == (200, "finished")
    assert api.post(address(event), HTTP_IDEMPOTENCY_KEY="fine").status_code == 200
    again = api.post(address(event))
    assert (again.status_code, again.json()["code"]) == (409, "event_not_running")
    assert LogLine.objects.filter(event=event, action="event.finish").count() == 1


@pytest.mark.parametrize(("code", "made"), REFUSED.items())
def test_the_api_says_what_is_missing(by, code, made):
    event = made(by)
    refused = api_of(by).post(address(event))
    assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert fresh(event).state == Event.State.RUNNING


@pytest.mark.deep
def test_the_status_finished_is_the_same_act(by):
    event = all_but_closed(by, **GROUP)
    sent = api_of(by).patch(f"/api/v1/events/{event.slug}/", {"status": "finished"}, "json")
    assert (sent.status_code, sent.json()["status"]) == (200, "finished")


@pytest.mark.deep
def test_only_an_organiser_ends_the_event(by):
    event = all_but_closed(by, **GROUP)
    keeper = make.staff(event, StaffRole.Role.SCOREKEEPER)
    assert api_of(keeper).post(address(event)).status_code == 403
    assert APIClient().post(address(event)).status_code == 401
    assert fresh(event).state == Event.State.RUNNING
