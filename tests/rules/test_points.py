"""What a result is worth, in one place."""

import ast
from pathlib import Path

import pytest

from rules.history.group_history import History
from rules.results import Points, Winner, result_of_two

WORTH = Points(win=5, draw=2, loss=1)
RULES = Path(__file__).resolve().parents[2] / "rules"


@pytest.mark.parametrize(
    ("winner", "points"),
    [
        (Winner.A, (5, 1)),
        (Winner.B, (1, 5)),
        (Winner.DRAW, (2, 2)),
        (Winner.NONE, (1, 1)),
        (Winner.VOID, (0, 0)),
        (None, (0, 0)),
    ],
)
def test_a_result_brings_its_players_points(winner, points):
    assert WORTH.of(result_of_two(a=1, b=2, winner=winner)) == points


def test_every_winner_is_worth_something_named():
    assert set(WORTH.by_winner) == {*Winner, None}


def test_points_are_values():
    """They are compared, hashed and put into sets, whether or not somebody asked them before."""
    asked, fresh = Points(win=2), Points(win=2)
    assert asked.of(result_of_two(a=1, b=2, winner=Winner.A)) == (2, 0)
    assert (asked == fresh, len({asked, fresh}), repr(asked)) == (True, 1, repr(fresh))


def test_a_meeting_has_the_points_of_its_side():
    results = [
        result_of_two(a=1, b=2, winner=Winner.B, score=(3, 8), games=(1, 2, 3)),
        result_of_two(a=1, b=None, winner=Winner.A, score=(9, 9)),
        result_of_two(a=2, b=1, winner=Winner.NONE),
    ]
    history = History(players=(1, 2), results=results, points=WORTH)
    assert [tuple(one) for one in history.meetings(1)] == [
        (2, "lost", 1, 3, 8, (1, 2, 3)),
        (None, "won", 5, 0, 0, None),
        (2, "lost", 1, 0, 0, None),
    ]
    assert [tuple(one) for one in history.meetings(2)] == [
        (1, "won", 5, 8, 3, (2, 1, 3)),
        (1, "lost", 1, 0, 0, None),
    ]


def test_nobody_else_says_what_a_winner_is_worth():
    """Sums of matches won and bounds of what is possible need the values; a result does not."""
    asking = {
        path.relative_to(RULES).as_posix()
        for path in RULES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in ("win", "draw", "loss")
        and ast.unparse(node.value).endswith(("points", "worth"))
    }
    sums, bounds = {"history/group_history.py"}, {"criteria/head_to_head.py", "scenarios/bounds.py"}
    assert asking == sums | bounds | {"criteria/games.py"}
