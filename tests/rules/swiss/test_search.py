"""The search for the cheapest pairing, held against slower ways to the same answer."""

import random
from itertools import combinations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.swiss import rounds
from rules.swiss.lineup import Pair, PairingField, ScoreGroup, score_groups
from rules.swiss.rounds import MatchingTooSlowError, minimum_cost_pairing, pair_score_group

POINTS = ([0, 1, 3], [0, 3], [0, 1, 2, 3, 4, 6, 7, 9], [3])


def field_of(points: list[int], barred: set[Pair], noise: int = 1) -> PairingField:
    """Return a field; ``barred`` pairs can't meet."""
    avoid: list[set[int]] = [set() for _ in points]
    for a, b in barred:
        avoid[a].add(b)
        avoid[b].add(a)
    source = random.Random(noise)
    return PairingField(
        points=sorted(points, reverse=True),
        avoid=[frozenset(others) for others in avoid],
        floats=[source.randrange(3) for _ in points],
        noise=[source.getrandbits(32) for _ in points],
    )


@st.composite
def fields(draw: st.DrawFn, most: int = 16) -> PairingField:
    """Return fields of an even number of players, from free to hopelessly tangled."""
    size = 2 * draw(st.integers(1, most // 2))
    source = draw(st.randoms(use_true_random=False))
    points = [source.choice(draw(st.sampled_from(POINTS))) for _ in range(size)]
    pairs = list(combinations(range(size), 2))
    share = draw(st.sampled_from([0, 10, 30, 60, 90]))
    barred = {pair for pair in pairs if source.randrange(100) < share}
    return field_of(points, barred, source.randrange(1000))


def least_cost(field: PairingField) -> int | None:
    """Return the least cost by one matching of the whole field, None where there is none."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(field.points)))
    for a, b in combinations(range(len(field.points)), 2):
        if b not in field.avoid[a]:
            graph.add_edge(a, b, weight=1000 - (field.points[a] - field.points[b]) ** 2)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return field.cost(list(found)) if 2 * len(found) == len(field.points) else None


def brute_cost(field: PairingField, left: tuple[int, ...] | None = None) -> int | None:
    """Return the least cost by trying every pairing."""
    left = tuple(range(len(field.points))) if left is None else left
    if not left:
        return 0
    one, *others = left
    costs = []
    for other in others:
        if other not in field.avoid[one]:
            rest = brute_cost(field, tuple(p for p in others if p != other))
            if rest is not None:
                costs.append(rest + (field.points[one] - field.points[other]) ** 2)
    return min(costs, default=None)


def check(field: PairingField, big: list[ScoreGroup] | None, least: int | None) -> None:
    found = minimum_cost_pairing(field, big=big)
    assert (None if found is None else field.cost(found)) == least
    if found is not None:
        seated = [player for pair in found for player in pair]
        assert sorted(seated) == list(range(len(field.points)))
        assert not any(b in field.avoid[a] for a, b in found)


@given(field=fields())
def test_the_cost_is_that_of_one_matching_of_the_whole_field(field: PairingField) -> None:
    check(field, None, least_cost(field))


@given(field=fields(), data=st.data())
def test_the_cost_does_not_depend_on_where_the_field_is_cut(field: PairingField, data) -> None:
    levels = score_groups(field.points)
    least = least_cost(field)
    check(field, levels, least)
    check(field, [one for one in levels if data.draw(st.booleans())], least)


@given(field=fields(most=8))
def test_the_cost_is_the_least_of_all_pairings(field: PairingField) -> None:
    check(field, score_groups(field.points), brute_cost(field))


@given(field=fields())
def test_the_same_field_gives_the_same_pairs(field: PairingField) -> None:
    assert minimum_cost_pairing(field) == minimum_cost_pairing(field)


def test_two_neighbouring_levels_of_odd_size_are_joined_by_one_pair() -> None:
    field = field_of([3] * 5 + [0] * 5, set())
    found = minimum_cost_pairing(field)
    assert found is not None
    assert field.cost(found) == 9
    assert sum(a < 5 <= b for a, b in found) == 1


def test_previous_floaters_float_last() -> None:
    field = PairingField(
        points=[3, 3, 3, 3, 3, 0, 0, 0, 0, 0],
        avoid=[frozenset()] * 10,
        floats=[1, 1, 0, 1, 1, 1, 0, 1, 1, 1],
        noise=[*range(10)],
    )
    found = minimum_cost_pairing(field)
    assert found is not None
    assert (2, 6) in found


def test_two_barred_players_between_big_levels_float_the_same_way() -> None:
    field = field_of([9] * 6 + [4, 4] + [0] * 6, {(6, 7)})
    found = minimum_cost_pairing(field)
    assert found is not None
    assert field.cost(found) == 2 * 4**2  # down by four each; up would be five


def test_too_many_at_once_are_refused_where_a_limit_is_given() -> None:
    barred = {(a, b) for a, b in combinations(range(6), 2)} | {(0, 6)}
    with pytest.raises(MatchingTooSlowError):
        minimum_cost_pairing(field_of([0] * 12, barred), most=11)
    assert minimum_cost_pairing(field_of([0] * 12, barred), most=12) is not None


def test_a_level_with_as_many_floaters_as_members_sends_nobody_on() -> None:
    field = field_of([3, 3, 0, 0], set())
    level = ScoreGroup(0, 2, 4)
    assert pair_score_group(level, [0, 1], field, sends=True) is None
    paired = pair_score_group(level, [0], field, sends=True)
    assert paired is not None
    ((floater, partner),), sent = paired
    assert (floater, {partner, sent}) == (0, {2, 3})


def test_a_pairing_that_costs_more_than_its_segments_is_never_returned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        rounds, "pair_score_group", lambda *_given, **_named: ([(0, 2), (1, 3)], None)
    )
    field = field_of([3, 3, 0, 0], set())
    with pytest.raises(AssertionError, match="what its segments do"):
        minimum_cost_pairing(field, big=[ScoreGroup(3, 0, 2)])
