"""Results typed at the desk in short form."""

import pytest

from rules.errors import BadInput
from rules.matches.settling import settle
from rules.matches.shorthand import parse_shorthand
from rules.results import EndedBy, Winner
from tests.rules.matches.test_settling import DRAW, DUEL, GROUP, ONE_GAME, SWISS, A, B


@pytest.mark.parametrize(
    ("typed", "rules", "winner", "games_won"),
    [
        ("2-1", SWISS, A, (2, 1, 0)),
        ("21", SWISS, A, (2, 1, 0)),
        (" 0 2 ", SWISS, B, (0, 2, 0)),
        ("1-1-1", SWISS, DRAW, (1, 1, 1)),
        ("211", SWISS, A, (2, 1, 1)),
        ("0-0-3", SWISS, DRAW, (0, 0, 3)),
        ("2-1-0", SWISS, A, (2, 1, 0)),
        ("+abda", SWISS, A, (2, 1, 1)),
        ("+ a b d a", SWISS, A, (2, 1, 1)),
        ("+b=b", SWISS, B, (0, 2, 1)),
        ("+ab", SWISS, DRAW, (1, 1, 0)),
        ("+a", ONE_GAME, A, (1, 0, 0)),
        ("a", ONE_GAME, A, (1, 0, 0)),
        ("2", ONE_GAME, B, (0, 1, 0)),
        ("0", ONE_GAME, DRAW, (0, 0, 1)),
        ("1-0", ONE_GAME, A, (1, 0, 0)),
        ("40-22", GROUP, A, None),
        ("30 30", GROUP, DRAW, None),
        ("30 30 b w", DUEL, B, None),
    ],
)
def test_results_are_typed_without_the_mouse(typed, rules, winner, games_won):
    outcome = settle(rules, parse_shorthand(typed, rules))
    assert (outcome.winner, outcome.games_won) == (winner, games_won)


@pytest.mark.parametrize("typed", ["ab", "a b", "aba", "dd", "b=b"])
def test_letters_alone_are_no_result_of_several_games(typed):
    with pytest.raises(BadInput, match=r"in their order begin with a plus, \+"):
        parse_shorthand(typed, SWISS)


@pytest.mark.parametrize("rules", [SWISS, GROUP, ONE_GAME])
@pytest.mark.parametrize(
    "typed",
    ["+", "+a?", "", "?", "4", "7", "2-1-1-1", "a?", "²-1", "40 22 q", "1 2 3 4 5", "-1 3", "–2-1"],
)
def test_what_cannot_be_read_is_refused(typed, rules):
    with pytest.raises(BadInput, match="cannot be read"):
        parse_shorthand(typed, rules)


@pytest.mark.parametrize("rules", [SWISS, GROUP, ONE_GAME, DUEL])
@pytest.mark.parametrize(
    ("typed", "winner", "ended_by"),
    [
        ("a1", B, EndedBy.NO_SHOW),
        ("A2", A, EndedBy.NO_SHOW),
        ("a12", Winner.NONE, EndedBy.DOUBLE_LOSS),
        ("r1", B, EndedBy.CONCESSION),
        ("r2", A, EndedBy.CONCESSION),
    ],
)
def test_who_is_absent_or_concedes_is_two_keys(rules, typed, winner, ended_by):
    outcome = settle(rules, parse_shorthand(typed, rules))
    assert (outcome.winner, outcome.ended_by) == (winner, ended_by)


def test_p_is_the_usual_draw_where_there_is_one():
    assert settle(SWISS, parse_shorthand("p", SWISS)).games_won == (1, 1, 0)
    assert settle(ONE_GAME, parse_shorthand("p", ONE_GAME)).winner == DRAW
    for rules in (GROUP, DUEL):
        with pytest.raises(BadInput, match="cannot be read"):
            parse_shorthand("p", rules)
