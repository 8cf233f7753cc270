"""Players of one group meet late in a double elimination, above and below."""

import time
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.from_groups import keep_apart
from rules.advancement.outcome import seat
from rules.brackets import Part, Seat, bracket_order, double_bracket, first_lower_round, rounds_of
from rules.plans import DOUBLE_ELIMINATION, KNOCKOUT, GroupPlan, StagePlan
from rules.wording import Sentence
from tests.effort import examples

Ways = dict[tuple[int, bool], set[tuple[int, frozenset[tuple[int, bool]]]]]


def meetings(seats: int) -> dict[frozenset[int], int]:
    """Return for each two seats the first lower round in which they can meet as strangers.

    By following everybody through the bracket, with the upper matches on the way.
    """
    ways: Ways = {}
    found: dict[frozenset[int], int] = {}
    for match in double_bracket(seats, second_final=False):
        sides = [
            {(source.number, frozenset[tuple[int, bool]]())}
            if isinstance(source, Seat)
            else ways[source.match, source.winner]
            for source in match.sources
        ]
        if match.part is Part.LOWER:
            for (a, before_a), (b, before_b) in product(*sides):
                met = {m for m, _won in before_a} & {m for m, _won in before_b}
                if a != b and not met:
                    found.setdefault(frozenset((a, b)), match.level)
        upper = match.part is Part.UPPER
        for won in (True, False):
            ways[match.number, won] = {
                (player, before | {(match.number, won)} if upper else before)
                for player, before in sides[0] | sides[1]
            }
    return found


@pytest.mark.parametrize("rounds", [2, 3, 4, 5])
def test_when_two_can_first_meet_below_follows_from_their_slots(rounds: int) -> None:
    slots = {number: slot for slot, number in enumerate(bracket_order(2**rounds))}
    followed = meetings(2**rounds)
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
        first_lower_round(rounds_of(len(seats)), slots[one] ^ slots[other])
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
    single = keep_apart(field, origins)
    double = keep_apart(field, origins, double=True)
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
    seats = keep_apart(field, {player: player[0] for player in field}, double=True)
    assert set(upper_rounds(seats)) == {rounds_of(len(field))}
    assert lower_rounds(seats)[0] == lower
    assert seats[:groups] == field[:groups]


@given(st.integers(2, 6), st.integers(2, 5))
@examples(0.4)
def test_players_apart_above_do_not_start_below_against_their_group(groups: int, each: int) -> None:
    """Lower round 1 is between losers of neighbouring first matches: who meet above in round 2."""
    field = field_of(groups, each)
    seats = keep_apart(field, {player: player[0] for player in field}, double=True)
    slots = slots_of(seats)
    for one, other in combinations(slots, 2):
        if (slots[one] ^ slots[other]).bit_length() > 2:
            assert first_lower_round(rounds_of(len(field)), slots[one] ^ slots[other]) > 1


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
    seats = seat(stage, dict(zip(field, field, strict=True)), origins)["D"]
    assert seats == keep_apart(field, origins, double=double)
    assert keep_apart(field, origins, double=True) != keep_apart(field, origins)


def test_a_large_double_elimination_is_seated_at_once() -> None:
    field = field_of(16, 8)
    begun = time.process_time()
    keep_apart(field, {player: player[0] for player in field}, double=True)
    assert time.process_time() - begun < 5
