"""Formulas that fit an evening, and how long each takes."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.events.timetable import Break
from rules.formulas import FORMULAS
from rules.formulas.adviser import (
    BEST,
    LONG,
    ONE_DAY,
    SHORTEST,
    UNTIMED,
    Advice,
    AdviceList,
    NeededChange,
    candidate_options,
    formulas_needing_more_players,
    matches_by_round,
    suggest_formats,
)
from rules.formulas.base import DefaultGames, no_alternative_options
from rules.formulas.forecast import (
    EventTimes,
    find_alternative_options,
    find_alternatives,
    forecast,
    next_time_of_day,
)
from rules.formulas.swiss_cut import nearest_rounds, recommended_rounds
from rules.formulas.tables_cut import TABLES_CUT
from rules.plans import StagePlan
from rules.stages import stage_kind
from tests.rules.play import PlayedEvent, lower_wins


def of(advised: AdviceList, key: str, **options: object) -> Advice:
    return next(
        advice for advice in advised.rows if advice.formula.key == key and advice.options == options
    )


def named(advised: AdviceList) -> list[tuple[str, dict[str, object], int]]:
    return [(way.formula.key, dict(way.options), way.minutes) for way in advised.best]


def test_twelve_players_of_mutant_chronicles() -> None:
    advice = of(suggest_formats(12, minutes=50), "mutant-chronicles")
    # 3 + 3 + 3 rounds of groups, 3 of the last three, and the final without time limit.
    assert [stage.rounds for stage in advice.stages] == [3, 3, 3, 3, 1]
    assert advice.matches == 3 * 6 + 3 * 4 + 3 * 2 + 3 + 1
    assert advice.minutes == 12 * 60 + UNTIMED + 10
    assert advice.fits


def test_a_formula_with_its_usual_options_alone_has_no_other_ways() -> None:
    assert [*no_alternative_options(8, DefaultGames())] == []


def facts_of(need: NeededChange) -> str:
    return " · ".join(map(str, need.facts))


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (NeededChange(tables=6, minutes=40), "Tables: 6 · Round: 40 min"),
        (NeededChange(tables=6, time=330), "Tables: 6 · 5 h 30 min"),
        (NeededChange(tables=6), "Tables: 6"),
        (NeededChange(minutes=40), "Round: 40 min"),
        (NeededChange(time=60), "1 h 00 min"),
        (NeededChange(), "More than one day"),
    ],
)
def test_what_would_make_it_fit_is_told_by_facts(need: NeededChange, words: str) -> None:
    assert facts_of(need) == words


HALL = {"minutes": 50, "tables": 6, "hours": 5}


def test_thirteen_players_are_told_the_three_best_ways() -> None:
    advised = suggest_formats(13, **HALL)
    assert named(advised) == [
        ("swiss-cut", {"cut": 2, "rounds": 4}, 300),
        ("swiss-cut", {"cut": 0, "rounds": 4}, 240),
        ("groups-knockout", {"advance": 1}, 300),
    ]
    assert advised.needed is None


@pytest.mark.parametrize(
    ("players", "options", "need"),
    [
        (27, {"cut": 0, "rounds": 5}, "Tables: 13"),
        (48, {"cut": 0, "rounds": 6}, "Tables: 24 · 6 h 00 min"),
    ],
)
def test_where_nothing_fits_one_line_says_what_is_needed(players, options, need) -> None:
    advised = suggest_formats(players, **HALL)
    assert advised.best == ()
    assert advised.needed is not None
    way, needed = advised.needed
    assert (way.formula.key, way.options, facts_of(needed)) == ("swiss-cut", options, need)
    again = {**HALL, "tables": needed.tables}
    if needed.time:
        again["hours"] = needed.time / 60
    assert suggest_formats(players, **again).best[0].formula.key == "swiss-cut"


def test_a_poor_way_that_fits_does_not_hide_what_a_good_one_needs() -> None:
    advised = suggest_formats(16, **HALL)
    assert named(advised) == [("single-elimination", {}, 290)]
    assert advised.needed is not None
    assert facts_of(advised.needed[1]) == "Tables: 8"


def test_four_players_in_one_group_are_no_groups() -> None:
    found = [way[:2] for way in named(suggest_formats(4, **HALL))]
    assert found[0] == ("single-group", {"final": 1})
    assert "groups-knockout" not in dict(found)


@given(
    players=st.integers(2, 60),
    minutes=st.integers(5, 90),
    tables=st.none() | st.integers(1, 30),
    hours=st.none() | st.integers(1, 14),
)
def test_what_is_needed_is_enough_and_never_absurd(players, minutes, tables, hours) -> None:
    advised = suggest_formats(players, minutes=minutes, tables=tables, hours=hours)
    assert len(advised.best) <= BEST
    assert all(way.fits and way.minutes <= (hours * 60 if hours else LONG) for way in advised.best)
    for way in advised.rows:
        assert way.fits is not bool(way.needs)
        for need in way.needs:
            assert need.minutes is None or SHORTEST <= need.minutes < minutes
            assert need.time is None or need.time <= ONE_DAY
            assert need.tables is None or (tables is not None and need.tables > tables)
            if need == NeededChange():
                assert facts_of(need) == "More than one day"
                continue
            again = suggest_formats(
                players,
                minutes=need.minutes or minutes,
                tables=need.tables or tables,
                hours=hours if need.time is None else need.time / 60,
                formulas=[way.formula],
            )
            assert of(again, way.formula.key, **way.options).fits


def test_too_few_tables_make_turns() -> None:
    enough = of(suggest_formats(8, minutes=30, tables=4), "single-group")
    few = of(suggest_formats(8, minutes=30, tables=2), "single-group")
    assert few.minutes - enough.minutes == 7 * 30


def test_a_smaller_group_has_fewer_matches() -> None:
    plan = FORMULAS.get("groups-knockout").plan(9, {"groups": 2, "legs": 2})
    # Five players play five rounds of two matches, four are ready after three.
    assert matches_by_round(plan.stages[0]) == [4, 4, 4, 2, 2] * 2


def test_one_player_is_too_few() -> None:
    with pytest.raises(BadInput) as refused:
        suggest_formats(1, minutes=50)
    assert refused.value.code == "too_few_players"


def test_the_best_come_first_and_then_the_shortest_that_fit() -> None:
    rows = suggest_formats(16, minutes=50, hours=5).rows
    assert [way.best for way in rows] == sorted((way.best for way in rows), reverse=True)
    others = [way for way in rows if not way.best]
    assert [way.fits for way in others] == sorted((way.fits for way in others), reverse=True)
    fitting = [way.minutes for way in others if way.fits]
    assert fitting == sorted(fitting)


@given(players=st.integers(2, 40))
def test_the_matches_are_those_that_are_played(players: int) -> None:
    for advice in suggest_formats(players, minutes=50).rows:
        if advice.formula.key == "swiss-cut" or advice.options:
            continue  # a bye is no match at a table
        plan = advice.formula.plan(players)
        event = PlayedEvent(plan, list(range(1, players + 1)))
        event.play(lower_wins)
        for stage, state in zip(plan.stages, event.states, strict=True):
            played = [
                sum(pairing.outcome is None for pairing, _result in each) for each in state.rounds
            ]
            expected = matches_by_round(stage)
            if stage_kind(stage).has_bracket:
                second_final = stage.kind == "double_elimination"  # it is not needed here
                assert played == (expected[:-1] if second_final else expected)
            else:
                assert len(played) == len(expected)
                assert max(played) <= max(expected)


def test_every_formula_is_advised_where_it_can_be_played() -> None:
    keys = {advice.formula.key for advice in suggest_formats(16, minutes=50).rows}
    assert keys == set(FORMULAS.keys())


def test_other_options_are_rows_of_their_own_if_they_fit() -> None:
    def groups(hours: int) -> list[tuple[object, ...]]:
        rows = suggest_formats(4, minutes=30, hours=hours).rows
        return sorted(
            (tuple(way.options.items()), way.rounds, way.matches)
            for way in rows
            if way.formula.key == "single-group"
        )

    once = ((), 3, 6)
    final = ((("final", 1),), 4, 7)
    assert groups(3) == [once, final]  # six rounds of 40 minutes do not fit
    assert groups(5) == [once, final, ((("legs", 2),), 6, 12), ((("legs", 2), ("final", 1)), 7, 13)]


def test_plain_swiss_is_a_way() -> None:
    found = of(suggest_formats(12, minutes=50), "swiss-cut", cut=0, rounds=4)
    assert ([stage.rounds for stage in found.stages], found.least, found.decides) == ([4], 4, True)
    fewer = of(suggest_formats(12, minutes=50), "swiss-cut", cut=0, rounds=3)
    assert not fewer.decides


def test_twice_in_every_stage_of_mutant_chronicles() -> None:
    advice = of(suggest_formats(12, minutes=50), "mutant-chronicles", legs=[2, 2, 2])
    assert [stage.rounds for stage in advice.stages] == [6, 6, 6, 3, 1]


def test_formulas_for_more_players_are_named() -> None:
    small = {formula.key for formula in formulas_needing_more_players(2)}
    assert small == {formula.key for formula in FORMULAS if formula.minimum > 2}
    assert formulas_needing_more_players(12) == ()


def test_a_large_field_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying other minutes and other numbers of tables must not lay the schedules out again."""
    laid_out: list[StagePlan] = []

    def counted(stage: StagePlan) -> list[int]:
        laid_out.append(stage)
        return matches_by_round(stage)

    monkeypatch.setattr("rules.formulas.adviser.matches_by_round", counted)
    advised = suggest_formats(200, minutes=60, tables=10, hours=3)
    assert not any(way.fits for way in advised.rows)
    tried = [plan for formula in FORMULAS for _options, plan in candidate_options(formula, 200)]
    assert len(laid_out) == sum(len(plan.stages) for plan in tried)


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
    other = find_alternative_options(SWISS, TOP_8, 33, TIMES)
    assert (other.options, ends(other.forecast)) == ({"rounds": 6}, "19:40")
    after = find_alternative_options(SWISS, TOP_8 | {"rounds": 6}, 33, TIMES)
    assert after.options == {"rounds": 7}


def test_the_other_way_is_to_meet_twice_once():
    other = find_alternative_options(GROUP, {}, 4, TIMES)
    assert (other.options, other.forecast.rounds) == ({"legs": 2}, 6)
    assert find_alternative_options(GROUP, {"legs": 2}, 4, TIMES) is None
    assert find_alternative_options(DOUBLE, {}, 8, TIMES) is None


def test_too_few_players_are_told_of_a_group():
    with pytest.raises(BadInput, match="top cut of 8"):
        forecast(SWISS, TOP_8, 4, TIMES)
    other = find_alternative_options(SWISS, TOP_8, 4, TIMES, instead=[SWISS, GROUP])
    assert (other.formula.key, other.forecast.rounds, ends(other.forecast)) == (
        "single-group",
        3,
        "13:00",
    )
    assert find_alternative_options(SWISS, TOP_8, 1, TIMES, instead=[SWISS, GROUP]) is None


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
    assert next_time_of_day(start, 22 * 60, ROME) == start.replace(hour=22, minute=0)
    assert next_time_of_day(start, 60, ROME) == start.replace(day=29, hour=1, minute=0)


def test_too_late_an_end_is_told_what_would_fit():
    until = next_time_of_day(TIMES.start, 18 * 60, ROME)
    times = replace(TIMES, until=until)
    assert forecast(SWISS, TOP_8, 33, TIMES).late is False
    assert forecast(SWISS, TOP_8, 33, times).late is True
    found = find_alternatives(SWISS, TOP_8, 33, times, instead=[SWISS, GROUP])
    assert [(way.formula.key, way.options, way.minutes) for way in found] == [
        ("swiss-cut", {}, 45),
        ("swiss-cut", {"cut": 2, "rounds": 6}, None),
    ]
    assert all(way.forecast.ends <= until for way in found)


def test_twice_ends_too_late_and_once_does_not():
    times = replace(TIMES, until=next_time_of_day(TIMES.start, 17 * 60, ROME))
    found = find_alternatives(GROUP, {"legs": 2}, 5, times, instead=[SWISS])
    assert [(way.formula.key, way.options, way.minutes) for way in found][:2] == [
        ("single-group", {}, 25),
        ("single-group", {"legs": 1}, None),
    ]
    assert find_alternative_options(GROUP, {}, 5, times) is None  # twice would end too late


def test_the_most_legs_that_end_in_time_come_first():
    times = replace(TIMES, until=next_time_of_day(TIMES.start, 17 * 60, ROME))
    found = [way.options for way in find_alternatives(GROUP, {"legs": 4}, 4, times)]
    assert {"legs": 2} in found
    assert forecast(GROUP, {"legs": 3}, 4, times).late
    assert find_alternative_options(GROUP, {"legs": 3}, 4, TIMES) is None


def test_nothing_fits_into_an_hour():
    times = replace(TIMES, until=next_time_of_day(TIMES.start, 11 * 60, ROME))
    assert find_alternatives(SWISS, TOP_8, 33, times, instead=[GROUP, KNOCKOUT]) == ()
