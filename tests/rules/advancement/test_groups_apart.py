"""Players of one group meet late in a bracket: compared with every way to seat them."""

import time
from collections import Counter
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.from_groups import minimum_cost_assignment, separate_groups
from rules.advancement.outcome import seat_players
from rules.brackets import (
    BracketPart,
    SeedSource,
    bracket_order,
    double_elimination_bracket,
    first_lower_round,
    knockout_rounds,
)
from rules.plans import DOUBLE_ELIMINATION, KNOCKOUT, GroupPlan, StagePlan
from rules.wording import Sentence
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
    seats = separate_groups(field, origin)
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
    seats = separate_groups(seeds, groups)
    assert (*seats[:2], seats[4]) == ("a1", "b1", None)


def test_players_without_a_group_keep_their_seats() -> None:
    assert separate_groups((1, 2, 3), {}) == (1, 2, 3)


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
    assert meetings(separate_groups(field, groups), groups)[0] == earliest


@given(random=st.randoms(use_true_random=False))
@examples(0.25)
def test_with_two_thirds_no_way_is_better(random: Random) -> None:
    """With each order of the two thirds the seconds have one best way, which is taken."""
    field = [f"{group}-{rank}" for rank in (0, 1) for group in random.sample(range(7), 7)]
    field += [f"{group}-2" for group in random.sample(range(7), 2)]
    groups = {player: player[0] for player in field}
    swapped = [*field[:-2], field[-1], field[-2]]
    both = [meetings(separate_groups(each, groups), groups) for each in (field, swapped)]
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
    assert separate_groups(field, {player: player[0] for player in field}) == tuple(
        expected.split()
    )


def test_the_best_of_a_group_does_not_meet_their_group_early() -> None:
    """Two of three must share a half: the second and the third, whoever sits where by seed."""
    field = ["c1", "a1", "b1", "c2", "b2", "a2", "c3", "a3"]
    seats = separate_groups(field, {player: player[0] for player in field})
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
    assert separate_groups(field, groups)[:9] == field[:9]
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


Ways = dict[tuple[int, bool], set[tuple[int, frozenset[tuple[int, bool]]]]]


def lower_meetings(seats: int) -> dict[frozenset[int], int]:
    """Return for each two seats the first lower round in which they can meet as strangers.

    By following everybody through the bracket, with the upper matches on the way.
    """
    ways: Ways = {}
    found: dict[frozenset[int], int] = {}
    for match in double_elimination_bracket(seats, second_final=False):
        sides = [
            {(source.number, frozenset[tuple[int, bool]]())}
            if isinstance(source, SeedSource)
            else ways[source.match, source.winner]
            for source in match.sources
        ]
        if match.part is BracketPart.LOWER:
            for (a, before_a), (b, before_b) in product(*sides):
                met = {m for m, _won in before_a} & {m for m, _won in before_b}
                if a != b and not met:
                    found.setdefault(frozenset((a, b)), match.level)
        upper = match.part is BracketPart.UPPER
        for won in (True, False):
            ways[match.number, won] = {
                (player, before | {(match.number, won)} if upper else before)
                for player, before in sides[0] | sides[1]
            }
    return found


@pytest.mark.parametrize("rounds", [2, 3, 4, 5])
def test_when_two_can_first_meet_below_follows_from_their_slots(rounds: int) -> None:
    slots = {number: slot for slot, number in enumerate(bracket_order(2**rounds))}
    followed = lower_meetings(2**rounds)
    for one, other in combinations(slots, 2):
        told = first_lower_round(rounds, slots[one] ^ slots[other])
        assert told == followed.get(frozenset((one, other)), 2 * rounds - 2), (one, other)


def field_of(groups: int, each: int) -> tuple[str, ...]:
    """Return the first players of each group, the winners of all groups first."""
    names = [chr(ord("A") + group) for group in range(groups)]
    return tuple(f"{name}{rank}" for rank in range(each) for name in names)


def slots_of(seats: tuple[object, ...]) -> dict[object, int]:
    order = {number: slot for slot, number in enumerate(bracket_order(len(seats)))}
    return {player: order[at] for at, player in enumerate(seats, 1) if player is not None}


def upper_rounds(seats: tuple[object, ...]) -> Counter[int]:
    """Return how often two of one group can first meet in each upper round."""
    slots = slots_of(seats)
    return Counter(
        (slots[one] ^ slots[other]).bit_length()
        for one, other in combinations(slots, 2)
        if str(one)[0] == str(other)[0]
    )


def lower_rounds(seats: tuple[object, ...]) -> list[int]:
    """Return the lower rounds in which two of one group can first meet, earliest first."""
    slots = slots_of(seats)
    return sorted(
        first_lower_round(knockout_rounds(len(seats)), slots[one] ^ slots[other])
        for one, other in combinations(slots, 2)
        if str(one)[0] == str(other)[0]
    )


@given(st.integers(2, 8), st.integers(2, 4), st.randoms(use_true_random=False))
@examples(0.6)
def test_above_they_meet_as_late_as_in_a_single_elimination(groups, each, random) -> None:
    bands = [
        random.sample([f"{chr(ord('A') + group)}{rank}" for group in range(groups)], groups)
        for rank in range(each)
    ]
    field = tuple(player for band in bands for player in band)
    origins = {player: player[0] for player in field}
    single = separate_groups(field, origins)
    double = separate_groups(field, origins, double=True)
    assert sorted(map(str, double)) == sorted(field)
    above = [sorted(upper_rounds(seats).elements()) for seats in (single, double)]
    assert above[1] >= above[0]
    if each == 2:
        assert above[1] == above[0]
        assert lower_rounds(double) >= lower_rounds(single)


@pytest.mark.parametrize(("groups", "lower"), [(4, 2), (8, 3), (16, 4), (32, 5)])
def test_seconds_do_not_come_down_to_the_firsts_of_their_groups(groups: int, lower: int) -> None:
    """Losers of round 2 cross to the other half; in a single elimination's seats, that is early."""
    field = field_of(groups, 2)
    seats = separate_groups(field, {player: player[0] for player in field}, double=True)
    assert set(upper_rounds(seats)) == {knockout_rounds(len(field))}
    assert lower_rounds(seats)[0] == lower
    assert seats[:groups] == field[:groups]


@given(st.integers(2, 6), st.integers(2, 5))
@examples(0.4)
def test_players_apart_above_do_not_start_below_against_their_group(groups: int, each: int) -> None:
    """Lower round 1 is between losers of neighbouring first matches: who meet above in round 2."""
    field = field_of(groups, each)
    seats = separate_groups(field, {player: player[0] for player in field}, double=True)
    slots = slots_of(seats)
    for one, other in combinations(slots, 2):
        if (slots[one] ^ slots[other]).bit_length() > 2:
            assert first_lower_round(knockout_rounds(len(field)), slots[one] ^ slots[other]) > 1


@pytest.mark.parametrize(("kind", "double"), [(DOUBLE_ELIMINATION, True), (KNOCKOUT, False)])
def test_a_stage_seats_by_its_kind(kind: str, double: bool) -> None:
    field = field_of(8, 2)
    stage = StagePlan(
        key="stage2",
        label=Sentence("Cup"),
        kind=kind,
        groups=(GroupPlan(name="D", seats=field),),
        apart=True,
    )
    origins = {player: player[0] for player in field}
    seats = seat_players(stage, dict(zip(field, field, strict=True)), origins)["D"]
    assert seats == separate_groups(field, origins, double=double)
    assert separate_groups(field, origins, double=True) != separate_groups(field, origins)


def test_a_large_double_elimination_is_seated_at_once() -> None:
    field = field_of(16, 8)
    begun = time.process_time()
    separate_groups(field, {player: player[0] for player in field}, double=True)
    assert time.process_time() - begun < 5
