"""The clock of a round, and a day's timetable."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput, RuleError
from rules.events.clock import (
    Clock,
    ClockAction,
    ClockReading,
    ClockState,
    apply_clock_action,
    current_warning,
    elapsed_minutes,
    format_clock,
    is_in_overtime,
    lost_minutes,
    validate_overtime,
    validate_warnings,
)
from rules.events.timetable import Break, make_break, read_breaks, timetable, validate_breaks
from rules.json_reader import WrongValue

BEGIN = datetime(2027, 3, 27, 9, 0, tzinfo=UTC)
START, PAUSE, RESUME, ADD, RESET = ClockAction


def at(seconds: float, *, wrong_by: float = 0, machine: str = "laptop") -> ClockReading:
    """Return a moment so long after the beginning, with the clock set wrong meanwhile."""
    shown = BEGIN + timedelta(seconds=seconds + wrong_by)
    return ClockReading(shown, 5000 + seconds if machine else None, machine)


def started(minutes: int = 50, **machine: str) -> Clock:
    return apply_clock_action(Clock(minutes=minutes), START, at(0, **machine))


def test_before_the_start_the_whole_time_is_left():
    clock = Clock(minutes=50)
    assert clock.left(at(99_999)) == 3000
    assert clock.state_at(at(99_999)) is ClockState.READY


def test_it_runs_down_and_over():
    clock = started()
    assert clock.left(at(60)) == 2940
    assert clock.left(at(2999.5)) == 0.5
    assert clock.state_at(at(2999.5)) is ClockState.RUNNING
    assert clock.state_at(at(3000)) is ClockState.OVER
    assert clock.left(at(3133)) == -133


def moment(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("gone", "back", "minutes"),
    [
        (600, 1320, 12),
        (600, 690, 2),
        (600, 689, 1),
        (-3600, 300, 5),  # it was started while the site was said to be away
        (2999, 3600, 10),
        (3000, 3600, 0),  # time was up before
        (600, 9000, 60),
        (-600, 0, 0),
        (-600, -100, 0),
    ],
)
def test_the_minutes_in_which_nobody_could_see_it(gone, back, minutes):
    assert lost_minutes(started(), moment(gone), moment(back)) == minutes


def test_a_clock_that_stood_still_has_lost_nothing():
    stopped = apply_clock_action(started(), PAUSE, at(2000))
    for clock in (Clock(minutes=50), stopped, apply_clock_action(stopped, RESUME, at(2100))):
        assert lost_minutes(clock, moment(600), moment(1320)) == 0


def test_minutes_that_have_passed_are_whole_and_at_most_an_hour():
    assert elapsed_minutes(Clock(minutes=50), at(0)) == 0
    for seconds, minutes in ((59, 0), (60, 1), (779, 12), (3600, 60), (9000, 60)):
        assert elapsed_minutes(started(), at(seconds)) == minutes


def test_pauses_cost_nothing():
    clock = apply_clock_action(started(), PAUSE, at(600))
    assert clock.left(at(9000)) == 2400
    assert clock.state_at(at(9000)) is ClockState.PAUSED
    clock = apply_clock_action(clock, RESUME, at(1000))
    assert clock.left(at(1100)) == 2300
    clock = apply_clock_action(apply_clock_action(clock, PAUSE, at(1200)), RESUME, at(1201))
    assert clock.left(at(1201)) == 2200


def test_minutes_for_all_and_for_one_table():
    clock = apply_clock_action(started(), ADD, at(2990), 5)
    assert clock.left(at(3000)) == 300
    assert clock.left(at(3000), extra_minutes=4) == 540
    assert clock.state_at(at(3400)) is ClockState.OVER
    assert clock.state_at(at(3400), extra_minutes=4) is ClockState.RUNNING
    paused = apply_clock_action(apply_clock_action(started(), PAUSE, at(100)), ADD, at(200), 1)
    assert (paused.state, paused.left(at(300))) == (ClockState.PAUSED, 2960)


def test_minutes_after_time_was_up_give_the_whole_of_them_to_nobody_twice():
    clock = apply_clock_action(started(), ADD, at(3060), 5)
    assert clock.left(at(3060)) == 240


def test_a_start_by_mistake_is_taken_back_and_added_minutes_stay():
    clock = apply_clock_action(apply_clock_action(started(), ADD, at(10), 5), RESET, at(20))
    assert clock == Clock(minutes=55)
    assert apply_clock_action(clock, START, at(100)).left(at(160)) == 54 * 60


@pytest.mark.parametrize("minutes", [0, -5, 61, 10**9])
def test_impossible_minutes(minutes):
    with pytest.raises(BadInput) as refusal:
        apply_clock_action(started(), ADD, at(1), minutes)
    assert refusal.value.code == "impossible_minutes"


@pytest.mark.parametrize("action", [PAUSE, RESET])
def test_only_the_act_that_adds_time_takes_minutes(action):
    with pytest.raises(BadInput, match="Choose one") as refusal:
        apply_clock_action(started(), action, at(1), 5)
    assert refusal.value.code == "impossible_minutes"


@pytest.mark.parametrize(
    ("clock", "action", "code"),
    [
        (started(), START, "clock_started"),
        (Clock(minutes=50), PAUSE, "clock_not_running"),
        (started(), RESUME, "clock_not_paused"),
        (Clock(minutes=50), ADD, "clock_not_started"),
        (Clock(minutes=50), RESET, "clock_not_started"),
    ],
)
def test_acts_that_are_not_possible(clock, action, code):
    with pytest.raises(RuleError) as refusal:
        apply_clock_action(clock, action, at(1), 5)
    assert refusal.value.code == code


@pytest.mark.parametrize("wrong_by", [3600, -3600, -2 * 86400, 90 * 86400])
def test_a_clock_set_forward_or_back_changes_nothing(wrong_by):
    clock = started()
    assert clock.left(at(600, wrong_by=wrong_by)) == 2400
    paused = apply_clock_action(clock, PAUSE, at(600, wrong_by=wrong_by))
    assert apply_clock_action(paused, RESUME, at(700)).left(at(760)) == 2340


@pytest.mark.parametrize("machine", ["", "another"])
def test_without_a_count_in_common_the_time_of_day_counts(machine):
    clock = started()
    assert clock.left(at(600, machine=machine)) == 2400
    assert clock.left(at(600, wrong_by=-3600, machine=machine)) == 3000  # never more than there was


@pytest.mark.parametrize("day", [(2027, 3, 28), (2027, 10, 31)])
def test_summer_time_is_no_hour_more_or_less(day):
    rome = ZoneInfo("Europe/Rome")
    begun = ClockReading(datetime(*day, 1, 50, tzinfo=rome).astimezone(UTC))
    clock = apply_clock_action(Clock(minutes=50), START, begun)
    half_past = ClockReading(begun.at + timedelta(minutes=20))
    assert clock.left(ClockReading(half_past.at.astimezone(rome))) == 1800
    assert clock.left(half_past) == 1800


acts = st.lists(
    st.tuples(st.sampled_from(ClockAction), st.integers(0, 4000), st.integers(1, 60)), max_size=12
)


@given(acts, st.lists(st.integers(0, 90_000), min_size=2, max_size=6), st.integers(-99999, 99999))
def test_what_is_left_never_jumps_up_by_itself(steps, later, wrong_by):
    clock, now = Clock(minutes=50), 0
    for action, pause, minutes in steps:
        now += pause
        try:
            after = apply_clock_action(clock, action, at(now), minutes)
        except RuleError:
            continue
        more = {ADD: minutes * 60, RESET: clock.used_at(at(now))}.get(action, 0)
        assert after.left(at(now)) == clock.left(at(now)) + more
        clock = after
    seen = [clock.left(at(now + wait, wrong_by=wrong_by)) for wait in sorted(later)]
    assert all(one >= two for one, two in pairwise(seen))
    assert seen[0] <= clock.minutes * 60


def test_warnings():
    given = (15, 10, 5)
    told = [current_warning(given, left) for left in (901, 900, 601, 600, 300, 1, 0, -60)]
    assert told == [0, 15, 15, 10, 5, 5, 0, 0]
    assert current_warning((), 60) == 0


def test_checked_warnings():
    assert validate_warnings([5, 15, 5, 10]) == (15, 10, 5)
    assert validate_warnings([]) == ()
    for wrong in ([0], [-1], [601], range(1, 8)):
        with pytest.raises(BadInput):
            validate_warnings(wrong)


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (3000, "50:00"),
        (2999.2, "50:00"),
        (2999.0, "49:59"),
        (0.1, "0:01"),
        (0, "0:00"),
        (-0.9, "0:00"),
        (-1, "+0:01"),
        (-133.5, "+2:13"),
        (4500, "75:00"),
    ],
)
def test_the_face(left, shown):
    assert format_clock(left) == shown


@pytest.mark.parametrize(
    ("left", "overtime", "during"),
    [
        (1, 5, False),
        (0, 5, True),
        (-299, 5, True),
        (-300, 5, False),
        (-1, None, False),
        (0, None, False),
    ],
)
def test_overtime_runs_after_the_end(left, overtime, during):
    assert is_in_overtime(left, overtime) is during


def test_overtime_has_a_limit():
    assert [validate_overtime(minutes) for minutes in (None, 0, 1, 60)] == [None, None, 1, 60]
    for minutes in (-1, 61):
        with pytest.raises(BadInput, match="from 0 to 60"):
            validate_overtime(minutes)


ROME = ZoneInfo("Europe/Rome")
TEN = datetime(2026, 11, 28, 10, tzinfo=ROME)
LUNCH = Break(at=13 * 60, minutes=40, label="Pranzo")


def shown(*lengths, breaks=(LUNCH,), start=TEN, begun=None):
    slots = timetable(start, lengths, breaks, zone=ROME, between=10, begun=begun)
    return [(slot.round, f"{slot.begins.astimezone(ROME):%H:%M}") for slot in slots]


def test_a_break_comes_before_the_first_round_at_its_time_or_later():
    assert shown(50, 50, 50, 50) == [
        (1, "10:00"), (2, "11:00"), (3, "12:00"), (0, "13:00"), (4, "13:40"),
    ]  # fmt: skip
    assert shown(60, 60, 60)[-2:] == [(2, "11:10"), (3, "12:20")]
    assert shown(60, 60, 60, 60)[-2:] == [(0, "13:30"), (4, "14:10")]


def test_an_event_that_begins_later_has_no_lunch():
    evening = TEN.replace(hour=20)
    assert shown(50, 50, start=evening) == [(1, "20:00"), (2, "21:00")]


def test_a_round_that_begins_later_moves_what_follows():
    late = {1: TEN + timedelta(minutes=20), 2: TEN + timedelta(minutes=95)}
    assert shown(50, 50, 50, begun=late) == [(1, "10:20"), (2, "11:35"), (3, "12:35")]
    after_lunch = {4: TEN + timedelta(hours=4)}
    assert shown(50, 50, 50, 50, 50, begun=after_lunch)[-3:] == [
        (0, "13:00"), (4, "14:00"), (5, "15:00"),
    ]  # fmt: skip


def test_a_round_that_begins_early_moves_the_break():
    early = {3: TEN + timedelta(minutes=100)}
    assert shown(50, 50, 50, 50, begun=early)[-2:] == [(3, "11:40"), (4, "12:40")]


def test_an_event_begun_on_another_day_has_its_breaks_on_that_day():
    begun = {1: TEN + timedelta(days=2, hours=5)}
    assert shown(50, 50, begun=begun) == [(1, "15:00"), (2, "16:00")]  # lunch is over
    dinner = Break(at=15 * 60 + 55, minutes=40)
    assert shown(50, 50, breaks=(LUNCH, dinner), begun=begun) == [
        (1, "15:00"), (0, "16:00"), (2, "16:40"),
    ]  # fmt: skip
    before = {1: TEN - timedelta(days=1)}
    assert shown(50, 50, 50, 50, begun=before)[-2:] == [(0, "13:00"), (4, "13:40")]


def test_hours_count_when_the_clocks_change():
    start = datetime(2026, 10, 25, 1, 30, tzinfo=ROME)
    slots = timetable(start, (50, 50), (), zone=ROME, between=10)
    assert slots[1].begins - start.astimezone(UTC) == timedelta(hours=1)
    assert f"{slots[1].begins.astimezone(ROME):%H:%M}" == "02:30"
    assert f"{slots[1].ends.astimezone(ROME):%H:%M}" == "02:20"


@pytest.mark.parametrize("at", ["", "13", "25:00", "12:60", "١٣:٠٠", "-1:00", "12:00:00", "a:b"])
def test_a_break_without_a_time_is_refused(at):
    with pytest.raises(BadInput, match="13:00 40 Lunch"):
        make_break(at, 40)


@pytest.mark.parametrize(
    "breaks",
    [
        [LUNCH, LUNCH],
        [Break(at=60 * hour, minutes=5) for hour in range(7)],
        [Break(at=60, minutes=0)],
        [Break(at=60, minutes=601)],
        [Break(at=60, minutes=5, label="x" * 41)],
        [Break(at=60, minutes=5, label="a\nb")],
    ],
)
def test_impossible_breaks_are_refused(breaks):
    with pytest.raises(BadInput, match="at most 6 breaks"):
        validate_breaks(breaks)


def test_breaks_are_stored_by_time():
    tea = Break(at=16 * 60 + 5, minutes=15)
    stored = [one.as_json() for one in (tea, LUNCH)]
    assert read_breaks(stored) == (LUNCH, tea)
    assert stored[0] == {"at": "16:05", "minutes": 15, "label": ""}
    with pytest.raises(WrongValue) as refused:
        read_breaks([LUNCH.as_json(), {"at": "13:00", "minutes": "40"}])
    assert refused.value.path == "[1].minutes"
