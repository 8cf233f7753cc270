"""When rounds begin: breaks before the next round, real starts that move what follows."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from rules.errors import BadInput
from rules.events.timetable import Break, break_of, breaks_of, checked_breaks, timetable
from rules.json_reader import WrongValue

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


def test_hours_count_when_the_clocks_change():
    start = datetime(2026, 10, 25, 1, 30, tzinfo=ROME)
    slots = timetable(start, (50, 50), (), zone=ROME, between=10)
    assert slots[1].begins - start.astimezone(UTC) == timedelta(hours=1)
    assert f"{slots[1].begins.astimezone(ROME):%H:%M}" == "02:30"
    assert f"{slots[1].ends.astimezone(ROME):%H:%M}" == "02:20"


@pytest.mark.parametrize("at", ["", "13", "25:00", "12:60", "١٣:٠٠", "-1:00", "12:00:00", "a:b"])
def test_a_break_without_a_time_is_refused(at):
    with pytest.raises(BadInput, match="such as 13:00 40 Lunch"):
        break_of(at, 40)


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
        checked_breaks(breaks)


def test_breaks_are_stored_by_time():
    tea = Break(at=16 * 60 + 5, minutes=15)
    stored = [one.as_json() for one in (tea, LUNCH)]
    assert breaks_of(stored) == (LUNCH, tea)
    assert stored[0] == {"at": "16:05", "minutes": 15, "label": ""}
    with pytest.raises(WrongValue) as refused:
        breaks_of([LUNCH.as_json(), {"at": "13:00", "minutes": "40"}])
    assert refused.value.path == "[1].minutes"
