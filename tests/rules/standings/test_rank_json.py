"""Standings computed from JSON, of two and of tables."""

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from rules.errors import BadInput
from rules.results import Points, Winner
from rules.standings.rank_document import (
    parse_json,
    parse_rank_document,
    parse_table_request,
    rank_document,
    read_stored_points,
    render_standings,
    render_table_round,
)
from rules.standings.table import DEFAULT_CRITERIA, rank
from rules.tables.field import SmallTableRule
from rules.tables.rounds import USUAL_SIZES

GOOD = {
    "points": {"win": 3, "draw": 1, "loss": 0},
    "criteria": ["points", "lots"],
    "players": ["anna", "bruno", 7],
    "withdrawn": ["bruno"],
    "matches": [
        {"round": 1, "a": "anna", "b": "bruno", "score": [40, 22]},
        {"round": 2, "a": "anna", "b": None, "games": [2, 0, 0]},
        {"round": 3, "a": "bruno", "b": 7, "games": [2, 1, 0]},
    ],
    "lots": ["bruno"],
    "penalties": {"anna": 2, "7": 1},
}


def test_a_whole_document_becomes_arguments():
    arguments = parse_rank_document(GOOD)
    assert arguments["players"] == ("anna", "bruno", 7)
    assert arguments["criteria"] == ("points", "lots")
    assert arguments["lots"] == ("bruno",)
    assert arguments["penalties"] == {"anna": 2, 7: 1}
    assert [row.player for row in rank(**arguments).rows] == ["anna", "bruno", 7]


def test_all_but_the_players_may_be_left_out():
    arguments = parse_rank_document({"players": ["a"]})
    assert arguments["criteria"] == DEFAULT_CRITERIA
    assert (arguments["points"], arguments["results"], arguments["lots"]) == (Points(), (), ())


def test_null_is_as_good_as_left_out():
    keys = ("points", "criteria", "withdrawn", "dropped_cap", "matches", "lots", "penalties")
    assert parse_rank_document({"players": ["a"], **dict.fromkeys(keys)}) == parse_rank_document(
        {"players": ["a"]}
    )


@pytest.mark.parametrize(
    ("match", "winner", "score"),
    [
        ({"b": "b", "score": [2, 1]}, Winner.A, (2, 1)),
        ({"b": "b", "score": [1, 2]}, Winner.B, (1, 2)),
        ({"b": "b", "score": [1, 1]}, Winner.DRAW, (1, 1)),
        ({"b": "b", "games": [1, 2, 3]}, Winner.B, (1, 2)),
        ({"b": "b", "score": [40, 0], "games": [0, 1, 0]}, Winner.A, (40, 0)),
        ({"b": "b", "score": [1, 1], "winner": "b"}, Winner.B, (1, 1)),
        ({"b": "b", "winner": "none"}, Winner.NONE, None),
        ({"b": "b", "winner": "void", "score": [1, 0]}, Winner.VOID, (1, 0)),
        ({"b": "b"}, None, None),
        ({"b": "b", "score": None, "winner": None, "round": None}, None, None),
        ({"b": None}, Winner.A, None),
        ({"b": None, "score": [2, 0]}, Winner.A, None),
        ({"b": None, "winner": "none"}, Winner.NONE, None),
        ({"b": None, "winner": "draw"}, Winner.DRAW, None),
        ({"b": None, "winner": "void"}, Winner.VOID, None),
    ],
)
def test_a_match_says_who_won(match, winner, score):
    (result,) = parse_rank_document({"players": ["a", "b"], "matches": [{"a": "a", **match}]})[
        "results"
    ]
    assert (result.winner, result.score) == (winner, score)


def changed(*keys, to):
    document = deepcopy(GOOD)
    place = document
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    return document


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (None, "$"),
        ([], "$"),
        ({}, "players"),
        (changed("players", to="anna"), "players"),
        (changed("players", 1, to=None), "players[1]"),
        (changed("players", 1, to=True), "players[1]"),
        (changed("players", 1, to=""), "players[1]"),
        (changed("players", 1, to="anna"), "players[1]"),
        (changed("players", 1, to="7"), "players[2]"),
        (changed("players", 1, to="\ud800"), "players[1]"),
        (changed("players", to=["a"] * 5001), "players"),
        (changed("points", to=3), "points"),
        (changed("points", "win", to=-1), "points.win"),
        (changed("points", "loss", to=0.5), "points.loss"),
        (changed("criteria", to="points"), "criteria"),
        (changed("criteria", 1, to="luck"), "criteria[1]"),
        (changed("criteria", 1, to=["lots"]), "criteria[1]"),
        (changed("criteria", to=["lots", "points", "lots"]), "criteria[2]"),
        (changed("withdrawn", 0, to="zeno"), "withdrawn[0]"),
        (changed("matches", to={}), "matches"),
        (changed("matches", to=[{}] * 100_001), "matches"),
        (changed("matches", 0, to=1), "matches[0]"),
        (changed("matches", 0, to={"b": "anna"}), "matches[0].a"),
        (changed("matches", 0, to={"a": "anna"}), "matches[0].b"),
        (changed("matches", 0, "a", to="zeno"), "matches[0].a"),
        (changed("matches", 0, "a", to=None), "matches[0].a"),
        (changed("matches", 0, "b", to=["bruno"]), "matches[0].b"),
        (changed("matches", 0, "b", to="anna"), "matches[0].b"),
        (changed("matches", 0, "round", to="1"), "matches[0].round"),
        (changed("matches", 0, "score", to=40), "matches[0].score"),
        (changed("matches", 0, "score", to=[1, 2, 3]), "matches[0].score"),
        (changed("matches", 0, "score", 1, to=1.5), "matches[0].score[1]"),
        (changed("matches", 0, "score", 1, to=-1), "matches[0].score[1]"),
        (changed("matches", 0, "score", 1, to=True), "matches[0].score[1]"),
        (changed("matches", 0, "score", 1, to=10**9), "matches[0].score[1]"),
        (changed("matches", 2, "games", to=[2, 1]), "matches[2].games"),
        (changed("matches", 2, "games", 2, to=None), "matches[2].games[2]"),
        (changed("matches", 2, "games", 0, to=100), "matches[2].games[0]"),
        (changed("matches", 2, "winner", to="bruno"), "matches[2].winner"),
        (changed("matches", 2, "winner", to=[]), "matches[2].winner"),
        (changed("matches", 1, "winner", to="b"), "matches[1].winner"),
        (changed("points", "win", to="1/3"), "points.win"),
        (changed("points", "win", to="9/8"), "points.win"),
        (changed("points", "win", to=1.25), "points.win"),
        ({**GOOD, "dropped_cap": 0.75}, "dropped_cap"),
        ({**GOOD, "dropped_cap": "5/4"}, "dropped_cap"),
        (changed("lots", to=["anna", "anna"]), "lots[1]"),
        (changed("lots", 0, to={}), "lots[0]"),
        (changed("penalties", to=[]), "penalties"),
        (changed("penalties", "anna", to="many"), 'penalties["anna"]'),
        (changed("penalties", to={"zeno": 1}), 'penalties["zeno"]'),
    ],
)
def test_what_is_wrong_is_named_by_its_place(document, path):
    with pytest.raises(BadInput) as refused:
        parse_rank_document(document)
    assert refused.value.code == "invalid_results"
    assert refused.value.sentence.values["path"] == path
    assert str(refused.value.sentence).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "text", ["", "{", b"\xff\xfe", "[" * 100_000, "1" * 10_000, b'{"a": \xe8}']
)
def test_what_is_no_json_is_said(text):
    with pytest.raises(BadInput) as refused:
        parse_json(text)
    assert refused.value.code == "invalid_json"


def test_a_byte_order_mark_is_passed_over():
    assert parse_json("\ufeff{}".encode()) == {}


def test_fractions_are_texts_and_whole_numbers_are_numbers():
    answer = render_standings(
        rank(
            **parse_rank_document(
                {
                    "players": ["a", "b"],
                    "criteria": ["points", "game_win", "lots"],
                    "matches": [{"a": "a", "b": "b", "games": [2, 1, 0]}],
                }
            )
        )
    )
    assert json.loads(json.dumps(answer)) == {
        "standings": [
            {
                "rank": 1,
                "player": "a",
                "played": 1,
                "won": 1,
                "drawn": 0,
                "lost": 0,
                "values": {"points": 3, "game_win": "2/3"},
                "placed_by": None,
            },
            {
                "rank": 2,
                "player": "b",
                "played": 1,
                "won": 0,
                "drawn": 0,
                "lost": 1,
                "values": {"points": 0, "game_win": "1/3"},
                "placed_by": "points",
            },
        ],
        "tied": [],
    }


def values_in(document, key):
    """Return the value of a criterion by player, as documents have it."""
    rows = render_standings(rank(**parse_rank_document(document)))["standings"]
    return {row["player"]: row["values"][key] for row in rows}


def test_points_may_be_quarters_and_halves():
    matches = [
        {"a": "a", "b": "b", "winner": "a"},
        {"a": "c", "b": None, "winner": "draw"},
        {"a": "b", "b": "c", "winner": "draw"},
    ]
    document = {"players": ["a", "b", "c"], "criteria": ["points"], "matches": matches}
    worth = {"win": "5/4", "draw": "1/2", "loss": 0}
    assert values_in({**document, "points": worth}, "points") == {"a": "5/4", "b": "1/2", "c": 1}
    worth = {"win": 2, "draw": "3/4", "loss": "1/4"}
    assert values_in({**document, "points": worth}, "points") == {"a": 2, "b": 1, "c": "3/2"}


def test_a_cap_concerns_only_who_has_withdrawn():
    matches = [
        {"a": "a", "b": "b", "winner": "a"},
        {"a": "c", "b": "d", "winner": "a"},
        {"a": "a", "b": "d", "winner": "a"},
    ]
    document = {"players": [*"abcd"], "criteria": ["opponents_match_win"], "matches": matches}
    key = "opponents_match_win"
    plain = {"a": "1/3", "b": 1, "c": "1/3", "d": 1}
    assert values_in(document, key) == plain
    assert values_in({**document, "withdrawn": ["a"]}, key) == plain
    assert values_in({**document, "dropped_cap": "3/4"}, key) == plain
    capped = {**document, "withdrawn": ["a"], "dropped_cap": "3/4"}
    assert values_in(capped, key) == {**plain, "b": "3/4", "d": "7/8"}
    assert values_in({**capped, "withdrawn": ["b", "d"]}, key) == plain
    assert values_in({**capped, "dropped_cap": 1}, key) == plain


def asked(**more: Any) -> dict[str, Any]:
    players = [{"player": number} for number in range(1, 9)]
    return {"players": players, **more}


def test_what_a_request_says_is_read() -> None:
    first = {
        "player": 1,
        "points": "4/3",
        "met": {"2": 1},
        "byes": 1,
        "small": 2,
        "seats": [[1, 4], [2, 3]],
    }
    wanted = parse_table_request(
        {
            "players": [first, {"player": 2}, {"player": "Ada"}],
            "sizes": [4, 3],
            "small": "high",
            "apart": [[1, 2], ["Ada", 1]],
            "seed": "s",
        }
    )
    one, two, ada = wanted.entrants
    assert (one.points, one.met, one.byes, one.small) == (Fraction(4, 3), {2: 1}, 1, 2)
    assert tuple(one.seats) == ((1, 4), (2, 3))
    assert (one.apart, two.apart, ada.apart) == ({2}, set(), {1})
    assert (wanted.sizes, wanted.small, wanted.seed) == ((4, 3), SmallTableRule.HIGH, "s")


def test_what_is_left_out_is_usual_and_the_round_is_written() -> None:
    wanted = parse_table_request(asked())
    assert (wanted.sizes, wanted.small, wanted.seed) == (USUAL_SIZES, SmallTableRule.LOW, "")
    made = render_table_round(wanted.make())
    assert made == render_table_round(parse_table_request(asked()).make())
    tables: Any = made["tables"]
    assert sorted(player for table in tables for player in table) == list(range(1, 9))
    assert (made["byes"], made["proven"]) == ([], True)
    assert isinstance(made["cost"], dict)


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ([], ""),
        ({}, "players"),
        (asked(players=[{"player": 1}, {"player": 1}]), "players[1].player"),
        (asked(players=[{"player": -1}]), "players[0].player"),
        (asked(players=[{"player": "a" * 81}]), "players[0].player"),
        (asked(players=[{"player": 1, "met": {"1": 1}}]), "players[0].met"),
        (asked(players=[{"player": 1, "met": {"9": 1}}]), "players[0].met"),
        (asked(players=[{"player": 1, "seats": [[3, 2]]}]), "players[0].seats[0]"),
        (asked(players=[{"player": 1, "seats": [[1, 1]]}]), "players[0].seats[0]"),
        (asked(apart=[[1, 1]]), "apart[0]"),
        (asked(apart=[[1, 99]]), "apart[0][1]"),
        (asked(apart=[[1]]), "apart[0]"),
        (asked(small="none"), "small"),
        (asked(seed="s" * 201), "seed"),
        (asked(sizes="x"), "sizes"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(document: object, path: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_table_request(document)
    assert str(refused.value.sentence.values.get("path", "")).startswith(path)


def test_sizes_of_no_table_are_refused() -> None:
    with pytest.raises(BadInput) as refused:
        parse_table_request(asked(sizes=[9]))
    assert refused.value.code == "invalid_sizes"


TABLE = {"round": 1, "seats": ["anna", "bruno", "carla", "dora"], "places": [1, 2, 2, 2]}
BYE = {"round": 1, "a": "elsa", "b": None}
DOCUMENT: dict[str, Any] = {
    "players": ["anna", "bruno", "carla", "dora", "elsa"],
    "matches": [TABLE, BYE],
}


def test_tables_and_byes_are_ranked() -> None:
    answer = render_standings(rank_document(DOCUMENT).standings)
    rows: Any = answer["standings"]
    assert [(row["rank"], row["player"], row["values"]["points"]) for row in rows] == [
        (1, "anna", 5), (1, "elsa", 5), (3, "bruno", 0), (3, "carla", 0), (3, "dora", 0),
    ]  # fmt: skip
    # The bye stands for three opponents at the floor, which anna met: only lots part the two.
    assert rows[0]["values"]["opponents_share"] == rows[1]["values"]["opponents_share"] == "1/5"
    assert answer["tied"] == [["anna", "elsa"], ["bruno", "carla", "dora"]]


def test_a_bye_is_no_place_at_a_table() -> None:
    places = {"points": {"places": [4, 3, 2, 1]}, "criteria": ["points", "places_made", "lots"]}
    rows: Any = render_standings(rank_document({**DOCUMENT, **places}).standings)["standings"]
    assert [row["player"] for row in rows][:2] == ["anna", "elsa"]
    assert rows[1]["placed_by"] == "places_made"  # level on points with the winner of a table


def test_scores_make_places_and_fractions_are_text() -> None:
    played = {"seats": ["anna", "bruno", "carla"], "scores": [10, 7, 7]}
    answer = rank_document({**DOCUMENT, "points": {"places": [4, 3, 2]}, "matches": [played]})
    rows: Any = render_standings(answer.standings)["standings"]
    assert [row["values"]["points"] for row in rows] == [4, "5/2", "5/2", 0, 0]
    assert [criterion.key for criterion in answer.criteria][1] == "places_made"


@pytest.mark.parametrize(
    ("points", "won", "bye"),
    [
        (None, 5, 5),
        ({"preset": "win3"}, 3, 3),
        ({"win": 7, "draw": 2}, 7, 7),
        ({"win": 7, "bye": 1}, 7, 1),
        ({"places": [6, 1], "bye": 2}, 6, 2),
    ],
)
def test_points_of_a_document(points: object, won: int, bye: int) -> None:
    rows = rank_document({**DOCUMENT, "points": points, "criteria": ["points"]}).standings.rows
    made = {row.player: row.values["points"] for row in rows}
    assert (made["anna"], made["elsa"]) == (won, bye)


def test_what_was_not_played_counts_nowhere() -> None:
    matches = [{"seats": ["anna", "bruno", "carla"]}, {**BYE, "winner": "void"}]
    rows = rank_document({**DOCUMENT, "matches": matches}).standings.rows
    assert {row.played for row in rows} == {0}


def test_a_round_missed_is_lost() -> None:
    rows = rank_document({**DOCUMENT, "matches": [TABLE, {**BYE, "winner": "none"}]}).standings.rows
    assert {row.player: (row.lost, row.values["points"]) for row in rows}["elsa"] == (1, 0)


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        ({"matches": [{**TABLE, "seats": ["anna"]}]}, "matches[0].seats", "invalid_results"),
        ({"matches": [{**TABLE, "seats": 4}]}, "matches[0].seats", "invalid_results"),
        (
            {"matches": [{**TABLE, "seats": ["anna", "anna", "carla", "dora"]}]},
            *("matches[0].seats[1]", "invalid_results"),
        ),
        (
            {"matches": [{**TABLE, "seats": ["anna", "zoe", "carla", "dora"]}]},
            *("matches[0].seats[1]", "invalid_results"),
        ),
        ({"matches": [{**TABLE, "places": [1, 3, 3, 3]}]}, "matches[0].places", "invalid_results"),
        ({"matches": [{**TABLE, "places": [1, 2]}]}, "matches[0].places", "invalid_results"),
        (
            {"matches": [{**TABLE, "places": [0, 1, 1, 1]}]},
            "matches[0].places[0]",
            "invalid_results",
        ),
        ({"matches": [{**TABLE, "scores": [1, 2, 3, 4]}]}, "matches[0].places", "invalid_results"),
        (
            {"matches": [{"seats": ["anna", "bruno"], "scores": [1, 10_000]}]},
            *("matches[0].scores[1]", "invalid_results"),
        ),
        ({"matches": [{**TABLE, "winner": "a"}]}, "matches[0].winner", "invalid_results"),
        (
            {"matches": [TABLE, {"a": "anna", "b": "bruno"}]},
            *("matches[1].b", "invalid_results"),
        ),
        ({"matches": [TABLE, {**BYE, "winner": "b"}]}, "matches[1].winner", "invalid_results"),
        ({"usual": 6}, "usual", "invalid_results"),
        ({"points": {"places": []}}, "points.places", "invalid_results"),
        ({"criteria": [1]}, "criteria[0]", "invalid_results"),
        ({"criteria": ["points", "game_win"]}, "criteria[1]", "criterion_needs_two"),
        ({"criteria": ["luck"]}, "criteria[0]", "unknown_criterion"),
        ({"criteria": ["wins", "lots", "wins"]}, "criteria[2]", "invalid_results"),
        ({"matches": [TABLE] * 30_001}, "matches", "invalid_results"),
        ({"points": {"places": [3, 4]}}, None, "invalid_points"),
        ({"points": {"preset": "win7"}}, None, "unknown_points"),
    ],
)
def test_what_is_wrong_is_refused(change: dict[str, Any], path: str | None, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        rank_document({**DOCUMENT, **change})
    assert refused.value.code == code
    assert refused.value.sentence.values.get("path") == path


def test_stored_points_are_refused_by_the_path_that_a_document_has() -> None:
    with pytest.raises(BadInput) as refused:
        read_stored_points({"places": [3, -1]})
    assert refused.value.code == "invalid_results"
    assert refused.value.sentence.values["path"] == "points.places[1]"
