"""The standings against numbers that were read off the results one by one."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rules.criteria import CRITERIA
from rules.history.group_history import History
from rules.results import Points
from rules.standings.table import rank, rank_across_groups
from tests.effort import examples
from tests.rules.criteria.test_every_criterion import CATALOGUE
from tests.rules.slow_numbers import WAYS, Season
from tests.strategies import stages

NUMERIC = sorted(
    one.key
    for one in CRITERIA
    if one.key in CATALOGUE and one.value is not None and one.key != "fewest_penalties"
)
WORTH = st.sampled_from(
    [Points(), Points(win=2, draw=1, loss=1), Points(win=1, draw=0), Points(win=0, draw=0)]
)
ORDERS = st.lists(st.sampled_from(NUMERIC), min_size=1, max_size=5, unique=True)


def test_every_number_of_the_catalogue_is_read_off_here_too():
    assert sorted(WAYS) == NUMERIC


def slow_order(season, players, criteria):
    """Return players with their numbers, best first; who is level in the order given."""
    keyed = [(tuple(season.value(key, one) for key in criteria), one) for one in players]
    return sorted(keyed, key=lambda each: each[0], reverse=True)


def assert_same(standings, ordered, criteria):
    rows = standings.rows
    assert [(tuple(row.values[key] for key in criteria), row.player) for row in rows] == ordered
    assert all(type(number) is Fraction for row in rows for number in row.values.values())
    for before, after in pairwise(rows):
        level = ordered[rows.index(before)][0] == ordered[rows.index(after)][0]
        assert (before.rank == after.rank) is level
        assert after.rank in (before.rank, rows.index(after) + 1)
    shared = {row.player for row in rows if sum(other.rank == row.rank for other in rows) > 1}
    assert {player for tied in standings.tied for player in tied} == shared


def assert_proven(standings, value, criteria):
    """Hold each proof against the numbers: who was level, and what then separated them."""
    places = {row.player: row.rank for row in standings.rows}
    for row in standings.rows:
        proof = row.proof
        if proof is None:
            assert row.placed_by is None
            assert row.rank == 1
            continue
        assert row.placed_by == proof.criterion
        assert proof.values == {one: value(proof.criterion, one) for one in proof.level}
        before = criteria[: criteria.index(proof.criterion)]
        had = {one: tuple(value(key, one) for key in before) for one in places}
        assert set(proof.level) == {one for one in places if had[one] == had[row.player]}
        assert proof.shared is (list(places.values()).count(row.rank) > 1)
        better = [one for one in proof.level if places[one] < row.rank]
        assert better
        own = proof.values[row.player]
        assert all(proof.values[one] >= own for one in better)
        assert any(proof.values[one] > own for one in better)


@examples(1.5)
@given(played=stages(), points=WORTH, criteria=ORDERS)
def test_one_group(played, points, criteria):
    season = Season(played.results, points)
    made = rank(players=played.players, results=played.results, criteria=criteria, points=points)
    assert_same(made, slow_order(season, played.players, criteria), criteria)
    assert_proven(made, season.value, criteria)


@examples(0.6)
@given(groups=st.lists(stages(), min_size=2, max_size=4), points=WORTH, criteria=ORDERS)
def test_across_groups(groups, points, criteria):
    candidates, seasons = [], {}
    for number, played in enumerate(groups):
        player = played.players[0]
        history = History(players=played.players, results=played.results, points=points)
        renamed = f"{number}:{player}"
        own = {one: renamed if one == player else f"{number}/{one}" for one in played.players}
        results = tuple(as_named(result, own) for result in history.results)
        named = History(players=tuple(own.values()), results=results, points=points)
        candidates.append((renamed, named))
        seasons[renamed] = Season(results, points)

    def value(key, player):
        return seasons[player].value(key, player)

    made = rank_across_groups(candidates=candidates, criteria=criteria)
    keyed = [(tuple(value(key, one) for key in criteria), one) for one in seasons]
    ordered = sorted(keyed, key=lambda each: each[0], reverse=True)
    assert_same(made, ordered, criteria)
    assert_proven(made, value, criteria)


def as_named(result, names):
    return replace(result, seats=tuple(names[player] for player in result.seats))
