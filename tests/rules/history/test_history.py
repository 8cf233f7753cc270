"""What a history tells of each player, in columns too."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.criteria import CRITERIA
from rules.history.group_history import History, ResultColumns, transpose, values_at
from rules.results import (
    MatchEnding,
    PlayerId,
    Points,
    Result,
    Winner,
    two_player_result,
    two_seats,
)
from rules.standings.table import rank
from tests.rules.history.tallies import Tally, tallies_of
from tests.scoresheet import Scoresheet


def test_both_players_of_a_match_have_their_side_of_it():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.beats(b, 40, 22)
    tallies = tallies_of(sheet.history())
    assert tallies["a"] == Tally(played=1, won=1, points=3, made=40, conceded=22)
    assert tallies["b"] == Tally(played=1, lost=1, made=22, conceded=40)


def test_games_are_turned_for_the_other_player():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.wins_games(b, 2, 1, 3)
    tallies = tallies_of(sheet.history())
    assert (tallies["b"].games_won, tallies["b"].games_drawn, tallies["b"].games_played) == (
        1,
        3,
        6,
    )
    assert (tallies["a"].games_won, tallies["a"].made, tallies["b"].made) == (2, 2, 1)


def test_a_bye_brings_points_without_score_or_opponent():
    result = two_player_result(a="a", b=None, winner=Winner.A, score=(2, 0), games=(2, 0, 0))
    history = History(players=("a",), results=(result,))
    assert tallies_of(history)["a"] == Tally(played=1, won=1, points=3, games_won=2, games_played=2)
    assert history.opponents["a"] == []


def test_a_missed_round_is_a_loss_without_opponent():
    sheet = Scoresheet()
    (a,) = sheet.players("a")
    a.misses_a_round()
    assert tallies_of(sheet.history(points=Points(loss=1)))["a"] == Tally(
        played=1, lost=1, points=1
    )


def test_a_forfeit_has_an_opponent_and_no_score():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.does_not_meet(b)
    history = sheet.history()
    assert history.opponents == {"a": ["b"], "b": ["a"]}
    assert tallies_of(history)["b"] == Tally(played=1, lost=1)


def test_a_double_loss_is_lost_for_both_and_played():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.and_both_lose(b)
    lost = Tally(played=1, lost=1)
    assert tallies_of(sheet.history()) == {"a": lost, "b": lost}


def test_void_and_open_matches_count_for_nothing():
    sheet = Scoresheet()
    a, b = sheet.players("a b")
    a.is_struck_with(b)
    sheet.results.append(two_player_result(a="a", b="b"))
    history = sheet.history()
    assert tallies_of(history) == {"a": Tally(), "b": Tally()}
    assert history.meetings("a") == history.meetings("b") == ()


def test_among_keeps_the_matches_of_the_level_players_only():
    sheet = Scoresheet()
    a, b, c = sheet.players("a b c")
    a.beats(b)
    a.beats(c)
    b.has_a_bye()
    among = sheet.history().among(["a", "b"])
    assert [meeting.opponent for meeting in among["a"]] == ["b"]
    assert [meeting.opponent for meeting in among["b"]] == ["a"]


@pytest.mark.parametrize("winner", [Winner.A, Winner.VOID])
def test_a_stranger_in_the_results_is_a_mistake(winner):
    result = two_player_result(a="a", b="x", winner=winner, ended_by=MatchEnding.PLAYED)
    with pytest.raises(ValueError, match="'x'"):
        _ = History(players=("a",), results=(result,)).points_made


@pytest.mark.parametrize("stranger", [-1, -3, 1, 9, 99, "2", 2.5])
@pytest.mark.parametrize("first", [True, False])
def test_a_strange_number_in_the_results_is_a_mistake(stranger, first):
    a, b = (stranger, 2) if first else (2, stranger)
    history = History(players=(2, 3), results=(two_player_result(a=a, b=b, winner=Winner.A),))
    with pytest.raises(ValueError, match=repr(stranger)):
        _ = history.points_made


@pytest.mark.parametrize(
    "names", [(0, 1, 2), (7, 3, 5), (3, 1, 900_000), (-2, -1, 4), ("a", 1, "c")]
)
def test_players_may_be_called_anything(names):
    a, b, c = names
    results = (
        two_player_result(a=a, b=b, winner=Winner.A),
        two_player_result(a=c, b=None, winner=Winner.A),
        two_player_result(a=b, b=c, winner=Winner.DRAW),
    )
    played = History(players=names, results=results)
    assert played.points_by_player == {a: 3, b: 1, c: 4}
    without_bye = History(players=played.players, results=results[::2])
    assert without_bye.opponents == {a: [b], b: [a, c], c: [b]}
    assert without_bye.points_made == [3, 1, 1, 0]


Names = tuple[PlayerId, ...]
NUMBER = st.integers(0, 400)
NAMES = st.one_of(st.integers(0, 60), st.integers(900_000, 900_060), st.text(min_size=1))


@st.composite
def groups(draw: st.DrawFn) -> tuple[Names, list[Result]]:
    """Return players called anything, and results of all kinds, byes and open ones included."""
    names = tuple(draw(st.lists(NAMES, min_size=2, max_size=7, unique=True)))
    pairs = st.sampled_from([*permutations(names, 2), *((name, None) for name in names)])
    results = []
    for a, b in draw(st.lists(pairs, max_size=20)):
        result = two_player_result(
            a=a,
            b=b,
            winner=draw(st.sampled_from([*Winner, None])),
            score=draw(st.none() | st.tuples(NUMBER, NUMBER)),
            games=draw(st.none() | st.tuples(NUMBER, NUMBER, NUMBER)),
        )
        results.append(result)
    return names, results


def in_columns(names: Names, results: list[Result]) -> ResultColumns:
    """Return the results as the rows of a database would be read."""
    rows = [
        (
            names.index(one.seats[0]),
            len(names) if len(one.seats) == 1 else names.index(one.seats[-1]),
            one.winner,
            *(one.score or (None, 7)),
            *(one.games_won or (None, 7, 7)),
        )
        for one in results
    ]
    a, b, *others = transpose(rows, width=len(ResultColumns._fields))
    seats = range(len(names) + 1)
    return ResultColumns(values_at(seats, a), values_at(seats, b), *others)


@given(groups())
def test_every_criterion_ranks_columns_as_results(group: tuple[Names, list[Result]]) -> None:
    names, results = group
    columns = in_columns(names, results)
    for criteria in (*([criterion.key] for criterion in CRITERIA), ["points", "head_to_head"]):
        one = rank(players=names, results=results, criteria=criteria)
        other = rank(players=names, results=columns, criteria=criteria)
        told = [
            [(*row[:6], dict(row.values), row.placed_by) for row in s.rows] for s in (one, other)
        ]
        assert told[0] == told[1]
        assert (one.tied, one.steps) == (other.tied, other.steps)


@given(groups(), st.data())
def test_a_history_of_columns_is_that_of_results(
    group: tuple[Names, list[Result]], data: st.DataObject
) -> None:
    names, results = group
    one = History(players=names, results=results)
    other = History(players=names, results=in_columns(names, results))
    kept = data.draw(st.frozensets(st.sampled_from(names)))
    level = [[seat for seat, name in enumerate(names) if name in kept]]
    pairs = [(one, other), (one.among_players(kept), other.among_players(kept))]
    pairs.append((one.within(level)[0], other.within(level)[0]))
    assert one.within(level)[1] == other.within(level)[1]
    for first, second in pairs:
        assert (first.players, tallies_of(first)) == (second.players, tallies_of(second))
        assert first.opponents == second.opponents
        assert first.met == second.met
        for name in names:
            assert first.meetings(name) == second.meetings(name)


@given(groups(), st.data())
def test_a_history_among_some_has_their_matches_only(
    group: tuple[Names, list[Result]], data: st.DataObject
) -> None:
    names, results = group
    kept = data.draw(st.frozensets(st.sampled_from(names)))
    inside = [one for one in results if {*two_seats(one.seats, None)} <= {*kept, None}]
    found = History(players=names, results=results).among_players(kept)
    asked = History(players=tuple(name for name in names if name in kept), results=inside)
    assert (found.players, tallies_of(found), found.opponents) == (
        asked.players,
        tallies_of(asked),
        asked.opponents,
    )


@pytest.mark.parametrize("keys", [(), (2,), (2, 0), (1, 1, 1)])
def test_many_values_at_once(keys: tuple[int, ...]) -> None:
    assert values_at("abc", keys) == tuple("abc"[key] for key in keys)
