"""Head-to-head among exactly the level players."""

from rules.criteria import CRITERIA
from rules.results import Points
from rules.standings.table import rank_history
from tests.scoresheet import Scoresheet


def order(sheet, key="head_to_head", **more):
    rows = rank_history(sheet.history(**more), criteria=[key]).rows
    return [(row.rank, row.player) for row in rows]


def test_two_players_are_split_by_their_match():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    b.beats(a)
    assert order(sheet) == [(1, "b"), (2, "a")]


def test_a_cycle_splits_nobody():
    sheet = Scoresheet()
    a, b, c = sheet.players("a b c")
    a.beats(b)
    b.beats(c)
    c.beats(a)
    assert order(sheet) == [(1, "a"), (1, "b"), (1, "c")]


def test_players_who_have_not_met_stay_level():
    sheet = Scoresheet()
    sheet.players("a b")
    assert order(sheet) == [(1, "a"), (1, "b")]


def test_only_an_uncatchable_leader_is_placed_before_all_have_met():
    sheet = Scoresheet()
    p, q, r = sheet.players("p q r")
    p.beats(q)
    p.beats(r)
    split = CRITERIA.get("head_to_head").split(sheet.history(), ("p", "q", "r"))
    assert split.classes == (("p",), ("q", "r"))
    assert split.figures == {"p": (6,), "q": (0,), "r": (0,)}


def test_level_with_the_leader_is_not_behind():
    sheet = Scoresheet()
    p, q, r = sheet.players("p q r")
    p.beats(q)
    p.draws(r)
    assert order(sheet) == [(1, "p"), (1, "q"), (1, "r")]


def test_a_missing_match_may_bring_whatever_is_the_most():
    sheet = Scoresheet()
    p, q, r = sheet.players("p q r")
    p.beats(q)
    p.draws(r)
    # A draw worth nothing and a win worth one: r can reach 1, p has 1.
    assert order(sheet, points=Points(win=1, draw=0))[0] == (1, "p")
    assert len({rank for rank, _player in order(sheet, points=Points(win=1, draw=0))}) == 1


def test_the_rest_has_a_mini_table_of_its_own():
    sheet = Scoresheet()
    p, q, r, s = sheet.players("p q r s")
    for other in (q, r, s):
        p.beats(other)
    q.beats(r)
    q.beats(s)
    assert order(sheet) == [(1, "p"), (2, "q"), (3, "r"), (3, "s")]


def test_a_bye_is_no_match_among_anybody():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.has_a_bye()
    a.draws(b)
    assert order(sheet) == [(1, "a"), (1, "b")]


def test_the_uefa_style_looks_at_difference_and_score_inside_the_mini_table():
    sheet = Scoresheet()
    a, b, c = sheet.players("a b c")
    a.beats(b, 3, 0)
    b.beats(c, 1, 0)
    c.beats(a, 1, 0)
    assert order(sheet, "head_to_head_uefa") == [(1, "a"), (2, "c"), (3, "b")]
    assert order(sheet) == [(1, "a"), (1, "b"), (1, "c")]


def test_the_uefa_style_begins_again_among_those_still_level():
    sheet = Scoresheet()
    a, b, c = sheet.players("a b c")
    a.beats(b, 1, 0)
    b.beats(c, 2, 1)
    c.beats(a, 2, 1)
    # All three: difference 0; made 2, 2, 3. Then a beat b.
    assert order(sheet, "head_to_head_uefa") == [(1, "c"), (2, "a"), (3, "b")]
