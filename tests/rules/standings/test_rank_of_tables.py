"""The document of ``rank`` for tables: what is read, and what is refused with its path."""

from typing import Any

import pytest

from rules.errors import BadInput
from rules.standings.rank_document import points_from, ranked, render

TABLE = {"round": 1, "seats": ["anna", "bruno", "carla", "dora"], "places": [1, 2, 2, 2]}
BYE = {"round": 1, "a": "elsa", "b": None}
DOCUMENT: dict[str, Any] = {
    "players": ["anna", "bruno", "carla", "dora", "elsa"],
    "matches": [TABLE, BYE],
}


def test_tables_and_byes_are_ranked() -> None:
    answer = render(ranked(DOCUMENT).standings)
    rows: Any = answer["standings"]
    assert [(row["rank"], row["player"], row["values"]["points"]) for row in rows] == [
        (1, "anna", 5), (1, "elsa", 5), (3, "bruno", 0), (3, "carla", 0), (3, "dora", 0),
    ]  # fmt: skip
    # The bye stands for three opponents at the floor, which anna met: only lots part the two.
    assert rows[0]["values"]["opponents_share"] == rows[1]["values"]["opponents_share"] == "1/5"
    assert answer["tied"] == [["anna", "elsa"], ["bruno", "carla", "dora"]]


def test_a_bye_is_no_place_at_a_table() -> None:
    places = {"points": {"places": [4, 3, 2, 1]}, "criteria": ["points", "places_made", "lots"]}
    rows: Any = render(ranked({**DOCUMENT, **places}).standings)["standings"]
    assert [row["player"] for row in rows][:2] == ["anna", "elsa"]
    assert rows[1]["placed_by"] == "places_made"  # level on points with the winner of a table


def test_scores_make_places_and_fractions_are_text() -> None:
    played = {"seats": ["anna", "bruno", "carla"], "scores": [10, 7, 7]}
    answer = ranked({**DOCUMENT, "points": {"places": [4, 3, 2]}, "matches": [played]})
    rows: Any = render(answer.standings)["standings"]
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
    rows = ranked({**DOCUMENT, "points": points, "criteria": ["points"]}).standings.rows
    made = {row.player: row.values["points"] for row in rows}
    assert (made["anna"], made["elsa"]) == (won, bye)


def test_what_was_not_played_counts_nowhere() -> None:
    matches = [{"seats": ["anna", "bruno", "carla"]}, {**BYE, "winner": "void"}]
    rows = ranked({**DOCUMENT, "matches": matches}).standings.rows
    assert {row.played for row in rows} == {0}


def test_a_round_missed_is_lost() -> None:
    rows = ranked({**DOCUMENT, "matches": [TABLE, {**BYE, "winner": "none"}]}).standings.rows
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
        ranked({**DOCUMENT, **change})
    assert refused.value.code == code
    assert refused.value.sentence.values.get("path") == path


def test_stored_points_are_refused_by_the_path_that_a_document_has() -> None:
    with pytest.raises(BadInput) as refused:
        points_from({"places": [3, -1]})
    assert refused.value.code == "invalid_results"
    assert refused.value.sentence.values["path"] == "points.places[1]"
