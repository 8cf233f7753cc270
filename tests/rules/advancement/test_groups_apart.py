"""Players of one group meet late in a knock-out: compared with every way to seat them."""

import time
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.from_groups import keep_apart, minimum_cost_assignment
from rules.brackets import bracket_order
from tests.effort import examples


def meetings(seats: tuple[int | str | None, ...], groups: dict[int | str, str]) -> list[int]:
    """Return the rounds in which two of one group could meet first, earliest first."""
    slot = {seat - 1: index for index, seat in enumerate(bracket_order(len(seats)))}
    where = {player: slot[index] for index, player in enumerate(seats) if player is not None}
    return sorted(
        (where[one] ^ where[other]).bit_length()
        for one, other in combinations(where, 2)
        if groups[one] == groups[other]
    )


def qualifiers(groups: int, advance: int, thirds: int) -> list[tuple[int, int]]:
    """Return (group, rank) of the field in seed order, groups in order within a rank."""
    field = [(group, rank) for rank in range(advance) for group in range(groups)]
    return field + [(group, advance) for group in range(thirds)]


@pytest.mark.parametrize(
    ("groups", "advance", "thirds"), [(2, 2, 0), (3, 2, 2), (4, 2, 0), (2, 3, 0), (2, 4, 0)]
)
@given(random=st.randoms(use_true_random=False))
@examples(0.15)
def test_no_two_of_a_group_meet_before_they_must(
    groups: int, advance: int, thirds: int, random: Random
) -> None:
    bands = [
        random.sample(range(groups), groups if rank < advance else thirds)
        for rank in range(advance + bool(thirds))
    ]
    field: list[int | str] = [
        f"{group}-{rank}" for rank, band in enumerate(bands) for group in band
    ]
    origin = {player: str(player).split("-")[0] for player in field}
    seats = keep_apart(field, origin)
    assert sorted(map(str, seats)) == sorted(map(str, field))
    start, possible = 0, []
    for band in bands:
        possible.append(list(permutations(field[start : start + len(band)])))
        start += len(band)
    fixed_winners = [possible[0][:1], *possible[1:]]
    best = max(
        meetings(tuple(player for band in choice for player in band), origin)
        for choice in product(*fixed_winners)
    )
    assert meetings(seats, origin) == best


def test_firsts_keep_their_seats_and_empty_ones_stay() -> None:
    seeds = ("a1", "b1", "b2", "a2", None)
    groups = {"a1": "A", "b1": "B", "a2": "A", "b2": "B"}
    seats = keep_apart(seeds, groups)
    assert (*seats[:2], seats[4]) == ("a1", "b1", None)


def test_players_without_a_group_keep_their_seats() -> None:
    assert keep_apart((1, 2, 3), {}) == (1, 2, 3)


@pytest.mark.parametrize(
    ("order", "earliest"),
    [
        ("30 40 50 10 20 00 60 51 21 41 01 31 61 11 42 52", 3),
        ("10 50 20 40 60 30 00 11 51 01 41 31 61 21 12 32", 3),
        ("10 30 00 20 40 50 21 01 41 11 51 31 52 12 22 02", 3),
        ("00 30 10 20 40 11 21 41 01 31 42 32 02 22 12 13", 3),
        ("20 10 00 11 30 21 31 32 01 12", 3),
        ("20 10 00 21 22 40 41 11 12 01 30", 3),
    ],
)
def test_seconds_and_thirds_are_seated_together(order: str, earliest: int) -> None:
    """A third often finds a late place only where a second moves as well: group, then rank."""
    field = order.split()
    groups = {player: player[0] for player in field}
    assert meetings(keep_apart(field, groups), groups)[0] == earliest


@given(random=st.randoms(use_true_random=False))
@examples(0.25)
def test_with_two_thirds_no_way_is_better(random: Random) -> None:
    """With each order of the two thirds the seconds have one best way, which is taken."""
    field = [f"{group}-{rank}" for rank in (0, 1) for group in random.sample(range(7), 7)]
    field += [f"{group}-2" for group in random.sample(range(7), 2)]
    groups = {player: player[0] for player in field}
    swapped = [*field[:-2], field[-1], field[-2]]
    both = [meetings(keep_apart(each, groups), groups) for each in (field, swapped)]
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        ("a1 b1 c1 a2", "a1 b1 a2 c1"),
        ("a1 b1 c1 b2", "a1 b1 c1 b2"),
        ("a1 b1 c1 d1 e1 f1 g1 a2", "a1 b1 c1 d1 e1 f1 a2 g1"),
    ],
)
def test_the_only_second_does_not_begin_against_their_own(seeds: str, expected: str) -> None:
    field = seeds.split()
    assert keep_apart(field, {player: player[0] for player in field}) == tuple(expected.split())


def test_the_best_of_a_group_does_not_meet_their_group_early() -> None:
    """Two of three must share a half: the second and the third, whoever sits where by seed."""
    field = ["c1", "a1", "b1", "c2", "b2", "a2", "c3", "a3"]
    seats = keep_apart(field, {player: player[0] for player in field})
    halves = [{seats[seat] for seat in half} for half in ((0, 3, 4, 7), (1, 2, 5, 6))]
    for best, others in (("a1", {"a2", "a3"}), ("c1", {"c2", "c3"})):
        (own,) = [half for half in halves if best in half]
        assert own.isdisjoint(others)


@pytest.mark.parametrize(("size", "others"), [(512, ()), (512, (0, 7)), (64, (40,)), (64, (9, 63))])
def test_a_field_out_of_hardly_more_than_one_group_is_seated_at_once(
    size: int, others: tuple[int, ...]
) -> None:
    """As after Swiss rounds, where nearly every exchange leaves as many meetings."""
    field = tuple(range(size))
    groups = dict.fromkeys((player for player in field if player not in others), "Swiss")
    groups |= dict.fromkeys(others, "Cup") if size < 512 else {}
    begun = time.process_time()
    assert keep_apart(field, groups)[:9] == field[:9]
    assert time.process_time() - begun < 5


@given(
    size=st.integers(1, 6),
    random=st.randoms(use_true_random=False),
    bits=st.sampled_from([0, 62, 126, 300]),
)
def test_the_assignment_is_the_cheapest(size: int, random: Random, bits: int) -> None:
    """Also where big costs differ in their last digits alone, as those of brackets do."""
    costs = [
        [(random.randrange(3) << bits) + random.randrange(10) for _ in range(size)]
        for _ in range(size)
    ]
    columns = minimum_cost_assignment(costs)
    assert sorted(columns) == list(range(size))
    total = sum(costs[row][column] for row, column in enumerate(columns))
    best = min(
        sum(costs[row][column] for row, column in enumerate(order))
        for order in permutations(range(size))
    )
    assert total == best
