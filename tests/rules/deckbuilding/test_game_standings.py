"""What a plan holds of a game's standings: what is not the usual."""

from fractions import Fraction

from rules.deckbuilding.formats import GameStandings


def test_the_usual_is_not_held() -> None:
    assert GameStandings().shares(3, 1) == {}


def test_what_differs_is_held() -> None:
    assert GameStandings().shares(0, 0) == {"draw": "1/3"}
    assert GameStandings().shares(2, 1) == {"draw": "1/3"}
    odd = GameStandings(
        floor=Fraction(1, 4),
        draw_share=Fraction(1, 2),
        bye_games=2,
        byes_left_out=True,
        dropped_cap=Fraction(3, 4),
    )
    assert odd.shares(2, 1) == {"floor": "1/4", "byes": "0", "dropped": "3/4", "bye_games": "2"}
