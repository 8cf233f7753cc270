"""Written rules of series with the tables that they ask for, worked out by hand (golden/series).

``because`` has the reckoning. ``events`` are in the order of play, their rows as ``columns`` says;
``meetings`` are match points from matches between players whom head-to-head compares. Of the
``expected`` rows ``results`` are all points, ``left_out`` the events that do not count.
"""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules.formulas import shipped_formula
from rules.numbers import number_to_json
from rules.series.finals import check_final_formula, possible_byes
from rules.series.points import FinalRow, FinishedEvent, read_series_points
from rules.series.table import (
    ENOUGH_EVENTS,
    SERIES_CRITERIA,
    counted_points,
    has_too_few_events,
    rank_series,
    series_history,
)
from rules.stages.base import StageState, stage_kind

FOLDER = Path(__file__).with_name("series")
SEASONS: Mapping[str, Any] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.json"))
}
RULES = {
    *("by_place", "by_players", "ties", "taking_part", "match_points", "wins", "best"),
    *("always_counts", "least_events", "min_players", "at_most", "factor", "adjustments"),
}
SOURCES = {"by_place", "by_players", "taking_part", "match_points", "wins"}
Rows = list[dict[str, Any]]


def finished(season: Mapping[str, Any]) -> list[FinishedEvent]:
    """Return the events of a season; people are numbered in the order of its players."""
    number = {name: at for at, name in enumerate(season["players"], start=1)}

    def row(event: Mapping[str, Any], values: list[Any]) -> FinalRow:
        given = dict(zip(season["columns"], values, strict=False))
        met = event.get("meetings", {}).get(given["player"], {})
        return FinalRow(
            person=number[given["player"]],
            place=given["place"],
            match_points=Fraction(given["match_points"]),
            wins=given["wins"],
            played=given["played"],
            barred=given.get("barred", False),
            meetings={number[other]: Fraction(made) for other, made in met.items()},
        )

    return [
        FinishedEvent(
            key=event["slug"],
            venue=event["venue"],
            month=event["starts_at"][:7],
            rows=[row(event, values) for values in event["rows"]],
        )
        for event in season["events"]
    ]


def table(season: Mapping[str, Any], points: Mapping[str, Any] | None = None) -> Rows:
    """Return the table by other ``points`` than the season's, in the form of ``expected``."""
    names = season["players"]
    document = dict(season["points"] if points is None else points)
    if "adjustments" in document:
        document["adjustments"] = [
            one | {"person": names.index(one["person"]) + 1} for one in document["adjustments"]
        ]
    history = series_history(read_series_points(document), finished(season), seed=season["seed"])
    return [
        {
            "rank": row.rank,
            "player": names[int(row.player) - 1],
            "points": number_to_json(counted_points(history, row.player)),
            "placed_by": row.placed_by,
            "results": {
                one.event: number_to_json(one.points) for one in history.results[row.player]
            },
            "left_out": [one.event for one in history.results[row.player] if not one.counts],
            "short": has_too_few_events(history, row.player),
        }
        for row in rank_series(history, season["order"]).rows
    ]


def expected(season: Mapping[str, Any]) -> Rows:
    return [{"left_out": [], "short": False} | row for row in season["expected"]]


@pytest.mark.parametrize("name", SEASONS)
def test_the_rule_gives_the_table_worked_out(name: str) -> None:
    assert table(SEASONS[name]) == expected(SEASONS[name])


@pytest.mark.parametrize("name", SEASONS)
def test_the_points_worked_out_are_the_sum_of_what_counts(name: str) -> None:
    season = SEASONS[name]
    given = season["points"].get("adjustments", [])
    for row in expected(season):
        counted = [
            points for event, points in row["results"].items() if event not in row["left_out"]
        ]
        counted += [one["points"] for one in given if one["person"] == row["player"]]
        assert sum(map(Fraction, counted)) == Fraction(row["points"]), row["player"]


@pytest.mark.parametrize("name", SEASONS)
def test_places_are_those_of_the_rows_before(name: str) -> None:
    for event in finished(SEASONS[name]):
        places = [row.place for row in event.rows]
        for at, place in enumerate(places, start=1):
            assert place == at or place == places[at - 2], event.key
        assert len({row.person for row in event.rows}) == len(places)


def changes() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield each part of each season's rule with a rule that has the default in its place.

    ``ties`` are counted the other way, and a rule without points gives some for taking part.
    """
    for name, season in SEASONS.items():
        points = season["points"]
        for key in points:
            other = {each: value for each, value in points.items() if each != key}
            if key == "ties":
                other["ties"] = "share" if points["ties"] == "better" else "better"
            elif other.keys().isdisjoint(SOURCES):
                other["taking_part"] = 1
            yield name, key, other


@pytest.mark.parametrize(("name", "key", "points"), [*changes()])
def test_every_part_of_a_rule_decides(name: str, key: str, points: Mapping[str, Any]) -> None:
    assert table(SEASONS[name], points) != expected(SEASONS[name]), key


def test_all_parts_of_rules_and_all_criteria_are_used() -> None:
    used = {key for season in SEASONS.values() for key in season["points"]}
    assert used == RULES
    per = {season["points"].get("at_most", {}).get("per") for season in SEASONS.values()}
    assert per == {None, "venue", "month"}
    placed = {row["placed_by"] for season in SEASONS.values() for row in season["expected"]}
    assert placed == {None, ENOUGH_EVENTS.key, *SERIES_CRITERIA.keys()}


@pytest.mark.parametrize("name", [name for name, season in SEASONS.items() if "final" in season])
def test_the_final_has_the_first_with_byes_for_the_best(name: str) -> None:
    season, final = SEASONS[name], SEASONS[name]["final"]
    in_order = [row["player"] for row in table(season)]
    assert in_order[: final["first"]] == final["invited"]
    coming = [player for player in in_order if player not in final["declined"]]
    assert coming[: final["first"]] == final["seeds"]
    check_final_formula(final["formula"], {}, final["first"], final["first_round_byes"])
    assert possible_byes(final["formula"], final["first"]) == (final["first_round_byes"],)
    assert final["seeds"][: final["first_round_byes"]] == final["byes"]
    stage = shipped_formula(final["formula"]).plan(final["first"]).stages[0]
    seats = {group.name: tuple(final["seeds"]) for group in stage.groups}
    pairings = stage_kind(stage).next_round(StageState(plan=stage, seats=seats))
    met = [sorted(one.seats) for one in pairings if len(one.seats) == 2]
    assert sorted(met) == sorted(map(sorted, final["first_round"]))
    resting = [one.seats[0] for one in pairings if len(one.seats) == 1]
    assert sorted(resting) == sorted(final["byes"])
