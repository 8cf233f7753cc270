"""What a bye counts in shares of wins and of games, worked out by hand from each game's source.

p beats q 2–0; then q has a bye, beats r 2–1 and draws with s 1–1. p has met nobody else.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.formats import GameStandings
from rules.numbers import in_parts
from rules.results import Points
from rules.standings.table import rank_history
from tests.scoresheet import Scoresheet

READY = {one.key: one for one in ready_made()}
# What q's share is, which p gets of the opponents.
GOLDEN = {
    # Appendix C: 3, 3 and 1 points of 12; the bye is won 2–0: 2, 2 and 1 games of 9
    "magic-constructed": {
        "opponents_match_win": Fraction(7, 12),
        "opponents_game_win": Fraction(5, 9),
    },
    "magic-limited": {
        "opponents_match_win": Fraction(7, 12),
        "opponents_game_win": Fraction(5, 9),
    },
    # 5.3.3.1: a win and half a one of three matches, the bye is none
    "pokemon-standard": {"opponents_match_win": Fraction(1, 2)},
    # a bye is a win: two wins and a third of one, of four matches
    "yugioh-advanced": {"opponents_match_win": Fraction(7, 12)},
}


def season() -> Scoresheet:
    sheet = Scoresheet()
    p, q, r, s = sheet.players("p q r s")
    p.wins_games(q, 2, 0)
    q.has_a_bye()
    q.wins_games(r, 2, 1)
    q.wins_games(s, 1, 1)
    return sheet


def points_of(standings: GameStandings) -> Points:
    (win, draw, loss), parts = in_parts(standings.points)
    return Points(
        win=win,
        draw=draw,
        loss=loss,
        parts=parts,
        floor=standings.floor,
        draw_share=standings.draw_share,
        bye_games=standings.bye_games,
        byes_left_out=standings.byes_left_out,
        dropped_cap=standings.dropped_cap,
    )


@pytest.mark.parametrize("key", GOLDEN)
def test_a_bye_counts_as_the_game_s_source_says(key: str) -> None:
    standings = READY[key].rules.standings
    history = replace(season().history(), points=points_of(standings))
    rows = {row.player: row for row in rank_history(history, criteria=standings.criteria).rows}
    assert rows["q"].values["points"] == 7, "its points are those of a win"
    assert {name: rows["p"].values[name] for name in GOLDEN[key]} == GOLDEN[key]
