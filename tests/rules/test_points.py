"""Results, points and their parts."""

import ast
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rules.errors import BadInput
from rules.history.group_history import History
from rules.numbers import format_points, number_to_json, read_points, scale_points
from rules.results import (
    MatchEnding,
    OutcomeEffect,
    Points,
    Result,
    Winner,
    outcome_by_places,
    outcome_by_winner,
    two_player_result,
    two_seats,
    void_outcome,
)
from rules.tables.results import are_valid_places

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
    assert WORTH.of(two_player_result(a=1, b=2, winner=winner)) == points


def test_every_winner_is_worth_something_named():
    assert set(WORTH.by_winner) == {*Winner, None}


def test_points_are_values():
    """They are compared, hashed and put into sets, whether or not somebody asked them before."""
    asked, fresh = Points(win=2), Points(win=2)
    assert asked.of(two_player_result(a=1, b=2, winner=Winner.A)) == (2, 0)
    assert (asked == fresh, len({asked, fresh}), repr(asked)) == (True, 1, repr(fresh))


def test_a_meeting_has_the_points_of_its_side():
    results = [
        two_player_result(a=1, b=2, winner=Winner.B, score=(3, 8), games=(1, 2, 3)),
        two_player_result(a=1, b=None, winner=Winner.A, score=(9, 9)),
        two_player_result(a=2, b=1, winner=Winner.NONE),
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
    sums = {"history/group_history.py"}
    bounds = {"criteria/head_to_head.py", "scenarios/bounds.py", "series/outlook.py"}
    assert asking == sums | bounds | {"criteria/games.py"}


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("3", 3),
        ("½", HALF),
        ("1½", 1 + HALF),
        ("0,5", HALF),
        ("1/2", HALF),
        (" 1.5 ", 1 + HALF),
        *[("¼", QUARTER), ("1¾", 2 - QUARTER), ("0,25", QUARTER), ("5/4", 1 + QUARTER)],
    ],
)
def test_what_people_type(typed: str, points: Fraction) -> None:
    assert read_points(typed) == points


@pytest.mark.parametrize(
    "typed", ["", "x", "1/3", "⅓", "1/0", "0,2", "1/8", "½½", "1e3", "1" * 9, "--1"]
)
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_points(typed)
    assert refused.value.code == "bad_points"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        *[(Fraction(3), "3"), (HALF, "½"), (1 + HALF, "1½"), (Fraction(0), "0")],
        *[
            (Fraction(4, 3), "1⅓"),
            (Fraction(4, 5), "⅘"),
            (Fraction(11, 4), "2¾"),
            (Fraction(9, 8), "1⅛"),
        ],
    ],
)
def test_what_people_read(points: Fraction, words: str) -> None:
    assert format_points(points) == words


@pytest.mark.parametrize(
    ("points", "parts", "number"),
    [
        (("3", "1", "0"), (3, 1, 0), 1),
        (("1", "1/2", "0"), (2, 1, 0), 2),
        (("5/4", "1/2", "0"), (5, 2, 0), 4),
        (("2", "3/4", "1/4"), (8, 3, 1), 4),
    ],
)
def test_points_are_counted_in_equal_parts(
    points: tuple[str, ...], parts: tuple[int, ...], number: int
) -> None:
    assert scale_points([*map(Fraction, points)]) == (parts, number)


@pytest.mark.parametrize(
    ("points", "read"), [(Fraction(3), 3), (HALF, "1/2"), (Fraction(5, 4), "5/4"), (Fraction(0), 0)]
)
def test_points_as_programs_read_them(points: Fraction, read: object) -> None:
    assert number_to_json(points) == read


@pytest.mark.parametrize(
    ("winner", "counts"),
    [
        (None, False),
        (Winner.VOID, False),
        (Winner.A, True),
        (Winner.B, True),
        (Winner.DRAW, True),
        (Winner.NONE, True),
    ],
)
def test_a_match_counts_unless_it_is_open_or_void(winner, counts):
    assert two_player_result(a=1, b=2, winner=winner).counts is counts


@pytest.mark.parametrize(
    ("winner", "two", "alone"),
    [
        (Winner.A, (1, 2), (1,)),
        (Winner.B, (2, 1), (2,)),
        (Winner.DRAW, (1, 1), (1,)),
        (Winner.NONE, (2, 2), (2,)),
        (Winner.VOID, None, None),
        (None, None, None),
    ],
)
def test_places_follow_from_the_winner(winner, two, alone):
    match, bye = (
        two_player_result(a=7, b=3, winner=winner),
        two_player_result(a=7, b=None, winner=winner),
    )
    assert (match.seats, match.places) == ((7, 3), two)
    assert (bye.seats, bye.places) == ((7,), alone)
    assert match.without_outcome() == two_player_result(a=7, b=3)


def test_a_pair_is_two_or_one_and_nobody():
    assert two_seats((4, 9), None) == (4, 9)
    assert two_seats(["Ada"], "") == ("Ada", "")
    for seats in ((), (1, 2, 3)):
        with pytest.raises(ValueError, match="unpack"):
            two_seats(seats, None)


def test_who_rests_with_a_win_has_a_bye():
    assert two_player_result(a=1, b=None, winner=Winner.A).is_bye
    assert not two_player_result(a=1, b=2, winner=Winner.A).is_bye


EVERY = [*product(Winner, MatchEnding, (1, 2))]


@pytest.mark.parametrize(("winner", "ended_by", "seats"), EVERY)
def test_an_outcome_tells_its_winner_whatever_ended_it(winner, ended_by, seats):
    outcome = outcome_by_winner(winner, ended_by, seats=seats)
    assert (outcome.winner, outcome.ended_by, len(outcome.places)) == (winner, ended_by, seats)
    assert outcome.counts is (winner is not Winner.VOID)
    assert outcome.is_draw is (winner is Winner.DRAW and seats == 2)


def test_outcomes_of_different_winners_differ():
    found = [outcome_by_winner(winner, seats=seats) for winner, seats in product(Winner, (1, 2))]
    assert len({*found}) == len(found)
    assert outcome_by_winner(Winner.DRAW, seats=1).effect is OutcomeEffect.HALF_BYE


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_is_first_at_a_table_follows_from_the_places(seats):
    for places in product((None, *range(1, seats + 1)), repeat=seats):
        if not are_valid_places(places):
            continue
        outcome = outcome_by_places(places, seats=seats)
        first = [seat for seat, place in enumerate(places) if place == 1]
        alone = {0: Winner.A, 1: Winner.B}.get(first[0]) if first else Winner.NONE
        assert outcome.winner is (Winner.DRAW if len(first) > 1 else alone)
        assert (outcome.is_draw, outcome.counts) == (len(first) > 1, True)
    void = outcome_by_places(None, seats=seats)
    assert (void.winner, void.counts, void.places) == (Winner.VOID, False, (None,) * seats)
    assert void_outcome(seats) == replace(void, ended_by=MatchEnding.VOID)


def test_the_score_of_a_player_is_that_of_their_seat():
    result = two_player_result(7, 3, winner=Winner.B, score=(12, 40), games=(0, 1, 0))
    assert (result.score_of(7), result.score_of(3)) == (12, 40)
    assert (result.games_won, result.ended_by) == ((0, 1, 0), MatchEnding.PLAYED)
    assert result.without_outcome().score_of(7) is None
    assert result.without_outcome().ended_by is None
    with pytest.raises(ValueError, match="not in tuple"):
        result.score_of(5)
    assert two_player_result(7, 3, winner=Winner.DRAW).is_draw
    assert not Result(seats=(7, 3)).is_draw
