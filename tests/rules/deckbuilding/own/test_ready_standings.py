"""The standings of each ready-made game, worked out by hand from the source that its file names.

Three rounds of six: a beats b, c beats d, f beats e; a beats c, b beats e, d beats f; a beats f,
b and d draw, and c beats e (of Yu-Gi-Oh! c has a bye, as e has left). b and d are level on points.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.deckbuilding.game_standings import GameStandings
from rules.deckbuilding.own.ready_made import ready_made
from rules.half_points import in_parts
from rules.results import Points
from rules.standings.table import DEFAULT_CRITERIA, Standings, rank_history
from tests.scoresheet import Scoresheet

READY = {one.key: one for one in ready_made()}
HALF = Fraction(1, 2)
USUAL = [Fraction(9), Fraction(6), Fraction(4), Fraction(4), Fraction(3), Fraction(0)]
# What separates b from d: the criterion, b's value and d's.
GOLDEN = {
    # a 1, e 0 that counts 1/3, d 4/9; c 2/3, f 1/3, b 4/9
    "magic-constructed": ("opponents_match_win", Fraction(16, 27), Fraction(13, 27)),
    "magic-limited": ("opponents_match_win", Fraction(16, 27), Fraction(13, 27)),
    # a 1, e 0 that counts 1/4, d 1/2 (a draw is half a win); c 2/3, f 1/3, b 1/2
    "pokemon-standard": ("opponents_match_win", Fraction(7, 12), HALF),
    # level at 13/27; of a 13/27, e 7/18, d 13/27; of c 13/18, f 13/27, b 13/27
    "yugioh-advanced": ("opponents_opponents_match_win", Fraction(73, 162), Fraction(91, 162)),
    # a 3, d 1½ without e's 0; c 2, b 1½ without f's 1
    "chess": ("buchholz_cut1", Fraction(9, 2), Fraction(7, 2)),
}


def ranked(key: str) -> Standings:
    """Return the standings under the rules of a ready-made game; lots name the later one first."""
    sheet = Scoresheet()
    a, b, c, d, e, f = sheet.players("a b c d e f")
    for better, worse in ((a, b), (c, d), (f, e), (a, c), (b, e), (d, f), (a, f)):
        better.wins_games(worse, 2, 0)
    b.wins_games(d, 1, 1)
    if key == "yugioh-advanced":
        c.has_a_bye()
    else:
        c.wins_games(e, 2, 0)
    standings = READY[key].rules.standings
    points = points_of(standings)
    history = replace(sheet.history(), points=points, lots=tuple("fedcba"))
    return rank_history(history, criteria=standings.criteria)


def points_of(standings: GameStandings) -> Points:
    """Return what a plan makes of a game's points and shares."""
    (win, draw, loss), parts = in_parts(standings.points)
    floor, share = standings.floor, standings.draw_share
    return Points(win=win, draw=draw, loss=loss, parts=parts, floor=floor, draw_share=share)


def test_every_ready_made_game_is_worked_out_or_leaves_the_order_to_the_event() -> None:
    usual = {key for key, one in READY.items() if one.rules.standings.criteria == DEFAULT_CRITERIA}
    assert usual == {*READY} - {*GOLDEN}


@pytest.mark.parametrize("key", READY)
def test_the_table_is_the_one_worked_out(key: str) -> None:
    standings = ranked(key)
    rows = {row.player: row for row in standings.rows}
    worth = [Fraction(3), Fraction(2), 3 * HALF, 3 * HALF, Fraction(1), Fraction(0)]
    assert [row.values["points"] for row in standings.rows] == (worth if key == "chess" else USUAL)
    if key not in GOLDEN:
        assert "".join(row.player for row in standings.rows) == "acdbfe"
        assert rows["b"].placed_by == "lots"
        return
    criterion, b, d = GOLDEN[key]
    assert (rows["b"].values[criterion], rows["d"].values[criterion]) == (b, d)
    order = "acbdfe" if b > d else "acdbfe"
    assert "".join(row.player for row in standings.rows) == order
    assert rows[min("bd", key=lambda one: rows[one].values[criterion])].placed_by == criterion
