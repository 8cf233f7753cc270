"""Draws can be recomputed by anybody."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.ties.draws import check_order, drawn_order, fingerprint, seeded_order

SPRING = (3, 4, 1, 2)
numbers = st.lists(st.integers(1, 500), unique=True, max_size=40)


def test_a_draw_is_the_order_of_the_digests() -> None:
    # for n in 1 2 3 4; do printf 'spring:%s' $n | sha256sum | sed "s/-/$n/"; done | sort
    digests = sorted((sha256(f"spring:{n}".encode()).hexdigest(), n) for n in (1, 2, 3, 4))
    assert drawn_order("spring", (1, 2, 3, 4)) == tuple(n for _digest, n in digests)
    assert drawn_order("spring", (1, 2, 3, 4)) == SPRING


def test_the_fingerprint_is_the_digest_of_the_seed() -> None:
    assert fingerprint("spring") == sha256(b"spring").hexdigest()


@given(seed=st.text(), entrants=numbers)
def test_the_order_of_entry_does_not_matter(seed: str, entrants: list[int]) -> None:
    order = drawn_order(seed, entrants)
    assert order == drawn_order(seed, sorted(entrants))
    assert sorted(order) == sorted(entrants)


@given(seed=st.text(), entrants=numbers)
def test_leaving_one_out_keeps_the_order_of_the_others(seed: str, entrants: list[int]) -> None:
    order = drawn_order(seed, entrants)
    assert drawn_order(seed, entrants[1:]) == tuple(n for n in order if n in entrants[1:])


def test_seeds_come_first_and_equal_seeds_are_drawn() -> None:
    entrants = [(1, None), (2, 2), (3, 1), (4, None), (5, 2)]
    order = seeded_order("spring", entrants)
    assert order[0] == 3
    assert order[1:3] == drawn_order("spring", (2, 5))
    assert order[3:] == drawn_order("spring", (1, 4))


def test_an_order_names_each_of_the_players_once() -> None:
    check_order([3, 1, 2], [2, 3, 1])
    for order in ([1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 3]):
        with pytest.raises(BadInput) as refused:
            check_order([3, 1, 2], order)
        assert refused.value.code == "bad_order"
        assert refused.value.sentence.values["players"] == ("1", "2", "3")
