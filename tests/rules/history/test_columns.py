"""Results in columns: the same history and the same standings as results one by one."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.criteria import CRITERIA
from rules.history.group_history import History, ResultColumns, transposed, values_at
from rules.results import PlayerId, Result, Winner, of_two, result_of_two
from rules.standings.table import rank
from tests.rules.history.tallies import tallies_of

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
        result = result_of_two(
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
    a, b, *others = transposed(rows, width=len(ResultColumns._fields))
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
    inside = [one for one in results if {*of_two(one.seats, None)} <= {*kept, None}]
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
