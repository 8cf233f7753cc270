"""What the ranking of a stranger's results may cost."""

import json
import sys
from itertools import cycle

import pytest

from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.errors import BadInput
from rules.results import Winner, two_player_result
from rules.standings.rank_document import rank_document, render_standings
from rules.standings.table import EffortLimit, rank


def one_by_one(players, leaders):
    """Return matches from which head-to-head takes one leader after the other.

    A match is worth the same to both, and each leader has more of them than the next.
    """
    others = cycle(range(leaders, players))
    matches = []
    for leader in range(leaders):
        for _number in range(leaders - leader):
            matches += [{"a": leader, "b": next(others), "winner": "a"}] * 2
    return matches


def document(players, matches, *criteria):
    worth = dict.fromkeys(("win", "draw", "loss"), 7)
    return {
        "players": [*range(players)],
        "matches": matches,
        "criteria": [*criteria],
        "points": worth,
    }


def distinct_totals(players, sum_of):
    """Return byes by which no two players have the same number of games."""
    matches = []
    for player in range(players):
        left = sum_of(player)
        while left > 0:
            won = min(99, left)
            matches.append({"a": player, "b": None, "games": [won, max(0, won - 90), 0]})
            left -= won
    return matches


@pytest.mark.parametrize(
    ("players", "leaders"),
    [
        pytest.param(5_000, 60, id="many", marks=pytest.mark.deep),
        pytest.param(1_000, 110, id="some"),
        pytest.param(400, 200, id="dense", marks=pytest.mark.deep),
    ],
)
@pytest.mark.parametrize("criterion", ["head_to_head", "head_to_head_uefa"])
def test_players_taken_one_by_one_are_refused_in_time(players, leaders, criterion):
    with pytest.raises(BadInput) as refused:
        rank_document(document(players, one_by_one(players, leaders), criterion, "lots"))
    assert refused.value.code == "too_costly"


def test_few_players_taken_one_by_one_are_ranked():
    rows = rank_document(document(100, one_by_one(100, 12), "head_to_head", "lots")).standings.rows
    assert [row.player for row in rows[:4]] == [0, 1, 2, 3]


def test_shares_without_a_common_denominator_are_refused_in_time():
    matches = distinct_totals(2_500, lambda player: player + 1)
    with pytest.raises(BadInput) as refused:
        rank_document(document(2_500, matches, "points", "game_win"))
    assert refused.value.code == "too_costly"


def test_points_of_tables_without_a_common_denominator_are_refused_in_time():
    players = [*range(600)]
    matches = [{"a": one, "b": None} for one in players for _round in range(one % 30)]
    matches += [
        {"seats": [one, (one + 1) % 600, (one + 2) % 600], "places": [1, 2, 2]}
        for one in players
        for _round in range(one // 30)
    ]
    sent = {
        "players": players,
        "matches": matches,
        "points": {"win": 999_983, "draw": 1, "loss": 1, "bye": 999_979},
        "criteria": ["own_share"],
    }
    with pytest.raises(BadInput) as refused:
        rank_document(sent)
    assert refused.value.code == "too_costly"


def test_a_large_event_is_ranked_by_all_criteria():
    players = 2_000
    matches = [
        {"a": player, "b": (player + turn) % players, "games": [turn % 3, player % 2 + 1, turn % 2]}
        for turn in range(1, 16)
        for player in range(players)
        if player // turn % 2
    ]
    sent = {"players": [*range(players)], "matches": matches, "criteria": [*CRITERIA.keys()]}
    assert len(rank_document(sent).standings.rows) == players


def test_the_longest_numbers_that_are_ranked_can_be_written():
    matches = distinct_totals(1_300, lambda player: player + 1)
    matches += [{"a": 0, "b": player, "winner": "draw"} for player in range(1, 1_300)]
    answer = render_standings(rank_document(document(1_300, matches, *CRITERIA.keys())).standings)
    longest = max(
        len(str(value)) for row in answer["standings"] for value in row["values"].values()
    )
    assert 500 < longest < sys.get_int_max_str_digits()
    assert len(json.dumps(answer)) < 4_000_000


def test_an_effort_changes_no_rank():
    sent = [
        two_player_result(a=one, b=two, winner=Winner.A if one * two % 3 else Winner.DRAW)
        for one in range(1, 9)
        for two in range(one + 1, 9)
    ]
    free = rank(players=range(1, 9), results=sent)
    assert free == rank(
        players=range(1, 9), results=sent, effort=EffortLimit(steps=1_000, bits=100)
    )


def test_splits_are_counted_with_the_matches_that_are_looked_at():
    sent = [two_player_result(a=1, b=2, winner=Winner.DRAW) for _again in range(80)]
    criteria = ("head_to_head", "lots")
    rank(players=[1, 2], results=sent, criteria=criteria, effort=EffortLimit(steps=44, bits=9))
    with pytest.raises(BadInput):
        rank(players=[1, 2], results=sent, criteria=criteria, effort=EffortLimit(steps=43, bits=9))


@pytest.mark.parametrize("catalogue", [CRITERIA, TABLE_CRITERIA], ids=["two", "tables"])
def test_each_criterion_counts_once(catalogue):
    seats = {"seats": ["a", "b", "c"], "places": [1, 2, 2]}
    pair = {"a": "a", "b": "b", "winner": "a"}
    sent = {"players": ["a", "b", "c"], "matches": [pair if catalogue is CRITERIA else seats]}
    assert rank_document({**sent, "criteria": [*catalogue.keys()]}).criteria == tuple(catalogue)
    with pytest.raises(BadInput) as refused:
        rank_document({**sent, "criteria": [*catalogue.keys(), "points"]})
    assert refused.value.sentence.values["path"] == f"criteria[{len(catalogue.keys())}]"
