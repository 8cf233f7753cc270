"""Shapes of brackets, single and double, the order of seeds, and how late players meet again."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.brackets import (
    MOST_PLAYERS,
    BracketPart,
    MatchSource,
    SeedSource,
    Source,
    bracket,
    bracket_order,
    deal_snake,
    double_elimination_bracket,
    knockout_rounds,
    last_round_matches,
)
from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.adviser import matches_by_round


def test_four_with_a_match_for_third_place() -> None:
    first, second, third, final = bracket(4, third_place=True)
    assert first.sources == (SeedSource(number=1), SeedSource(number=4))
    assert second.sources == (SeedSource(number=2), SeedSource(number=3))
    assert third.sources == (MatchSource(match=1, winner=False), MatchSource(match=2, winner=False))
    assert final.sources == (MatchSource(match=1), MatchSource(match=2))
    assert third.round == final.round == 2
    assert [str(match.label) for match in (first, third, final)] == [
        "Match 1",
        "Third place",
        "Match 4",
    ]


def test_two_have_only_a_final() -> None:
    (final,) = bracket(2, third_place=True)
    assert (final.round, final.distance, final.third_place) == (1, 0, False)


def test_one_has_no_match() -> None:
    assert bracket(1) == ()


def test_a_play_in_has_one_part_for_each_survivor() -> None:
    matches = bracket(16, survivors=12)
    assert knockout_rounds(16, 12) == 1
    assert [match.number for match in last_round_matches(matches)] == list(range(1, 13))
    assert matches[0].sources == (SeedSource(number=1), SeedSource(number=24))
    assert matches[11].sources == (SeedSource(number=12), SeedSource(number=13))


@pytest.mark.parametrize(("seats", "survivors", "rounds"), [(24, 12, 1), (25, 12, 2), (9, 8, 1)])
def test_rounds_of_a_play_in(seats: int, survivors: int, rounds: int) -> None:
    assert knockout_rounds(seats, survivors) == rounds
    assert len(last_round_matches(bracket(seats, survivors))) == survivors


@given(seats=st.integers(1, 70), survivors=st.sampled_from([1, 8, 12]), third=st.booleans())
def test_each_seat_and_each_winner_goes_to_one_match(
    seats: int, survivors: int, third: bool
) -> None:
    matches = bracket(seats, survivors, third)
    sources = [source for match in matches for source in match.sources]
    assert len(sources) == len(set(sources))
    assert [match.number for match in matches] == list(range(1, len(matches) + 1))
    going_on = {
        source.match for source in sources if isinstance(source, MatchSource) and source.winner
    }
    finals = {match.number for match in matches if match.distance == 0}
    assert going_on == {match.number for match in matches} - finals
    rounds = {match.number: match.round for match in matches}
    for match in matches:
        for source in match.sources:
            if isinstance(source, MatchSource):
                assert rounds[source.match] == match.round - 1


def test_a_snake_goes_there_and_back() -> None:
    assert deal_snake(range(1, 13), 3) == ((1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10))


def test_a_snake_of_eight_in_two() -> None:
    assert deal_snake(range(1, 9), 2) == ((1, 4, 5, 8), (2, 3, 6, 7))


def test_a_snake_continues_in_its_last_row() -> None:
    assert deal_snake(range(1, 11), 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))
    assert deal_snake(range(1, 12), 4) == ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5))


@pytest.mark.parametrize(
    ("seats", "survivors", "order"),
    [
        (1, 1, (1,)),
        (2, 1, (1, 2)),
        (8, 1, (1, 8, 4, 5, 2, 7, 3, 6)),
        (6, 1, (1, 8, 4, 5, 2, 7, 3, 6)),
        (6, 3, (1, 6, 2, 5, 3, 4)),
    ],
)
def test_the_order_of_slots(seats: int, survivors: int, order: tuple[int, ...]) -> None:
    assert bracket_order(seats, survivors) == order


@given(seats=st.integers(2, 64), survivors=st.sampled_from([1, 8, 12]))
def test_round_by_round_the_best_stay(seats: int, survivors: int) -> None:
    order = bracket_order(seats, survivors)
    while len(order) > survivors:
        sums = {a + b for a, b in zip(order[::2], order[1::2], strict=True)}
        assert sums == {len(order) + 1}
        order = tuple(min(pair) for pair in zip(order[::2], order[1::2], strict=True))
    assert sorted(order) == list(range(1, survivors + 1))


def earliest_rematch(upper_rounds: int) -> int:
    """Return the first lower round in which a rematch is unavoidable, whatever the crossings.

    To avoid rematches before lower round 2s - 3 (2s - 4), the losers of s - 1 (s - 2) upper
    matches on one path must be in different ones of the 2^(k - s + 1) parts that lead to it.
    """
    without = [
        lower
        for lower in range(1, 2 * upper_rounds - 1)
        for s in [lower // 2 + 2]
        if s - 2 + lower % 2 <= 2 ** (upper_rounds - s + 1)
    ]
    return max(without, default=0)


def drawn(seats: int) -> list[str]:
    """Return each match as it is drawn: number, round, part, and where its players come from."""
    return [
        f"{m.number} r{m.round} {m.part} {word(m.sources[0])}-{word(m.sources[1])}"
        for m in double_elimination_bracket(seats)
    ]


def word(source: Source) -> str:
    if isinstance(source, SeedSource):
        return str(source.number)
    return f"{'W' if source.winner else 'L'}{source.match}"


def test_two_players() -> None:
    assert drawn(2) == ["1 r1 upper 1-2", "2 r2 final W1-L1", "3 r3 again L2-W2"]
    labels = [str(match.label) for match in double_elimination_bracket(2)]
    assert labels == ["Match 1", "Grand final", "Grand final, second match"]


def test_three_players() -> None:
    """The first seed has a bye; the one loser of the first round waits for the lower final."""
    assert drawn(3) == [
        *("1 r1 upper 1-4", "2 r1 upper 2-3"),
        *("3 r2 upper W1-W2", "5 r3 lower L3-L2"),
        *("6 r4 final W3-W5", "7 r5 again L6-W6"),
    ]


def test_four_players() -> None:
    assert drawn(4) == [
        *("1 r1 upper 1-4", "2 r1 upper 2-3"),
        *("3 r2 upper W1-W2", "4 r2 lower L1-L2"),
        "5 r3 lower L3-W4",
        *("6 r4 final W3-W5", "7 r5 again L6-W6"),
    ]


def test_five_players() -> None:
    """One loses in the first round and meets the loser of the other half."""
    assert drawn(5)[4:] == [
        *("5 r2 upper W1-W2", "6 r2 upper W3-W4"),
        "9 r3 lower L6-L2",
        *("11 r4 upper W5-W6", "12 r4 lower W9-L5"),
        "13 r5 lower L11-W12",
        *("14 r6 final W11-W13", "15 r7 again L14-W14"),
    ]


def test_six_players() -> None:
    assert drawn(6)[4:] == [
        *("5 r2 upper W1-W2", "6 r2 upper W3-W4"),
        *("9 r3 lower L6-L2", "10 r3 lower L5-L4"),
        *("11 r4 upper W5-W6", "12 r4 lower W9-W10"),
        "13 r5 lower L11-W12",
        *("14 r6 final W11-W13", "15 r7 again L14-W14"),
    ]


def test_seven_players() -> None:
    assert drawn(7)[6:9] == ["8 r2 lower L3-L4", "9 r3 lower L6-L2", "10 r3 lower L5-W8"]


def test_eight_players() -> None:
    assert drawn(8) == [
        *("1 r1 upper 1-8", "2 r1 upper 4-5", "3 r1 upper 2-7", "4 r1 upper 3-6"),
        *("5 r2 upper W1-W2", "6 r2 upper W3-W4", "7 r2 lower L1-L2", "8 r2 lower L3-L4"),
        *("9 r3 lower L6-W7", "10 r3 lower L5-W8"),
        *("11 r4 upper W5-W6", "12 r4 lower W9-W10"),
        "13 r5 lower L11-W12",
        *("14 r6 final W11-W13", "15 r7 again L14-W14"),
    ]


def test_sixteen_players_cross_by_halves_and_then_go_straight_down() -> None:
    lower = [line for line in drawn(16) if "lower" in line]
    assert lower == [
        *("13 r2 lower L1-L2", "14 r2 lower L3-L4", "15 r2 lower L5-L6", "16 r2 lower L7-L8"),
        *(
            "17 r3 lower L11-W13",
            "18 r3 lower L12-W14",
            "19 r3 lower L9-W15",
            "20 r3 lower L10-W16",
        ),
        *("23 r4 lower W17-W18", "24 r4 lower W19-W20"),
        *("25 r5 lower L21-W23", "26 r5 lower L22-W24"),
        "28 r6 lower W25-W26",
        "29 r7 lower L27-W28",
    ]


@pytest.mark.parametrize("seats", [*range(2, 41), 63, 64, 65, 128, 200, 255, 256])
def test_every_size_is_sound(seats: int) -> None:
    shape = double_elimination_bracket(seats)
    rounds = {match.number: match.round for match in shape}
    assert list(rounds) == sorted(set(rounds))
    assert list(rounds.values()) == sorted(rounds.values())
    assert max(rounds.values()) == 2 * knockout_rounds(seats) + 1
    plan = FORMULAS.get("double-elimination").plan(seats).stages[0]
    assert sum(matches_by_round(plan)) == 2 * seats - 1
    assert all(matches_by_round(plan))
    used = [
        source for match in shape if match.part != BracketPart.AGAIN for source in match.sources
    ]
    assert len(used) == len(set(used))
    for match in shape:
        ends = [source for source in match.sources if isinstance(source, MatchSource)]
        assert all(rounds[source.match] < match.round for source in ends)
        if match.part is BracketPart.UPPER:
            assert all(source.winner for source in ends)


@pytest.mark.parametrize("smaller", [5, 6, 7, 9, 13, 17, 31])
def test_numbers_are_those_of_the_full_bracket(smaller: int) -> None:
    full = {
        match.number: match for match in double_elimination_bracket(2 ** knockout_rounds(smaller))
    }
    for match in double_elimination_bracket(smaller):
        same = full[match.number]
        assert (match.round, match.part, match.level) == (same.round, same.part, same.level)


def test_more_players_than_there_are_crossings_for_are_refused() -> None:
    with pytest.raises(BadInput) as refused:
        double_elimination_bracket(MOST_PLAYERS + 1)
    assert refused.value.code == "too_many_players"
    assert double_elimination_bracket(1) == ()


def first_rematch(seats: int) -> int:
    """Return the first lower round in which two can meet who can have met in the upper bracket.

    Whoever can come out of a match is followed together with the matches on the way, so that all
    results are looked at without playing them one by one.
    """
    ways: dict[tuple[int, bool], set[tuple[int, frozenset[tuple[int, bool]]]]] = {}
    last = 2 * knockout_rounds(seats)
    found = [last]
    for match in double_elimination_bracket(seats, second_final=False):
        sides = []
        for source in match.sources:
            if isinstance(source, SeedSource):
                there = {(source.number, frozenset[tuple[int, bool]]())}
                sides.append(there if source.number <= seats else set())
            else:
                sides.append(ways[source.match, source.winner])
        if match.part is BracketPart.LOWER:
            for (a, before_a), (b, before_b) in product(*sides):
                shared = {m for m, _won in before_a} & {m for m, _won in before_b}
                agree = all((m, True) in before_a or (m, True) in before_b for m in shared)
                once = all(((m, True) in before_a) != ((m, True) in before_b) for m in shared)
                if a != b and shared and agree and once:
                    found.append(match.level)
        both = bool(sides[0] and sides[1])
        everybody = sides[0] | sides[1]
        if match.part is BracketPart.UPPER and both:
            for won in (True, False):
                ways[match.number, won] = {
                    (player, before | {(match.number, won)}) for player, before in everybody
                }
        else:
            ways[match.number, True] = everybody
            ways[match.number, False] = everybody if both else set()
    return min(found)


@pytest.mark.parametrize("seats", range(2, 33))
def test_nobody_meets_again_before_it_must_be(seats: int) -> None:
    assert first_rematch(seats) >= earliest_rematch(knockout_rounds(seats))


@pytest.mark.parametrize(("rounds", "lower"), [(2, 2), (3, 3), (4, 4), (5, 5)])
def test_full_brackets_meet_the_bound(rounds: int, lower: int) -> None:
    assert earliest_rematch(rounds) == first_rematch(2**rounds) == lower


@pytest.mark.parametrize(("rounds", "lower"), [(6, 7), (7, 8), (8, 9)])
def test_the_crossings_of_large_brackets_meet_the_bound(rounds: int, lower: int) -> None:
    """Sections and parts alone, for one player at each slot would be too many to follow."""
    assert earliest_rematch(rounds) == lower == _by_sections(rounds)


def _by_sections(rounds: int) -> int:
    """Return the first lower round where a section's loser meets one from inside it."""
    shape = double_elimination_bracket(2**rounds, second_final=False)
    upper = {m.number: m for m in shape if m.part is BracketPart.UPPER}
    inside: dict[int, frozenset[int]] = {}
    for number, match in upper.items():
        ends = [source.match for source in match.sources if isinstance(source, MatchSource)]
        inside[number] = frozenset(ends).union(*(inside[end] for end in ends))
    falls: dict[int, frozenset[int]] = {}
    for match in shape:
        if match.part is not BracketPart.LOWER:
            continue
        sides = [
            falls[source.match] if source.match in falls else frozenset({source.match})
            for source in match.sources
            if isinstance(source, MatchSource)
        ]
        falls[match.number] = sides[0] | sides[1]
        if any(b in inside[a] or a in inside[b] for a, b in product(*sides)):
            return match.level
    return 0
