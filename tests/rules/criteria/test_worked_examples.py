"""Worked examples of each criterion, of two and of tables; a slow count of all."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.errors import BadInput
from rules.history.group_history import History
from rules.history.table_history import TableHistory
from rules.results import MatchEnding, Points, Result, Winner, two_player_result
from rules.standings.rank_document import rank_document
from rules.standings.table import rank_history
from rules.tables.results import POINT_PRESETS, UNITS, TablePoints
from tests.rules.play import table_result
from tests.rules.tables.events import TableEvent
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
    rows = rank_document(document).standings.rows
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
        rank_document({"players": [], "points": {"win": worth}})
    assert refused.value.sentence.values["path"] == "points.win"


def test_a_column_maps_each_player_to_their_figure(table):
    wins = CRITERIA.get("opponents_match_win").column(table.history())
    assert len(wins) == 4
    assert dict(wins) == {player: (wins.number(player),) for player in "abcd"}
    assert Fraction(wins.by_player["b"], wins.denominator) == wins.number("b") == Fraction(5, 9)


def test_defeated_opponents_count_for_the_second_player_too(table):
    """Once more d loses to b, as the second player; a match that both lost gives nothing."""
    a, _b, c, d = (SheetPlayer(name, table) for name in "abcd")
    table.results.append(two_player_result(a="d", b="b", winner=Winner.B))
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
            two_player_result("a", winner=Winner.DRAW),
            two_player_result("b", winner=Winner.A),
            two_player_result("a", "b", winner=Winner.A),
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


def test_a_match_won_without_play_brings_the_games_that_the_game_says():
    results = (
        two_player_result("a", "b", winner=Winner.A, ended_by=MatchEnding.NO_SHOW),
        two_player_result("a", "c", winner=Winner.B, score=(1, 2), games=(1, 2, 0)),
        two_player_result("c", "b", winner=Winner.B, ended_by=MatchEnding.CONCESSION),
        two_player_result("a", "b", winner=Winner.NONE, ended_by=MatchEnding.NO_SHOW),
    )
    history = History(players=("a", "b", "c"), results=results)
    share = CRITERIA.get("game_win").column
    assert [share(history).number(player) for player in "abc"] == [
        Fraction(1, 3),
        Fraction(1, 3),
        Fraction(2, 3),
    ]
    counted = replace(history, points=Points(forfeit_games=2))
    # 2–0 and 1–2; 0–2 and 2–0; 2–1 and 0–2; where both were absent nobody won a game
    assert [share(counted).number(player) for player in "abc"] == [
        Fraction(3, 5),
        Fraction(1, 2),
        Fraction(2, 5),
    ]


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


FIFTH = Fraction(1, 5)


def values(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    answer = rank_document(document).standings
    return {str(row.player): dict(row.values) for row in answer.rows}


def won(number: int, winner: str, *others: str) -> dict[str, Any]:
    return {"round": number, "seats": [winner, *others], "places": [1, *(2 for _one in others)]}


SHARES = ["points", "opponents_share", "opponents_average", "own_share", "wins", "beaten", "lots"]


def test_shares_with_a_bye() -> None:
    found = values(
        {
            "players": [*"ABCDEF"],
            "criteria": SHARES,
            "usual": 4,
            "matches": [
                {"round": 1, "a": "A", "b": None},
                won(1, "B", "C", "D", "E"),
                won(2, "A", "B", "C", "F"),
            ],
        }
    )
    assert [found[one]["points"] for one in "ABCDEF"] == [10, 5, 0, 0, 0, 0]
    own = [found[one]["own_share"] for one in "ABCDEF"]
    assert own == [1, Fraction(1, 2), FIFTH, FIFTH, FIFTH, FIFTH]
    assert found["A"]["opponents_share"] == Fraction(1, 4)
    assert found["B"]["opponents_share"] == Fraction(1, 3)
    assert found["C"]["opponents_share"] == Fraction(13, 30)
    assert found["A"]["opponents_average"] == Fraction(5, 3)
    assert (found["A"]["wins"], found["A"]["beaten"]) == (2, 3)


def test_shares_of_those_met_are_at_the_floor_at_least() -> None:
    """A met B, with 6 points of three tables, and C, with none."""
    matches = [
        {"seats": ["A", "B", "C"], "places": [1, 2, 2]},
        {"seats": ["B", "d", "e"], "places": [1, 2, 2]},
        {"seats": ["B", "d", "e"], "places": [1, 1, 1]},
        *(won(3, winner, "C", "f") for winner in "de"),
    ]
    document = {"players": [*"ABCdef"], "criteria": SHARES, "usual": 4, "matches": matches}
    assert values(document)["A"]["opponents_share"] == Fraction(3, 10)


def slow_values(event: list[Result], players: range, points: TablePoints) -> dict[str, Any]:
    """Return the values of every criterion, counted player by player."""
    floor = points.floor_for(4)
    worth = {one: Fraction() for one in players}
    best = {one: Fraction() for one in players}
    met: dict[int, list[int]] = {one: [] for one in players}
    byes, wins = Counter[Any](), Counter[Any]()
    for result in event:
        for seat, one in enumerate(result.seats):
            own = Fraction(points.of(result)[seat], UNITS)
            worth[one] += own
            met[one] += [other for other in result.seats if other != one]
            first = (result.places or ())[seat] == 1
            wins[one] += first and (result.places or ()).count(1) == 1
            if len(result.seats) == 1:
                byes[one] += 1
                best[one] += points.bye if points.bye_counts else 0
            else:
                best[one] += points.by_place[0] if points.by_place else points.first
    shares = {}
    for one in players:
        made = worth[one] - (0 if points.bye_counts else byes[one] * points.bye)
        shares[one] = max(floor, made / best[one]) if best[one] else floor
    strength = {
        one: [shares[other] for other in met[one]] + [floor] * (3 * byes[one] * points.bye_adds)
        for one in players
    }
    average = {one: [worth[other] for other in met[one]] for one in players}
    return {
        "points": worth,
        "own_share": shares,
        "wins": wins,
        "opponents_share": {one: sum(of) / len(of) if of else 0 for one, of in strength.items()},
        "opponents_average": {one: sum(of) / len(of) if of else 0 for one, of in average.items()},
    }


@pytest.mark.parametrize("preset", POINT_PRESETS)
def test_values_are_those_of_a_slow_count(preset: str) -> None:
    points = POINT_PRESETS[preset]
    event = TableEvent(3, 9, (4,))
    results: list[Result] = []
    for number in range(1, 4):
        made = event.make()
        event.play(made)
        results += [table_result(seats=(one,), places=(1,), round=number) for one in made.byes]
        for table in made.tables:
            places = event.source.choice([(1, 2, 2, 2), (3, 1, 1, 3), (1, 2, 3, 4), (2, 2, 2, 2)])
            results.append(table_result(seats=table, places=places, round=number))
    history = TableHistory(players=tuple(event.players), results=tuple(results), points=points)
    standings = rank_history(history, criteria=TABLE_CRITERIA.keys())
    expected = slow_values(results, event.players, points)
    for row in standings.rows:
        for key, by_player in expected.items():
            assert row.values[key] == by_player[row.player], (key, row.player)
        assert row.played == 3


def test_more_first_places_then_more_second_ones() -> None:
    found = rank_document(
        {
            "players": [*"abcd"],
            "points": {"preset": "places"},
            "criteria": ["places_made"],
            "matches": [
                {"seats": [*"abcd"], "places": [1, 2, 3, 4]},
                {"seats": [*"abcd"], "places": [3, 1, 2, 4]},
                {"seats": [*"abcd"], "places": [4, 3, 1, 2]},
            ],
        }
    )
    # Each of a, b, c was first once; b and c second once, third once.
    assert [(row.rank, row.player) for row in found.standings.rows] == [
        *((1, "b"), (1, "c"), (3, "a"), (4, "d"))
    ]


@pytest.mark.parametrize(
    "key", ["head_to_head", "game_win", "buchholz_cut1", "opponents_points", "sonneborn_berger"]
)
def test_what_compares_two_is_refused(key: str) -> None:
    with pytest.raises(BadInput) as refused:
        rank_document(
            {"players": ["a"], "criteria": [key], "matches": [{"seats": [], "places": []}]}
        )
    assert refused.value.code in ("criterion_needs_two", "invalid_results")
    with pytest.raises(BadInput) as refused:
        rank_history(TableHistory(players=(), results=()), criteria=[key])
    assert refused.value.code == "criterion_needs_two"


def test_a_stranger_at_a_table_is_a_fault() -> None:
    history = TableHistory(players=("a",), results=(table_result(seats=("a", "b", "c")),))
    with pytest.raises(ValueError, match="'b'"):
        rank_history(history, criteria=["points"])


def test_a_history_tells_how_many_tables_were_won_drawn_and_lost() -> None:
    tables = (
        table_result(seats=(1, 2, 3), places=(1, 2, 2)),
        table_result(seats=(3, 1, 2), places=(1, 1, 3)),
        table_result(seats=(1, 2, 3)),
    )
    history = TableHistory(players=(1, 2, 3), results=tables)
    assert history.records == {1: (2, 1, 1, 0), 2: (2, 0, 0, 2), 3: (2, 0, 1, 1)}
