"""Rules of a game in words: how its matches are played, and its standings."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.data.play_words import all_words


def words(**parts: object) -> list[str]:
    """Return what is said behind the rules for lists."""
    rules = rules_from_json({"zones": [{"key": "deck"}], **parts})
    shape = format_of(rules, key="k", game="g", game_name="G", name="N")
    said = [str(one) for one in all_words(shape)]
    lists = [str(one) for one in shape.describe()]
    assert said[: len(lists)] == lists
    return said[len(lists) :]


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ({"best_of": 3, "final_best_of": 5}, "Best of 3, the final best of 5."),
        ({"best_of": 1, "final_best_of": 3}, "Best of 1, the final best of 3."),
        ({"best_of": 3, "final_best_of": 3}, "Best of 3."),
        ({"best_of": 1, "score": "points", "target": 40}, "A game ends at 40 points."),
        ({"best_of": 1, "score": "points"}, "A result has the points of both."),
        ({"best_of": 1, "minutes": 50}, "Minutes a round: 50."),
        ({"best_of": 1, "draws": True}, "A match may be drawn."),
        ({"best_of": 1, "draws": False}, "No match may be drawn."),
    ],
)
def test_how_matches_are_played(match: Mapping[str, object], said: str) -> None:
    assert said in words(match=match)


def test_a_single_game_without_points_says_nothing_of_its_length() -> None:
    said = words(match={"best_of": 1, "final_best_of": 1, "score": "none", "minutes": None})
    assert not [one for one in said if "Best of" in one or "Minutes" in one or "ends at" in one]


CAP, BYE = "dropped counts at most 3/4", "A bye counts as a match won 2–0."
LEFT_OUT, SHARES = "is no match in shares of wins", "count at least 1/3"


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        (["points", "opponents_match_win", "lots"], {CAP, LEFT_OUT, SHARES}),
        (["points", "game_win", "lots"], {BYE, SHARES}),
        (["points", "lots"], set()),
    ],
)
def test_what_is_said_of_shares_goes_with_the_criteria(criteria: list[str], said: set[str]) -> None:
    standings = {
        "points": {"win": 3, "draw": "1/2", "loss": 0},
        "criteria": criteria,
        "floor": "1/3",
        "bye_games": 2,
        "byes_left_out": True,
        "dropped_cap": "3/4",
    }
    found = words(standings=standings)
    assert "Points for a win: 3, for a draw: ½, for a loss: 0." in found
    every = {CAP, BYE, LEFT_OUT, SHARES}
    assert {one for one in every if any(one in each for each in found)} == said


def test_without_standings_none_are_told() -> None:
    rules = rules_from_json({"zones": [{"key": "deck"}]})
    shape = format_of(rules, key="k", game="g", game_name="G", name="N")
    said = [str(one) for one in all_words(replace(shape, standings=None))]
    assert said
    assert not [one for one in said if "Points for a win" in one]
