"""One worked example of each criterion that is a number."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.criteria import CRITERIA
from rules.errors import BadInput
from rules.history.group_history import History
from rules.results import Points, Winner, result_of_two
from rules.standings.rank_document import ranked
from tests.scoresheet import Scoresheet, SheetPlayer


def value(key, sheet, player, **more):
    return CRITERIA.get(key).value(sheet.history(**more), player)


@pytest.fixture
def table():
    """a 9 points; b 4; c 3 (bye); d 1: a beat b, c, d; b beat c, drew with d."""
    sheet = Scoresheet()
    a, b, c, d = sheet.players("a b c d")
    a.beats(b, 40, 10)
    a.beats(c, 50, 20)
    a.beats(d, 40, 30)
    b.beats(c, 40, 39)
    b.draws(d, 15)
    c.has_a_bye()
    return sheet


@pytest.mark.parametrize(
    ("key", "player", "expected"),
    [
        ("points", "a", 9),
        ("points", "b", 4),
        ("wins", "c", 1),
        ("wins", "d", 0),
        ("opponents_points", "a", 4 + 3 + 1),
        ("opponents_points", "c", 9 + 4),
        ("score_for", "b", 10 + 40 + 15),
        ("score_difference", "c", -30 - 1),
        ("buchholz_cut1", "b", 9 + 3),
        ("buchholz_cut1", "c", 9),
        ("buchholz_median", "b", 3),
        ("buchholz_median", "c", 0),
        ("sonneborn_berger", "a", 4 + 3 + 1),
        ("sonneborn_berger", "b", Fraction(3) + Fraction(1, 2)),
        ("sonneborn_berger", "c", 0),
        ("fewest_penalties", "a", 0),
        # a 9/9; c 3/9 with the bye; d 1/6 counts as 1/3.
        ("opponents_match_win", "b", (1 + Fraction(1, 3) + Fraction(1, 3)) / 3),
        ("game_win", "a", Fraction(1, 3)),
    ],
)
def test_the_value_is_the_one_worked_out(table, key, player, expected):
    assert value(key, table, player) == expected


def test_penalties_are_counted(table):
    assert value("fewest_penalties", table, "a", penalties={"a": 2}) == 2


@pytest.fixture
def games():
    """a beat b 2-0, a drew with c 1-1-1, b beat c 2-1."""
    sheet = Scoresheet()
    a, b, c = sheet.players("a b c")
    a.wins_games(b, 2, 0)
    a.wins_games(c, 1, 1, 1)
    b.wins_games(c, 2, 1)
    return sheet


@pytest.mark.parametrize(
    ("key", "player", "expected"),
    [
        ("game_win", "a", Fraction(3 * 3 + 1, 3 * 5)),
        ("game_win", "b", Fraction(6, 15)),
        ("game_win", "c", Fraction(7, 18)),
        ("opponents_game_win", "a", (Fraction(6, 15) + Fraction(7, 18)) / 2),
        ("wins_fewer_games", "a", 1),
        ("wins_fewer_games", "b", 0),
    ],
)
def test_games_give_shares(games, key, player, expected):
    assert value(key, games, player) == expected


@pytest.mark.parametrize("key", ["opponents_match_win", "game_win", "opponents_game_win"])
def test_a_player_without_opponents_has_the_minimum_share(key):
    sheet = Scoresheet()
    (a,) = sheet.players("a")
    a.has_a_bye()
    assert value(key, sheet, "a") == Fraction(1, 3)


def test_shares_with_the_floor_and_the_draw_of_another_publisher():
    """A floor of 1/4 and half a win for a draw: a 1 of 1, b and c 1/2 of 2, d 0 of 1."""
    sheet = Scoresheet()
    a, b, c, d = sheet.players("a b c d")
    a.beats(d)
    b.draws(c)
    b.draws(c)
    history = replace(
        sheet.history(), points=Points(floor=Fraction(1, 4), draw_share=Fraction(1, 2))
    )
    column = CRITERIA.get("opponents_match_win").column(history)
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert [column.number(one) for one in "abcd"] == [quarter, half, half, 1]
    column = CRITERIA.get("opponents_opponents_match_win").column(history)
    assert [column.number(one) for one in "abcd"] == [1, half, half, quarter]


def test_opponents_of_opponents(table):
    met = {"b": "acd"}
    shares = [value("opponents_match_win", table, one) for one in met["b"]]
    assert value("opponents_opponents_match_win", table, "b") == sum(shares) / 3


def test_points_counted_in_halves_are_shown_as_halves():
    """Chess: 1, ½ and 0."""
    document = {
        "points": {"win": 1, "draw": "1/2", "loss": 0},
        "criteria": ["points", "buchholz_cut1", "sonneborn_berger", "head_to_head"],
        "players": ["a", "b", "c"],
        "matches": [
            {"a": "a", "b": "b", "winner": "draw"},
            {"a": "a", "b": "c", "winner": "a"},
            {"a": "b", "b": "c", "winner": "draw"},
        ],
    }
    rows = ranked(document).standings.rows
    assert [(row.player, row.values["points"]) for row in rows] == [
        ("a", Fraction(3, 2)),
        ("b", 1),
        ("c", Fraction(1, 2)),
    ]
    assert rows[0].values["sonneborn_berger"] == Fraction(1, 2) + Fraction(1, 2)
    assert rows[0].values["buchholz_cut1"] == 1


def test_head_to_head_tells_points_not_their_parts():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.draws(b)
    history = replace(sheet.history(), points=Points(win=2, draw=1, loss=0, parts=2))
    split = CRITERIA.get("head_to_head").split(history, ("a", "b"))
    assert split.figures == {"a": (Fraction(1, 2),), "b": (Fraction(1, 2),)}


@pytest.mark.parametrize("worth", ["1/3", "-1/2", "1/2/2", "½", 1.5, "1000001"])
def test_points_that_are_no_halves_are_refused(worth):
    with pytest.raises(BadInput) as refused:
        ranked({"players": [], "points": {"win": worth}})
    assert refused.value.sentence.values["path"] == "points.win"


def test_a_column_maps_each_player_to_their_figure(table):
    wins = CRITERIA.get("opponents_match_win").column(table.history())
    assert len(wins) == 4
    assert dict(wins) == {player: (wins.number(player),) for player in "abcd"}
    assert Fraction(wins.by_player["b"], wins.denominator) == wins.number("b") == Fraction(5, 9)


def test_defeated_opponents_count_for_the_second_player_too(table):
    """Once more d loses to b, as the second player; a match that both lost gives nothing."""
    a, _b, c, d = (SheetPlayer(name, table) for name in "abcd")
    table.results.append(result_of_two(a="d", b="b", winner=Winner.B))
    c.and_both_lose(d)
    assert value("points", table, "b") == 7
    assert value("sonneborn_berger", table, "b") == 3 + Fraction(1, 2) + 1
    assert value("sonneborn_berger", table, a.name) == 7 + 3 + 1
    assert value("sonneborn_berger", table, "c") == 0


def test_players_are_split_by_their_figures_and_some_may_stay_level(table):
    points, against = CRITERIA.get("points"), CRITERIA.get("fewest_penalties")
    assert points.split(table.history(), "dcba").classes == (("a",), ("b",), ("c",), ("d",))
    split = against.split(table.history(penalties={"a": 2}), "abc")
    assert split.classes == (("b", "c"), ("a",)), "the fewest first"


def test_what_depends_on_who_is_level_is_no_figure_of_a_player():
    without = {criterion.key for criterion in CRITERIA if criterion.value is None}
    assert without == {"head_to_head", "head_to_head_uefa", "lots"}


def test_the_share_of_who_dropped_is_limited():
    """Won 3 of 3 and dropped: 3/4 with a cap of 3/4, for opponents and theirs; others keep all."""
    sheet = Scoresheet()
    a, b, c, d, e = sheet.players("a b c d e")
    a.beats(b)
    a.beats(c)
    a.beats(d)
    e.beats(d)
    points = Points(floor=Fraction(1, 4), dropped_cap=Fraction(3, 4))
    history = replace(sheet.history(), points=points)
    cap, whole, least = Fraction(3, 4), Fraction(1), Fraction(1, 4)
    column = CRITERIA.get("opponents_match_win").column
    opponents = {gone: column(replace(history, dropped={*gone})) for gone in ("", "a", "ab", "e")}
    assert [opponents[""].number(one) for one in "bcde"] == [whole, whole, whole, least]
    assert [opponents["a"].number(one) for one in "bcde"] == [cap, cap, Fraction(7, 8), least]
    assert opponents["ab"].number("a") == least, "a cap raises nobody"
    assert [opponents["e"].number(one) for one in "bcd"] == [whole, whole, Fraction(7, 8)]
    further = CRITERIA.get("opponents_opponents_match_win").column(replace(history, dropped="a"))
    assert further.number("a") == (cap + cap + Fraction(7, 8)) / 3
    no_cap = replace(sheet.history(), dropped="a")
    assert column(no_cap).number("b") == whole


def test_half_a_bye_is_a_draw_against_nobody():
    """Half a bye and a win: 4 points of 6; left out of shares it is no match there either."""
    history = History(
        players=("a", "b"),
        results=(
            result_of_two("a", winner=Winner.DRAW),
            result_of_two("b", winner=Winner.A),
            result_of_two("a", "b", winner=Winner.A),
        ),
    )
    column = CRITERIA.get("opponents_match_win").column
    assert CRITERIA.get("points").column(history).number("a") == 4
    assert history.records == {"a": (2, 1, 1, 0), "b": (2, 1, 0, 1)}
    assert (column(history).number("a"), column(history).number("b")) == (
        Fraction(1, 2),
        Fraction(2, 3),
    )
    left_out = replace(history, points=Points(byes_left_out=True))
    assert (column(left_out).number("a"), column(left_out).number("b")) == (Fraction(1, 3), 1)
    assert CRITERIA.get("game_win").column(replace(history, points=Points(bye_games=2))).number(
        "a"
    ) == Fraction(1, 3), "no game was won by it"
    assert CRITERIA.get("sonneborn_berger").column(history).number("a") == 3
