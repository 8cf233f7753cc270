"""What is still possible in a series, held against every way in which small ones can end."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.formulas import FORMULAS, TABLE_FORMULAS, shipped_formula
from rules.formulas.swiss_cut import ROUNDS
from rules.results import Points
from rules.scenarios.verdicts import Verdict
from rules.series.outlook import (
    largest_event_stages,
    max_event_points,
    max_points_and_wins,
    series_verdicts,
)
from rules.series.points import FinalRow, FinishedEvent, SeriesPoints, read_series_points
from rules.series.table import counted_points, has_too_few_events, series_history
from rules.tables.results import TablePoints
from tests.rules.series.test_points import event

STRANGER = 9
BY_PLACE = {"by_place": [5, 3, 1]}
CHESS = Points(win=2, draw=1, loss=0, parts=2)


def test_before_the_last_event_the_leader_may_be_out_of_reach() -> None:
    rule = read_series_points(BY_PLACE)
    events = [event(key, 1, 2, 3) for key in ("one", "two", "three")]
    found = series_verdicts(series_history(rule, events), {"four": Fraction(5)}, 1)
    assert found == {1: Verdict.THROUGH, 2: Verdict.OUT, 3: Verdict.OUT}


def test_without_a_bound_of_match_points_nobody_is_certain() -> None:
    rule = read_series_points({"match_points": 1})
    row = FinalRow(person=1, place=1, match_points=Fraction(99))
    history = series_history(rule, [FinishedEvent(key="one", rows=[row])])
    assert series_verdicts(history, {"two": None}, 1) == {1: Verdict.OPEN}
    assert series_verdicts(history, {"two": Fraction(12)}, 1) == {1: Verdict.THROUGH}


def test_when_all_is_played_the_table_decides() -> None:
    history = series_history(read_series_points(BY_PLACE), [event("one", 1, 2, 3)])
    assert [series_verdicts(history, {}, places)[2] for places in (1, 2, 3)] == [
        Verdict.OUT,
        Verdict.THROUGH,
        Verdict.THROUGH,
    ]


def test_the_most_of_an_event_is_the_best_table_times_its_factor() -> None:
    rule = read_series_points(
        BY_PLACE
        | {"by_players": [{"from": 8, "by_place": [7]}], "taking_part": 1, "wins": "1/2"}
        | {"factor": {"final": 2}}
    )
    assert max_event_points(rule, "final", None, 4) == 20
    assert max_event_points(rule, "final", Fraction(9), None) is None


def test_only_the_best_results_can_be_caught_up() -> None:
    rule = read_series_points(BY_PLACE | {"best": 1})
    history = series_history(rule, [event("one", 3, 2, 1)])
    found = [
        series_verdicts(history, dict.fromkeys(keys, Fraction(4)), 1)[3] for keys in ("a", "ab")
    ]
    assert found == [Verdict.THROUGH, Verdict.THROUGH], "two events of four points are worth four"


# --- The most of an event ------------------------------------------------------------------
@pytest.mark.parametrize(
    ("formula", "options", "players", "most"),
    [
        ("swiss-cut", {"rounds": 4, "cut": 4}, 9, (4, 6)),  # the cut gives wins alone
        ("swiss-cut", {"rounds": 4, "cut": 0}, 9, (4, 4)),
        ("single-elimination", {}, 9, (4, 4)),  # without standings its matches count
        ("single-group", {"legs": 1}, 4, (6, 6)),  # a second leg may be decided
        ("single-group", {"legs": 3}, 4, (9, 9)),
        ("groups-knockout", {"groups": 2, "legs": 1}, 8, (6, 8)),
        ("tables-cut", {"rounds": 3, "cut": 4}, 16, (15, 4)),
    ],
)
def test_the_most_of_stages(formula, options, players, most) -> None:
    stages = shipped_formula(formula).plan(players, options).stages
    assert max_points_and_wins(stages, CHESS, TablePoints()) == most


@pytest.mark.parametrize("formula", [*FORMULAS, *TABLE_FORMULAS], ids=lambda one: one.key)
def test_a_set_number_of_rounds_bounds_events_of_all_sizes(formula) -> None:
    assert largest_event_stages(formula, {}) is None
    if formula.option(ROUNDS.key) is None:
        return
    for cut, rounds in product((0, 1, 4, 10, 16, 40, 64), (1, 5)):
        options = {ROUNDS.key: rounds, "cut": cut}
        most = max_points_and_wins(largest_event_stages(formula, options), CHESS, TablePoints())
        for players in (*range(max(3, cut), 70), 128, 305, 511, 2000):
            stages = formula.plan(players, options).stages
            made, wins = max_points_and_wins(stages, CHESS, TablePoints())
            assert made <= most[0]
            assert wins <= most[1]


# --- Every way to end ----------------------------------------------------------------------
def endings(
    finished: Sequence[FinishedEvent], keys: Sequence[str], people: Sequence[int]
) -> Iterator[list[FinishedEvent]]:
    """Yield the events with every attendance and order of those to come."""
    orders = [*chain.from_iterable(permutations(people, size) for size in range(len(people) + 1))]
    shared = [*chain.from_iterable(combinations(people, size) for size in (2, 3))]
    for chosen in product([*orders, *((each,) for each in shared)], repeat=len(keys)):
        yield [*finished, *map(_event, keys, chosen)]


def _event(key: str, chosen: Sequence[object]) -> FinishedEvent:
    if len(chosen) == 1 and isinstance(chosen[0], tuple):
        rows = [FinalRow(person=person, place=1) for person in chosen[0]]
        return FinishedEvent(key=key, rows=rows, venue="A", month="2026-12")
    return event(key, *chosen, venue="A", month="2026-12")


def matches_won(
    finished: Sequence[FinishedEvent], keys: Sequence[str], people: Sequence[int], rounds: int
) -> Iterator[list[FinishedEvent]]:
    """Yield the events with every number of wins of each person, None for who does not come.

    One event to come also ends in every order, whatever the wins.
    """
    counts = [*product([None, *range(rounds + 1)], repeat=len(people))]
    orders = [*permutations(people)] if len(keys) == 1 else [people]
    for chosen in product(product(counts, orders), repeat=len(keys)):
        pairs = zip(keys, chosen, strict=True)
        yield [*finished, *(_of_wins(key, people, *one) for key, one in pairs)]


def _of_wins(
    key: str, people: Sequence[int], wins: Sequence[int | None], order: Sequence[int]
) -> FinishedEvent:
    won = dict(zip(people, wins, strict=True))
    rows = [
        FinalRow(person=person, place=at, wins=made, match_points=Fraction(3 * made))
        for at, person in enumerate(order, start=1)
        if (made := won[person]) is not None
    ]
    return FinishedEvent(key=key, rows=rows, venue="A", month="2026-12")


@st.composite
def seasons(draw: st.DrawFn) -> tuple[SeriesPoints, list[FinishedEvent], int, int]:
    """Draw a rule, finished events, how many are to come, and how many places are wanted."""
    people = [1, 2, 3][: draw(st.integers(2, 3))]
    orders = st.permutations(people).flatmap(
        lambda order: st.integers(0, len(order)).map(lambda size: tuple(order[:size]))
    )
    places = draw(st.lists(st.integers(0, 9), min_size=1, max_size=3))
    document = {
        "by_place": sorted(places, reverse=True),
        "taking_part": draw(st.integers(0, 2)) or 1,
        "ties": draw(st.sampled_from(["better", "share"])),
        "best": draw(st.sampled_from([None, 1, 2])),
        "least_events": draw(st.integers(0, 3)),
        "min_players": draw(st.integers(0, 2)),
        "at_most": draw(st.sampled_from([None, {"per": "venue", "count": 1}])),
        "factor": draw(st.sampled_from([{}, {"to-come-0": 2}])),
        "always_counts": draw(st.sampled_from([[], ["done-0"], ["to-come-0"]])),
        "adjustments": draw(st.sampled_from([[], [{"person": 1, "points": -2, "reason": "Late"}]])),
    }
    venues = st.sampled_from(["", "A", "B"])
    finished = [
        event(f"done-{at}", *order, venue=draw(venues))
        for at, order in enumerate(draw(st.lists(orders, max_size=4)))
    ]
    to_come = draw(st.integers(0, 2 if len(people) < 3 else 1))
    return read_series_points(document), finished, to_come, draw(st.integers(1, 3))


@given(seasons())
def test_bounds_are_never_wrong(season) -> None:
    rule, finished, to_come, places = season
    history = series_history(rule, finished)
    keys = [f"to-come-{at}" for at in range(to_come)]
    most = {key: max_event_points(rule, key, None, None) for key in keys}
    people = [*history.players, STRANGER] if len(history.players) < 3 else [*history.players]
    found = series_verdicts(history, most, places)
    never_wrong(rule, found, places, endings(finished, keys, people))


@st.composite
def seasons_of_matches(draw: st.DrawFn) -> tuple[SeriesPoints, list[FinishedEvent], int, int, int]:
    """Draw a rule that counts matches, finished events, and those to come with their rounds."""
    document = {
        "by_place": draw(st.sampled_from([[], [2, 1]])),
        "match_points": draw(st.sampled_from([1, "1/2", 0])),
        "wins": draw(st.integers(0, 2)),
        "taking_part": draw(st.integers(0, 1)),
        "best": draw(st.sampled_from([None, 1, 2])),
        "least_events": draw(st.integers(0, 2)),
        "at_most": draw(st.sampled_from([None, {"per": "month", "count": 1}])),
        "factor": draw(st.sampled_from([{}, {"to-come-0": "1/2"}])),
    }
    if not (document["by_place"] or document["match_points"] or document["wins"]):
        document["taking_part"] = 1
    people, rounds = [1, 2], draw(st.integers(1, 2))
    counts = st.lists(st.none() | st.integers(0, 4), min_size=2, max_size=2)
    finished = [
        _of_wins(f"done-{at}", people, wins, people)
        for at, wins in enumerate(draw(st.lists(counts, max_size=3)))
    ]
    to_come = draw(st.integers(1, 2 if rounds == 1 else 1))
    return read_series_points(document), finished, to_come, rounds, draw(st.integers(1, 2))


@given(seasons_of_matches(), st.booleans())
def test_bounds_of_matches_are_never_wrong(season, rounds_are_known) -> None:
    rule, finished, to_come, rounds, places = season
    history = series_history(rule, finished)
    keys = [f"to-come-{at}" for at in range(to_come)]
    known = (Fraction(3 * rounds), rounds) if rounds_are_known else (None, None)
    found = series_verdicts(
        history, {key: max_event_points(rule, key, *known) for key in keys}, places
    )
    people = [*history.players, STRANGER]
    never_wrong(rule, found, places, matches_won(finished, keys, people, rounds))


def never_wrong(rule, found, places, ways) -> None:
    """Hold what was said of each person against every way in which a season can end."""
    for events in ways:
        ended = series_history(rule, events)
        state = {
            person: (not has_too_few_events(ended, person), counted_points(ended, person))
            for person in ended.players
        }
        for person, verdict in found.items():
            ahead = sum(other > state[person] for other in state.values())
            level = sum(other == state[person] for other in state.values())  # with themselves
            if verdict is Verdict.THROUGH:
                assert ahead + level <= places
            if verdict is Verdict.OUT:
                assert ahead >= places
