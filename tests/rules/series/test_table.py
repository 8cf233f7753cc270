"""The table of a series by hand: each criterion where it decides, and who is short."""

from fractions import Fraction

import pytest

from rules.errors import BadInput
from rules.series.points import FinalRow, FinishedEvent, read_series_points
from rules.series.table import (
    SERIES_CRITERIA,
    counted_points,
    has_too_few_events,
    rank_series,
    series_criterion,
    series_history,
)
from rules.ties.draws import drawn_order
from rules.ties.explanations import explain_rank
from tests.rules.series.test_points import event

RULE = {"by_place": [10, 6, 4, 2]}


def table(rule: dict, events: list[FinishedEvent], order: tuple[str, ...], seed: str = ""):
    """Return (rank, person, criterion that put the person there) of each row."""
    ranked = rank_series(series_history(read_series_points(rule), events, seed=seed), order)
    return [(row.rank, row.player, row.placed_by) for row in ranked.rows]


def test_points_alone_leave_equal_ones_level() -> None:
    events = [event("one", 1, 2, 3), event("two", 2, 1, 3)]
    assert table(RULE, events, ("points",)) == [(1, 1, None), (1, 2, None), (3, 3, "points")]


@pytest.mark.parametrize(
    ("criterion", "events", "first"),
    [
        ("points_uncapped", [event("one", 1, 2), event("two", 2, 1, 3), event("x", 9, 8, 7, 1)], 1),
        ("best_result", [event("one", 1, 3, 2), event("two", 3, 2, 8, 1), event("x", 8, 2, 7)], 1),
        ("event_wins", [event("one", 1, 9, 2), event("two", 8, 2, 7, 1)], 1),
        ("last_event", [event("one", 1, 2), event("two", 2, 1)], 2),
    ],
)
def test_each_criterion_decides(criterion: str, events: list[FinishedEvent], first: int) -> None:
    rule = RULE | ({"best": 2} if criterion == "points_uncapped" else {})
    history = series_history(read_series_points(rule), events)
    pair = [row for row in rank_series(history, (criterion,)).rows if row.player in (1, 2)]
    assert pair[0].player == first
    assert pair[1].rank > pair[0].rank


def test_the_next_best_results_are_compared_one_after_the_other() -> None:
    # 1: 10, 4, 4; 2: 10, 6, 2: of 18 points each, the second best result decides.
    events = [
        event("one", 1, 2, 3),
        event("two", 2, 3, 1),
        event("three", 3, 4, 1, 2),
    ]
    assert table(RULE, events, ("points", "best_result", "next_best"))[:3] == [
        (1, 3, None),
        (2, 2, "points"),
        (3, 1, "next_best"),
    ]


def meeting(key: str, points: dict[tuple[int, int], int], *people: int) -> FinishedEvent:
    """Return an event whose players shared the first place and made these points in meetings."""
    rows = [
        FinalRow(
            person=person,
            place=1,
            meetings={b: Fraction(made) for (a, b), made in points.items() if a == person},
        )
        for person in people
    ]
    return FinishedEvent(key=key, rows=rows)


def test_head_to_head_adds_all_events_if_all_have_met() -> None:
    first = meeting("one", {(1, 2): 3, (2, 1): 0}, 1, 2, 3)
    second = meeting("two", {(1, 2): 1, (2, 1): 1, (3, 1): 3, (1, 3): 0}, 1, 2, 3)
    assert table(RULE, [first, second], ("points", "head_to_head")) == [
        (1, 1, None),
        (1, 2, None),
        (1, 3, None),
    ]
    third = meeting("three", {(2, 3): 0, (3, 2): 3}, 1, 2, 3)
    assert table(RULE, [first, second, third], ("points", "head_to_head")) == [
        (1, 3, None),
        (2, 1, "head_to_head"),
        (3, 2, "head_to_head"),
    ]


def test_a_draw_by_the_public_seed_is_the_last_resort() -> None:
    events = [meeting("one", {}, 1, 2, 3, 4)]
    assert [row[1] for row in table(RULE, events, ("points", "lots"), seed="spring")] == list(
        drawn_order("spring", (1, 2, 3, 4))
    )
    assert {row[0] for row in table(RULE, events, ("points", "lots"))} == {1}


def test_who_played_too_few_events_stands_behind_all_others() -> None:
    rule = RULE | {"least_events": 2}
    events = [event("one", 1, 2, 3), event("two", 2, 3)]
    assert table(rule, events, ("points",)) == [
        (1, 2, None),
        (2, 3, "points"),
        (3, 1, "enough_events"),
    ]
    history = series_history(read_series_points(rule), events)
    assert [has_too_few_events(history, person) for person in (1, 2, 3)] == [True, False, False]


def test_each_rank_explains_itself_by_the_criteria_of_series() -> None:
    rule = read_series_points(RULE | {"least_events": 2})
    history = series_history(rule, [event("one", 1, 2, 3, 4), event("two", 4, 3), event("x", 2)])
    # 2: 6 + 10; 4: 2 + 10; 3: 4 + 6; 1: 10 in one event.
    ranked = rank_series(history, ("points",))
    names = {1: "Anna", 2: "Bruno", 3: "Carla", 4: "Dora"}
    told = [explain_rank(row, names, series_criterion) for row in ranked.rows]
    assert [one and str(one) for one in told] == [
        None,
        "Behind the player above on Points: Bruno 16, Dora 12, Carla 10.",
        "Behind the player above on Points: Bruno 16, Dora 12, Carla 10.",
        "Behind the player above on Events: Bruno 2, Carla 2, Dora 2, Anna 1.",
    ]


def test_results_compared_one_after_the_other_are_all_named() -> None:
    events = [event("one", 1, 2, 3), event("two", 2, 3, 1), event("three", 3, 4, 1, 2)]
    history = series_history(read_series_points(RULE), events)
    last = rank_series(history, ("points", "next_best")).rows[2]
    assert str(explain_rank(last, {1: "Anna", 2: "Bruno"}, series_criterion)) == (
        "Behind the player above on Next best results: Bruno 10 / 6 / 2, Anna 10 / 4 / 4."
    )


def test_bonus_and_penalty_count_beside_the_results() -> None:
    given = [{"person": 1, "points": "-1/2", "reason": "Late"}] * 2
    rule = read_series_points(RULE | {"adjustments": given, "best": 1})
    history = series_history(rule, [event("one", 1, 2), event("two", 2, 1)])
    assert counted_points(history, 1) == 9
    assert rank_series(history, ("points",)).rows[0].values == {"points": 10}


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        rank_series(series_history(read_series_points(RULE), []), ("goals",))
    assert refused.value.code == "unknown_criterion"
    assert set(SERIES_CRITERIA.keys()) >= {"points", "lots"}


def test_a_series_without_finished_events_has_no_rows() -> None:
    rows = rank_series(series_history(read_series_points(RULE), []), SERIES_CRITERIA.keys()).rows
    assert rows == ()
