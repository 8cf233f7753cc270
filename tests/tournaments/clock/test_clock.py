"""The clock of a round: kept by the staff, the same for everybody, whatever happens to clocks."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import BadInput, RuleError
from rules.events.clock import ClockState
from tests import factories as make
from tests.tournaments.clock.by_hand import ADD, PAUSE, RESET, RESUME, START, act, shown
from tournaments.core.clocks import clock_json, row_of
from tournaments.core.permissions import Actor
from tournaments.events.services import events
from tournaments.models import Event, RoundClock
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db


def test_a_round_from_the_start_to_the_end_of_its_time(event, by, time):
    assert (shown(event).state, shown(event).left) == (ClockState.READY, 3000)
    act(event, START, by)
    time.pass_by(600)
    assert (shown(event).face, shown(event).note) == ("40:00", "")
    act(event, PAUSE, by)
    time.pass_by(300)
    assert (shown(event).face, shown(event).note) == ("40:00", "The clock is stopped.")
    act(event, RESUME, by)
    time.pass_by(1500)
    assert (shown(event).face, shown(event).note) == ("15:00", "The last 15 minutes")
    act(event, ADD, by, minutes=5)
    assert (shown(event).face, shown(event).note, shown(event).minutes) == ("20:00", "", 55)
    time.pass_by(1200)
    over = shown(event)
    assert (over.state, over.face, over.until) == (ClockState.OVER, "0:00", None)
    assert over.note.startswith("Time is up: play to the end of the turn")
    assert shown(event, extra=4).face == "4:00"
    lines = event.log.filter(action__startswith="clock.").order_by("number")
    assert [(line.action, line.before["left"], line.after["left"]) for line in lines] == [
        ("clock.start", "50:00", "50:00"),
        ("clock.pause", "40:00", "40:00"),
        ("clock.resume", "40:00", "40:00"),
        ("clock.add", "15:00", "20:00"),
    ]
    assert Event.objects.get(pk=event.pk).version == lines.last().number


def test_a_start_by_mistake_is_taken_back(event, by, time):
    act(event, START, by)
    time.pass_by(60)
    act(event, RESET, by)
    assert (shown(event).state, shown(event).face) == (ClockState.READY, "50:00")
    assert RoundClock.objects.get().started_at is None


@pytest.mark.parametrize("wrong", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=-2)])
def test_a_server_clock_that_is_set_changes_nothing(event, by, time, wrong):
    act(event, START, by)
    time.pass_by(600)
    time.at += wrong
    assert shown(event).face == "40:00"
    act(event, PAUSE, by)
    act(event, RESUME, by)
    time.pass_by(60)
    assert shown(event).face == "39:00"


def test_after_the_machine_was_off_the_time_of_day_counts(event, by, time):
    act(event, START, by)
    time.pass_by(600)
    time.ticks, time.machine = 3.0, "laptop, switched on again"
    assert shown(event).face == "40:00"


def test_the_second_of_two_who_press_at_once_is_told(event, by, time):
    judge = make.staff(event)
    act(event, START, by, expected=0)
    act(event, PAUSE, judge, expected=1)
    with pytest.raises(RuleError) as refused:
        act(event, PAUSE, by, expected=1)
    assert refused.value.code == "clock_changed"
    with pytest.raises(RuleError) as refused:
        act(event, ADD, by, minutes=5, expected=1)
    assert refused.value.code == "clock_changed"
    assert RoundClock.objects.get().version == 2
    with pytest.raises(RuleError) as refused:
        act(event, PAUSE, by)
    assert refused.value.code == "clock_not_running"


def test_who_may(event, by, time):
    for role in ("judge", "head_judge", "scorekeeper"):
        act(event, START, make.staff(event, role))
        act(event, RESET, by)
    entry = event.entries.first()
    for stranger in (Actor(entry=entry), Actor(user=make.user()), Actor()):
        with pytest.raises(PermissionDenied):
            act(event, START, stranger)


def test_what_has_no_clock(event, by, time):
    with pytest.raises(BadInput):
        act(event, START, by) and act(event, ADD, by, minutes=61)
    item = event.rounds.get()
    make.play_round(item, by)
    assert shown(event) is None  # all results are in
    rounds.draft_round(event=event, expected_round=2, by=by)
    with pytest.raises(RuleError) as refused:
        act(event, START, by, ordinal=2)
    assert refused.value.code == "round_not_published"
    rounds.publish_round(event=event, ordinal=2, by=by)
    for ordinal, code in ((1, "round_over"), (9, "round_gone")):
        with pytest.raises(RuleError) as refused:
            act(event, PAUSE, by, ordinal=ordinal)
        assert refused.value.code == code
    assert shown(event).state is ClockState.READY


def test_a_final_has_no_time_limit(by, time):
    event = make.started(by, 4)
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    item = make.next_round(event, by)
    assert shown(event) is None
    with pytest.raises(RuleError) as refused:
        act(event, START, by, ordinal=item.ordinal)
    assert refused.value.code == "no_time_limit"
    assert clock_json(event, item, timed=False) is None


def test_a_finished_event_keeps_no_time(event, by, time):
    Event.objects.filter(pk=event.pk).update(state="finished")
    with pytest.raises(RuleError) as refused:
        act(event, START, by)
    assert refused.value.code == "event_not_running"


def test_minutes_of_the_event_that_change_leave_a_clock_that_runs(event, by, time):
    act(event, START, by)
    events.change_event(event=event, changes={"minutes": 70, "warnings": [5, 20, 5]}, by=by)
    assert shown(event).face == "50:00"
    assert Event.objects.get(pk=event.pk).warnings == [20, 5]
    with pytest.raises(BadInput):
        events.change_event(event=event, changes={"warnings": [0]}, by=by)


def test_a_round_taken_back_takes_its_clock_along(event, by, time):
    act(event, START, by)
    rounds.take_back_round(event=event, ordinal=1, by=by)
    assert not RoundClock.objects.exists()
    assert row_of(make.next_round(event, by)) is None
