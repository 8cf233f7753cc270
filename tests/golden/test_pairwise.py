"""The selection of few cases out of many omits no trait and no pair of traits."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.pairwise import pairwise

CASES = st.lists(st.tuples(*(st.integers(0, 3) for _factor in range(4))), max_size=20)


def pairs(cases):
    """Return all traits and pairs of traits of cases of numbers."""
    named = [list(enumerate(case)) for case in cases]
    return {pair for case in named for size in (1, 2) for pair in combinations(case, size)}


@given(CASES)
def test_every_pair_that_occurs_is_chosen(cases):
    chosen = pairwise(cases, enumerate)
    assert pairs(chosen) == pairs(cases)
    assert set(chosen) <= set(cases)


def test_what_shows_nothing_new_is_left_out():
    assert pairwise([(0, 0), (0, 0), (1, 0), (1, 1)], enumerate) == ((0, 0), (1, 0), (1, 1))
