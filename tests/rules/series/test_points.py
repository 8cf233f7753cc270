"""Points of a series by hand: places, sizes, limits, factors, and what counts."""

from fractions import Fraction

import pytest

from rules.errors import BadInput
from rules.series.points import (
    EventResult,
    FinalRow,
    FinishedEvent,
    SeriesPoints,
    event_points,
    mark_counted_results,
    read_series_points,
    results_by_person,
)

CIRCUIT = [10, 8, 6, 5, 4, 3, 2, 1]


def event(key: str, *people: int, **fields: object) -> FinishedEvent:
    """Return an event in which people took the places in this order."""
    rows = [FinalRow(person=person, place=at) for at, person in enumerate(people, start=1)]
    return FinishedEvent(key=key, rows=rows, **fields)


def test_a_circuit_gives_points_by_place() -> None:
    rule = read_series_points({"by_place": CIRCUIT})
    assert event_points(rule, event("one", *range(1, 11))) == {
        **dict(zip(range(1, 9), map(Fraction, CIRCUIT), strict=True)),
        9: 0,
        10: 0,
    }


def test_a_league_evening_gives_match_points_and_one_for_taking_part() -> None:
    rule = read_series_points({"match_points": 1, "taking_part": 1})
    rows = [
        FinalRow(person=1, place=1, match_points=Fraction(9), played=3),
        FinalRow(person=2, place=2, match_points=Fraction(9, 2), played=3),
        FinalRow(person=3, place=3, played=0),
        FinalRow(person=4, place=4, match_points=Fraction(3), barred=True),
    ]
    points = event_points(rule, FinishedEvent(key="one", rows=rows))
    assert points == {1: 10, 2: Fraction(11, 2)}


@pytest.mark.parametrize(("ties", "worth"), [("better", 6), ("share", Fraction(9, 2))])
def test_who_shares_a_place_gets_the_better_one_or_the_mean(ties: str, worth: Fraction) -> None:
    rule = read_series_points({"by_place": CIRCUIT, "ties": ties})
    rows = [
        FinalRow(person=person, place=max(3, person) if person > 2 else person) for person in (1, 2)
    ]
    rows += [FinalRow(person=person, place=3) for person in (3, 4, 5, 6)]
    points = event_points(rule, FinishedEvent(key="one", rows=rows))
    assert [points[person] for person in range(1, 7)] == [10, 8, *[worth] * 4]


def test_larger_events_have_tables_of_their_own() -> None:
    rule = read_series_points(
        {
            "by_place": [3, 1],
            "by_players": [{"from": 16, "by_place": [15]}, {"from": 8, "by_place": [8, 4]}],
            "min_players": 4,
        }
    )
    winners = {
        size: event_points(rule, event("one", *range(1, size + 1))).get(1)
        for size in (3, 4, 7, 8, 15, 16, 40)
    }
    assert winners == {3: None, 4: 3, 7: 3, 8: 8, 15: 8, 16: 15, 40: 15}


def test_who_did_not_play_makes_no_event_larger() -> None:
    rule = read_series_points({"by_place": [3], "min_players": 3})
    rows = [FinalRow(person=one, place=one, played=one < 3) for one in (1, 2, 3)]
    assert event_points(rule, FinishedEvent(key="one", rows=rows)) == {}


def test_the_final_counts_twice_and_always() -> None:
    rule = read_series_points(
        {"by_place": [5, 3, 1], "best": 1, "always_counts": ["final"], "factor": {"final": 2}}
    )
    results = results_by_person(
        rule, [event("one", 1, 2, 3), event("two", 2, 1, 3), event("final", 3, 2, 1)]
    )
    assert results[1] == [
        EventResult("one", 1, Fraction(5), True),
        EventResult("two", 2, Fraction(3), False),
        EventResult("final", 3, Fraction(2), True),
    ]


def test_of_one_venue_only_so_many_of_the_best_count() -> None:
    rule = read_series_points(
        {"by_place": [5, 3], "best": 3, "at_most": {"per": "venue", "count": 1}}
    )
    events = [
        event("one", 1, 2, venue="A"),
        event("two", 1, 2, venue="A"),
        event("three", 2, 1, venue="B"),
        event("four", 1, 2),
        event("five", 1, 2),
    ]
    counts = {one.event: one.counts for one in results_by_person(rule, events)[1]}
    assert counts == {"one": True, "two": False, "three": False, "four": True, "five": True}


def test_of_equal_results_the_earlier_counts() -> None:
    results = [EventResult(key, 1, Fraction(5)) for key in ("one", "two", "three")]
    found = mark_counted_results(SeriesPoints(best=2), results, {})
    assert [one.counts for one in found] == [True, True, False]


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"by_place": [3, 5]}, "points.by_place[1]"),
        ({"by_players": [{"from": 8, "by_place": [1, 2]}]}, "points.by_players[0].by_place[1]"),
        (
            {"by_place": [1], "by_players": [{"from": 8, "by_place": [1]}] * 2},
            "points.by_players[1].from",
        ),
        ({"by_place": [-1]}, "points.by_place[0]"),
        ({"by_place": [0, 0]}, "points"),
        ({}, "points"),
        ({"by_place": [1], "best": 0}, "points.best"),
        ({"by_place": [1], "ties": "both"}, "points.ties"),
        ({"by_place": [1], "factor": {"one": 0}}, "points.factor.one"),
        ({"by_place": [1], "at_most": {"per": "day", "count": 1}}, "points.at_most.per"),
        (
            {"by_place": [1], "adjustments": [{"person": 1, "points": 2}]},
            "points.adjustments[0].reason",
        ),
        ({"by_place": [1], "place": 3}, "points.place"),
        ([1], "points"),
    ],
)
def test_a_wrong_rule_is_refused_at_its_place(wrong: object, path: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_series_points(wrong)
    assert refused.value.code == "invalid_points"
    assert refused.value.sentence.values["path"] == path


def test_penalties_are_typed_with_a_sign() -> None:
    given = [{"person": 4, "points": points, "reason": "Late"} for points in (-2, "-1/2", 3)]
    rule = read_series_points({"by_place": [1], "adjustments": given})
    assert [one.points for one in rule.adjustments] == [-2, Fraction(-1, 2), 3]
