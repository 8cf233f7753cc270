"""The forecast of an event: rounds, tables, breaks, end, and one other way."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from rules.errors import BadInput
from rules.events.timetable import Break
from rules.formulas import FORMULAS
from rules.formulas.forecast import EventTimes, alternative, forecast, moment_until, remedies
from rules.formulas.swiss_cut import nearest_rounds, recommended_rounds
from rules.formulas.tables_cut import TABLES_CUT

ROME = ZoneInfo("Europe/Rome")
TIMES = EventTimes(
    start=datetime(2026, 11, 28, 10, tzinfo=ROME),
    zone=ROME,
    minutes=50,
    breaks=(Break(at=13 * 60, minutes=40),),
)
SWISS, GROUP, KNOCKOUT, DOUBLE = (
    FORMULAS.get(key)
    for key in ("swiss-cut", "single-group", "single-elimination", "double-elimination")
)
TOP_8 = {"cut": 8, "nearest_rounds": True}


def ends(found):
    return f"{found.ends.astimezone(ROME):%H:%M}"


@pytest.mark.parametrize(
    ("players", "rounds", "end", "tables", "resting"),
    [(33, 5, "18:40", 16, 1), (12, 4, "17:40", 6, 0), (256, 8, "21:40", 128, 0)],
)
def test_swiss_and_top_8(players, rounds, end, tables, resting):
    found = forecast(SWISS, TOP_8, players, TIMES)
    swiss, cut = found.stages
    assert (swiss.rounds, swiss.by_points, cut.seats, cut.bracket) == (rounds, True, 8, True)
    assert (ends(found), found.tables, found.resting, found.paused) == (end, tables, resting, 40)
    assert found.rounds == rounds + 3
    assert found.long is (players == 256)


@pytest.mark.parametrize(("players", "resting"), [(16, 0), (17, 1), (18, 2)])
def test_at_tables_those_without_a_seat_rest(players, resting):
    found = forecast(TABLES_CUT, {"sizes": [4], "cut": 0}, players, TIMES)
    assert (found.resting, found.tables) == (resting, 4)


def test_the_other_way_is_another_number_of_rounds():
    other = alternative(SWISS, TOP_8, 33, TIMES)
    assert (other.options, ends(other.forecast)) == ({"rounds": 6}, "19:40")
    after = alternative(SWISS, TOP_8 | {"rounds": 6}, 33, TIMES)
    assert after.options == {"rounds": 7}


def test_the_other_way_is_to_meet_twice_once():
    other = alternative(GROUP, {}, 4, TIMES)
    assert (other.options, other.forecast.rounds) == ({"legs": 2}, 6)
    assert alternative(GROUP, {"legs": 2}, 4, TIMES) is None
    assert alternative(DOUBLE, {}, 8, TIMES) is None


def test_too_few_players_are_told_of_a_group():
    with pytest.raises(BadInput, match="would take 8 players"):
        forecast(SWISS, TOP_8, 4, TIMES)
    other = alternative(SWISS, TOP_8, 4, TIMES, instead=[SWISS, GROUP])
    assert (other.formula.key, other.forecast.rounds, ends(other.forecast)) == (
        "single-group",
        3,
        "13:00",
    )
    assert alternative(SWISS, TOP_8, 1, TIMES, instead=[SWISS, GROUP]) is None


def test_matches_without_time_limit_count_longer():
    found = forecast(KNOCKOUT, {}, 2, TIMES)
    timed = found.stages[0].stage.timed
    assert ends(found) == ("11:00" if timed else "11:40")


def test_rounds_nearest_to_the_doublings_leave_two_undefeated_at_most():
    for players in range(3, 1025):
        rounds = nearest_rounds(players)
        assert recommended_rounds(players) - 1 <= rounds <= recommended_rounds(players)
        assert -(-players // 2**rounds) <= 2
    assert [nearest_rounds(n) for n in (1, 2, 32, 33, 45, 46, 64, 256)] == [1, 1, 5, 5, 5, 6, 6, 8]


@pytest.mark.parametrize(("cut", "rounds"), [(0, 6), (2, 6), (4, 5), (8, 5)])
def test_a_round_less_needs_a_cut_that_takes_both(cut, rounds):
    plan = SWISS.plan(33, {"cut": cut, "nearest_rounds": True})
    assert plan.stages[0].rounds == rounds
    assert SWISS.plan(33, {"cut": cut}).stages[0].rounds == 6


def test_a_time_before_the_start_is_one_of_the_next_day():
    start = datetime(2026, 11, 28, 20, 30, tzinfo=ROME)
    assert moment_until(start, 22 * 60, ROME) == start.replace(hour=22, minute=0)
    assert moment_until(start, 60, ROME) == start.replace(day=29, hour=1, minute=0)


def test_too_late_an_end_is_told_what_would_fit():
    until = moment_until(TIMES.start, 18 * 60, ROME)
    times = replace(TIMES, until=until)
    assert forecast(SWISS, TOP_8, 33, TIMES).late is False
    assert forecast(SWISS, TOP_8, 33, times).late is True
    found = remedies(SWISS, TOP_8, 33, times, instead=[SWISS, GROUP])
    assert [(way.formula.key, way.options, way.minutes) for way in found] == [
        ("swiss-cut", {}, 45),
        ("swiss-cut", {"cut": 2, "rounds": 6}, None),
    ]
    assert all(way.forecast.ends <= until for way in found)


def test_twice_ends_too_late_and_once_does_not():
    times = replace(TIMES, until=moment_until(TIMES.start, 17 * 60, ROME))
    found = remedies(GROUP, {"legs": 2}, 5, times, instead=[SWISS])
    assert [(way.formula.key, way.options, way.minutes) for way in found][:2] == [
        ("single-group", {}, 25),
        ("single-group", {"legs": 1}, None),
    ]
    assert alternative(GROUP, {}, 5, times) is None  # twice would end too late


def test_the_most_legs_that_end_in_time_come_first():
    times = replace(TIMES, until=moment_until(TIMES.start, 17 * 60, ROME))
    found = [way.options for way in remedies(GROUP, {"legs": 4}, 4, times)]
    assert {"legs": 2} in found
    assert forecast(GROUP, {"legs": 3}, 4, times).late
    assert alternative(GROUP, {"legs": 3}, 4, TIMES) is None


def test_nothing_fits_into_an_hour():
    times = replace(TIMES, until=moment_until(TIMES.start, 11 * 60, ROME))
    assert remedies(SWISS, TOP_8, 33, times, instead=[GROUP, KNOCKOUT]) == ()
