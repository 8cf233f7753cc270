"""Criteria of tables: the worked examples 4 and 5 of tables, 12, and a slow count of all."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rules.criteria.of_tables import TABLE_CRITERIA
from rules.errors import BadInput
from rules.history.table_history import TableHistory
from rules.results import Result
from rules.standings.rank_document import ranked
from rules.standings.table import rank_history
from rules.tables.results import POINT_PRESETS, UNITS, TablePoints
from tests.rules.play import table_result
from tests.rules.tables.events import TableEvent

FIFTH = Fraction(1, 5)


def values(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    answer = ranked(document).standings
    return {str(row.player): dict(row.values) for row in answer.rows}


def won(number: int, winner: str, *others: str) -> dict[str, Any]:
    return {"round": number, "seats": [winner, *others], "places": [1, *(2 for _one in others)]}


SHARES = ["points", "opponents_share", "opponents_average", "own_share", "wins", "beaten", "lots"]


def test_shares_with_a_bye() -> None:
    found = values(
        {
            "players": [*"ABCDEF"],
            "criteria": SHARES,
            "usual": 4,
            "matches": [
                {"round": 1, "a": "A", "b": None},
                won(1, "B", "C", "D", "E"),
                won(2, "A", "B", "C", "F"),
            ],
        }
    )
    assert [found[one]["points"] for one in "ABCDEF"] == [10, 5, 0, 0, 0, 0]
    own = [found[one]["own_share"] for one in "ABCDEF"]
    assert own == [1, Fraction(1, 2), FIFTH, FIFTH, FIFTH, FIFTH]
    assert found["A"]["opponents_share"] == Fraction(1, 4)
    assert found["B"]["opponents_share"] == Fraction(1, 3)
    assert found["C"]["opponents_share"] == Fraction(13, 30)
    assert found["A"]["opponents_average"] == Fraction(5, 3)
    assert (found["A"]["wins"], found["A"]["beaten"]) == (2, 3)


def test_shares_of_those_met_are_at_the_floor_at_least() -> None:
    """A met B, with 6 points of three tables, and C, with none."""
    matches = [
        {"seats": ["A", "B", "C"], "places": [1, 2, 2]},
        {"seats": ["B", "d", "e"], "places": [1, 2, 2]},
        {"seats": ["B", "d", "e"], "places": [1, 1, 1]},
        *(won(3, winner, "C", "f") for winner in "de"),
    ]
    document = {"players": [*"ABCdef"], "criteria": SHARES, "usual": 4, "matches": matches}
    assert values(document)["A"]["opponents_share"] == Fraction(3, 10)


def slow_values(event: list[Result], players: range, points: TablePoints) -> dict[str, Any]:
    """Return the values of every criterion, counted player by player."""
    floor = points.floor_for(4)
    worth = {one: Fraction() for one in players}
    best = {one: Fraction() for one in players}
    met: dict[int, list[int]] = {one: [] for one in players}
    byes, wins = Counter[Any](), Counter[Any]()
    for result in event:
        for seat, one in enumerate(result.seats):
            own = Fraction(points.of(result)[seat], UNITS)
            worth[one] += own
            met[one] += [other for other in result.seats if other != one]
            first = (result.places or ())[seat] == 1
            wins[one] += first and (result.places or ()).count(1) == 1
            if len(result.seats) == 1:
                byes[one] += 1
                best[one] += points.bye if points.bye_counts else 0
            else:
                best[one] += points.by_place[0] if points.by_place else points.first
    shares = {}
    for one in players:
        made = worth[one] - (0 if points.bye_counts else byes[one] * points.bye)
        shares[one] = max(floor, made / best[one]) if best[one] else floor
    strength = {
        one: [shares[other] for other in met[one]] + [floor] * (3 * byes[one] * points.bye_adds)
        for one in players
    }
    average = {one: [worth[other] for other in met[one]] for one in players}
    return {
        "points": worth,
        "own_share": shares,
        "wins": wins,
        "opponents_share": {one: sum(of) / len(of) if of else 0 for one, of in strength.items()},
        "opponents_average": {one: sum(of) / len(of) if of else 0 for one, of in average.items()},
    }


@pytest.mark.parametrize("preset", POINT_PRESETS)
def test_values_are_those_of_a_slow_count(preset: str) -> None:
    points = POINT_PRESETS[preset]
    event = TableEvent(3, 9, (4,))
    results: list[Result] = []
    for number in range(1, 4):
        made = event.make()
        event.play(made)
        results += [table_result(seats=(one,), places=(1,), round=number) for one in made.byes]
        for table in made.tables:
            places = event.source.choice([(1, 2, 2, 2), (3, 1, 1, 3), (1, 2, 3, 4), (2, 2, 2, 2)])
            results.append(table_result(seats=table, places=places, round=number))
    history = TableHistory(players=tuple(event.players), results=tuple(results), points=points)
    standings = rank_history(history, criteria=TABLE_CRITERIA.keys())
    expected = slow_values(results, event.players, points)
    for row in standings.rows:
        for key, by_player in expected.items():
            assert row.values[key] == by_player[row.player], (key, row.player)
        assert row.played == 3


def test_more_first_places_then_more_second_ones() -> None:
    found = ranked(
        {
            "players": [*"abcd"],
            "points": {"preset": "places"},
            "criteria": ["places_made"],
            "matches": [
                {"seats": [*"abcd"], "places": [1, 2, 3, 4]},
                {"seats": [*"abcd"], "places": [3, 1, 2, 4]},
                {"seats": [*"abcd"], "places": [4, 3, 1, 2]},
            ],
        }
    )
    # Each of a, b, c was first once; b and c second once, third once.
    assert [(row.rank, row.player) for row in found.standings.rows] == [
        *((1, "b"), (1, "c"), (3, "a"), (4, "d"))
    ]


@pytest.mark.parametrize(
    "key", ["head_to_head", "game_win", "buchholz_cut1", "opponents_points", "sonneborn_berger"]
)
def test_what_compares_two_is_refused(key: str) -> None:
    with pytest.raises(BadInput) as refused:
        ranked({"players": ["a"], "criteria": [key], "matches": [{"seats": [], "places": []}]})
    assert refused.value.code in ("criterion_needs_two", "invalid_results")
    with pytest.raises(BadInput) as refused:
        rank_history(TableHistory(players=(), results=()), criteria=[key])
    assert refused.value.code == "criterion_needs_two"


def test_a_stranger_at_a_table_is_a_fault() -> None:
    history = TableHistory(players=("a",), results=(table_result(seats=("a", "b", "c")),))
    with pytest.raises(ValueError, match="'b'"):
        rank_history(history, criteria=["points"])


def test_a_history_tells_how_many_tables_were_won_drawn_and_lost() -> None:
    tables = (
        table_result(seats=(1, 2, 3), places=(1, 2, 2)),
        table_result(seats=(3, 1, 2), places=(1, 1, 3)),
        table_result(seats=(1, 2, 3)),
    )
    history = TableHistory(players=(1, 2, 3), results=tables)
    assert history.records == {1: (2, 1, 1, 0), 2: (2, 0, 0, 2), 3: (2, 0, 1, 1)}
