"""Rounds of tables: sizes, points and who meets whom."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.tables.field import SeatingCost, SmallTableRule, TableEntrant, assign_seats, build_field
from rules.tables.results import (
    POINT_PRESETS,
    UNITS,
    TablePoints,
    are_valid_places,
    places_from_scores,
    places_without_winner,
    preset_points,
    validate_points,
)
from rules.tables.rounds import (
    MOST,
    cut_tables,
    first_cut_round,
    improve_tables,
    nearest_cuts,
    neighbour_tables,
    optimal_tables,
    pair_table_round,
    table_sizes,
    validate_sizes,
)
from tests.effort import examples
from tests.rules.play import table_result
from tests.rules.tables.events import TableEvent, all_sets, bound


def after(
    tables: Sequence[Sequence[int]], points: Mapping[int, int], usual: int = 4
) -> list[TableEntrant]:
    """Return the players of these tables, with points for some."""
    players = sorted({one for table in tables for one in table})
    return [
        TableEntrant(
            player=one,
            points=points.get(one, 0),
            met={
                other: sum({one, other} <= {*table} for table in tables)
                for other in players
                if other != one
            },
            small=sum(one in table and len(table) < usual for table in tables),
        )
        for one in players
    ]


def sets_of(tables: Sequence[Sequence[object]]) -> set[frozenset[object]]:
    return {frozenset(table) for table in tables}


EIGHT = [(1, 2, 3, 4), (5, 6, 7, 8)]


def test_eight_players_meet_again_in_the_second_round_as_little_as_possible() -> None:
    made = pair_table_round(after(EIGHT, {1: 5, 5: 5}), seed="a")
    assert made.cost == SeatingCost(4, 0, 0, 0, 100)
    assert made.proven
    first = next(table for table in made.tables if 1 in table)
    assert 5 in first
    assert len({*first} & {1, 2, 3, 4}) == 2


def test_eight_players_in_the_third_round() -> None:
    tables = [*EIGHT, (1, 2, 5, 6), (3, 4, 7, 8)]
    made = pair_table_round(after(tables, {1: 10, 3: 5, 5: 5}), seed="a")
    assert made.cost == SeatingCost(8, 0, 0, 0, 200)
    # Nothing tells 7 and 8 apart.
    assert sets_of(made.tables) in (
        sets_of([(1, 3, 5, 7), (2, 4, 6, 8)]),
        sets_of([(1, 3, 5, 8), (2, 4, 6, 7)]),
    )


@pytest.mark.parametrize(
    ("small", "cost", "at_small"),
    [
        (SmallTableRule.LOW, (3, 0, 1, 0, 100), {3, 4, 6}),
        (SmallTableRule.ANY, (3, 0, 1, 0, 50), {1, 2, 5}),
    ],
)
def test_seven_players_with_a_small_table(
    small: SmallTableRule, cost: tuple[int, ...], at_small: set[int]
) -> None:
    made = pair_table_round(after([(1, 2, 3, 4), (5, 6, 7)], {1: 5, 5: 5}), small=small, seed="a")
    assert made.cost == cost
    (three,) = (table for table in made.tables if len(table) == 3)
    same = [{*three}, {5 if one == 1 else 1 if one == 5 else one for one in three}]
    # Players whom nothing tells apart (2, 3, 4; 6, 7) may stand for each other.
    alike = {2: 2, 3: 2, 4: 2, 6: 6, 7: 6, 1: 1, 5: 5}
    assert sorted(alike[one] for one in at_small) in [
        sorted(alike[one] for one in table) for table in same
    ]


def test_four_winners_of_sixteen_meet() -> None:
    tables = [tuple(range(start, start + 4)) for start in (1, 5, 9, 13)]
    made = pair_table_round(after(tables, dict.fromkeys((1, 5, 9, 13), 5)), seed="a")
    assert made.cost == SeatingCost(0, 0, 0, 0, 0)
    assert made.proven
    assert {*made.tables[0]} == {1, 5, 9, 13}


def test_who_has_not_begun_begins_and_who_sat_late_sits_early() -> None:
    company = [
        TableEntrant(player="A", seats=((1, 4), (2, 4))),
        TableEntrant(player="B", seats=((4, 4), (4, 4))),
        TableEntrant(player="C", seats=((2, 4), (1, 4))),
        TableEntrant(player="D", seats=((3, 4), (3, 3))),
    ]
    orders = {"".join(str(one.player) for one in assign_seats(company, f"s{n}")) for n in range(9)}
    assert orders == {"BDAC", "BDCA"}


def test_byes_go_to_the_fewest_byes_then_the_fewest_points() -> None:
    field = [TableEntrant(player=one, points=one, byes=one < 3) for one in range(1, 10)]
    made = pair_table_round(field, sizes=(4,), seed="a")
    assert made.byes == (3,)
    assert not pair_table_round(field[:2], seed="a").tables
    assert pair_table_round([], seed="a") == ((), (), (0, 0, 0, 0, 0), True)


def test_fractions_of_points_are_counted_exactly() -> None:
    field = [TableEntrant(player=one, points=Fraction(one, 3)) for one in range(8)]
    made = pair_table_round(field, seed="a")
    assert sets_of(made.tables) == sets_of([range(4), range(4, 8)])
    assert made.cost.spread == 2 * 20


SIZES = ((4, 3), (4, 5, 3), (3, 4), (4,), (4, 3, 2), (3,), (5, 4))


@given(st.integers(0, 10**6), st.integers(3, 9), st.sampled_from(SIZES))
@examples(1)
def test_few_players_sit_at_the_cheapest_of_all_tables(
    number: int, players: int, sizes: tuple[int, ...]
) -> None:
    event = TableEvent(number, players, sizes)
    for _round in range(3):
        made = event.make()
        assert event.cost(made.tables) == made.cost
        seated = [one for table in made.tables for one in table]
        wanted = [len(table) for table in made.tables]
        assert sorted(wanted) == sorted(table_sizes(players, sizes))
        assert sorted([*seated, *made.byes]) == [*event.players]
        assert made.proven
        assert made.cost == min(map(event.cost, all_sets(seated, wanted)))
        event.play(made)


@given(st.integers(0, 10**6), st.integers(10, 70), st.sampled_from(SIZES))
@examples(0.5)
def test_the_search_lies_between_the_exact_way_and_a_start_of_neighbours(
    number: int, players: int, sizes: tuple[int, ...]
) -> None:
    event = TableEvent(number, players, sizes)
    event.play(event.make())
    event.play(event.make())
    field = build_field(
        sorted(event.entrants(), key=lambda one: str(one.player))[
            : sum(table_sizes(players, sizes))
        ],
        table_sizes(players, sizes),
        usual=sizes[0],
        small=event.small,
        seed="s",
    )
    start = neighbour_tables(field)
    found = improve_tables(field, start, "s")
    cost = field.cost(found)
    assert bound(field) <= cost <= field.cost(start)
    assert sorted(map(len, found)) == sorted(field.sizes)
    if players <= MOST:
        best = optimal_tables(field, sum(map(field.cost_of, found)))
        assert best is None or field.cost(best) < cost
        assert best is None or bound(field) <= field.cost(best)
        best = optimal_tables(field, sum(map(field.cost_of, found)) + 1)
        assert best is not None
        assert field.cost(best) <= cost


def test_the_order_in_which_players_come_changes_nothing() -> None:
    event = TableEvent(7, 26)
    event.play(event.make())
    assert event.make() == event.make() == event.make()


def test_pairs_kept_apart_sit_apart_whoever_of_the_two_says_so() -> None:
    field = [
        TableEntrant(player=one, apart=frozenset({2} if one == 1 else ())) for one in range(1, 9)
    ]
    for number in range(8):
        made = pair_table_round(field, seed=f"s{number}")
        assert made.cost.apart == 0
        assert not any({1, 2} <= {*table} for table in made.tables)


def test_hardly_anybody_of_32_meets_again_in_five_rounds() -> None:
    repeats = 0
    for number in range(2):
        event = TableEvent(number, 32)
        event.apart = set()
        for _round in range(5):
            made = event.make()
            repeats += made.cost.repeats
            event.play(made)
        begun = [sum(seat == 1 for seat, _size in event.seats[one]) for one in event.players]
        assert max(begun) - min(begun) <= 1
    assert repeats == 0


@pytest.mark.parametrize(
    ("players", "tables"),
    [
        (7, [{1, 3, 5, 7}, {2, 4, 6}]),
        (10, [{1, 4, 7, 10}, {2, 5, 8}, {3, 6, 9}]),
        (16, [{1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {4, 8, 12, 16}]),
        (20, [{at, at + 5, at + 10, at + 15} for at in range(1, 6)]),
    ],
)
def test_seed_positions_deal_the_players_of_a_first_round(
    players: int, tables: list[set[int]]
) -> None:
    """Tables, 5: of t tables the first has positions 1, t + 1, 2t + 1, 3t + 1."""
    order = range(1, players + 1)
    made = pair_table_round([TableEntrant(player=one) for one in order], seed="a", dealt=order)
    assert [{*table} for table in made.tables] == tables
    assert made.cost == SeatingCost(0, 0, 0, 0, 0)


@pytest.mark.parametrize("players", [8, 20])
def test_who_is_kept_apart_is_so_at_tables_by_seed_positions_too(players: int) -> None:
    order = range(1, players + 1)
    other = players // 4 + 1
    kept = {1: frozenset({other}), other: frozenset({1})}
    entrants = [TableEntrant(player=one, apart=kept.get(one, frozenset())) for one in order]
    made = pair_table_round(entrants, seed="a", dealt=order)
    assert made.cost == SeatingCost(0, 0, 0, 0, 0)
    assert 1 in made.tables[0]
    assert other not in made.tables[0]


def test_five_rest_in_turn_and_the_others_are_dealt() -> None:
    made = pair_table_round(
        [TableEntrant(player=one) for one in range(1, 6)], seed="a", dealt=range(1, 6)
    )
    assert {*made.tables[0], *made.byes} == {1, 2, 3, 4, 5}
    assert len(made.byes) == 1


FOURS_THREES = {
    3: [3], 5: [4], 6: [3, 3], 7: [4, 3], 8: [4, 4], 9: [3, 3, 3], 10: [4, 3, 3],
    11: [4, 4, 3], 13: [4, 3, 3, 3], 41: [4] * 8 + [3] * 3, 118: [4] * 28 + [3] * 2,
}  # fmt: skip
FOURS_FIVES_THREES = {
    3: [3], 5: [5], 6: [3, 3], 7: [4, 3], 8: [4, 4], 9: [4, 5], 10: [5, 5],
    11: [4, 4, 3], 13: [4, 4, 5], 41: [4] * 9 + [5], 118: [4] * 27 + [5] * 2,
}  # fmt: skip
THREES_FOURS = {
    3: [3], 5: [4], 6: [3, 3], 7: [3, 4], 8: [4, 4], 9: [3, 3, 3], 10: [3, 3, 4],
    11: [3, 4, 4], 13: [3, 3, 3, 4], 41: [3] * 11 + [4] * 2, 118: [3] * 38 + [4],
}  # fmt: skip
FOURS = {5: [4], 6: [4], 7: [4], 8: [4, 4], 9: [4, 4], 41: [4] * 10, 118: [4] * 29, 3: []}


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((4, 3), FOURS_THREES),
        ((4, 5, 3), FOURS_FIVES_THREES),
        ((3, 4), THREES_FOURS),
        ((4,), FOURS),
    ],
)
def test_sizes_of_the_table_in_the_rules(
    sizes: tuple[int, ...], expected: dict[int, list[int]]
) -> None:
    assert {n: [*table_sizes(n, sizes)] for n in expected} == expected


@given(
    st.integers(0, 60),
    st.sampled_from([(4, 3), (4, 5, 3), (3, 4), (4,), (4, 3, 2), (3,), (5, 4), (2, 4)]),
)
def test_no_other_tables_leave_fewer_byes_or_fewer_of_the_last_sizes(
    players: int, sizes: tuple[int, ...]
) -> None:
    def counts(left: int, some: tuple[int, ...]) -> list[tuple[int, ...]]:
        if not some:
            return [(left,)]
        return [
            (*rest, count)
            for count in range(left // some[-1] + 1)
            for rest in counts(left - count * some[-1], some[:-1])
        ]

    # Each is byes, then how many of each size; fewest byes, then fewest of the last size on.
    best = min(counts(players, sizes), key=lambda one: (one[0], *one[:1:-1]))
    made = table_sizes(players, sizes)
    assert tuple(made.count(size) for size in sizes) == best[1:]


@pytest.mark.parametrize("sizes", [(), (1,), (6,), (4, 4), (5, 2), (0, 3)])
def test_sizes_that_no_stage_has_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        validate_sizes(sizes)
    assert refused.value.code == "invalid_sizes"


def test_the_order_of_sizes_is_kept() -> None:
    assert validate_sizes([4, 5, 3]) == (4, 5, 3)


@pytest.mark.parametrize(
    ("usual", "possible", "left"),
    [
        (4, [4, 7, 10, 13, 16], 4),
        (4, [*range(19, 65, 3)], 16),
        (3, [3, 5, 7, 9], 3),
    ],
)
def test_a_step_of_a_cut_leaves_a_power_of_the_usual_size(
    usual: int, possible: list[int], left: int
) -> None:
    for players in possible:
        step = first_cut_round(players, usual)
        assert step.tables + step.byes == (1 if players == usual else left)
        assert step.tables * usual + step.byes == players


@pytest.mark.parametrize(
    ("players", "usual", "nearest"), [(8, 4, (7, 10)), (5, 4, (4, 7)), (2, 4, (4,)), (4, 3, (3, 5))]
)
def test_other_cuts_are_refused_with_the_nearest(
    players: int, usual: int, nearest: tuple[int, ...]
) -> None:
    with pytest.raises(BadInput) as refused:
        first_cut_round(players, usual)
    assert refused.value.code == "invalid_cut"
    assert nearest_cuts(players, usual) == nearest


@pytest.mark.parametrize(
    ("players", "resting", "tables"),
    [
        (10, (1, 2), ((3, 6, 7, 10), (4, 5, 8, 9))),
        (16, (), ((1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13))),
        (7, (1, 2, 3), ((4, 5, 6, 7),)),
        (4, (), ((1, 2, 3, 4),)),
    ],
)
def test_tables_of_a_cut_by_snake(
    players: int, resting: tuple[int, ...], tables: tuple[tuple[int, ...], ...]
) -> None:
    assert cut_tables(range(1, players + 1), 4) == (resting, tables)


HALF = Fraction(1, 2)


def points(preset: str, places: Sequence[int | None]) -> list[Fraction]:
    result = table_result(seats=tuple(range(len(places))), places=tuple(places))
    return [Fraction(one, UNITS) for one in preset_points(preset).of(result)]


@pytest.mark.parametrize(
    ("preset", "places", "expected"),
    [
        ("win5", (1, 3, 1, 3), [1, 0, 1, 0]),
        ("win5", (1, 2, 2, 2), [5, 0, 0, 0]),
        ("win5", (2, 2, 2, 2), [0, 0, 0, 0]),
        ("win3", (1, 1, 1, 1), [1, 1, 1, 1]),
        ("win3", (2, 1, 2), [0, 3, 0]),
        ("places", (1, 2, 2, 4), [4, 5 * HALF, 5 * HALF, 1]),
        ("places", (1, 1, 1, 1), [5 * HALF] * 4),
        ("places", (2, 2, 2, 2), [5 * HALF] * 4),
        ("places", (2, 1, 3), [3, 4, 2]),
        ("places", (1, 1, 1), [3, 3, 3]),
        # Absent: those present have the points of as many seats as are there.
        ("places", (1, None, 2, None), [4, 0, 3, 0]),
        ("win5", (None, 1, None, None), [0, 5, 0, 0]),
        ("win5", (None, None, None), [0, 0, 0]),
    ],
)
def test_points_of_places(
    preset: str, places: tuple[int | None, ...], expected: list[Fraction]
) -> None:
    assert points(preset, places) == expected


@pytest.mark.parametrize(("preset", "bye"), [("win5", 5), ("win3", 3), ("places", 4)])
def test_a_bye_and_a_missed_round(preset: str, bye: int) -> None:
    assert points(preset, (1,)) == [bye]
    assert points(preset, (2,)) == [0]


def test_shares_of_three_and_five_are_exact() -> None:
    five = TablePoints(by_place=(5, 4, 3, 2, 1))
    shared = five.of(table_result(seats=(1, 2, 3, 4, 5), places=(1, 1, 1, 4, 4)))
    assert [Fraction(one, UNITS) for one in shared] == [4, 4, 4, 3 * HALF, 3 * HALF]
    short = TablePoints(by_place=(4, 3)).of(table_result(seats=(1, 2, 3), places=(1, 2, 2)))
    assert [Fraction(one, UNITS) for one in short] == [4, 3 * HALF, 3 * HALF]


def test_what_counts_nowhere_gives_nothing() -> None:
    assert POINT_PRESETS["win5"].of(table_result(seats=(1, 2, 3))) == (0, 0, 0)


@pytest.mark.parametrize("seats", range(1, 6))
def test_places_are_those_that_some_figures_make(seats: int) -> None:
    """Every possible set of places, and no other, comes from figures; but nobody first."""
    from_figures = {places_from_scores(figures) for figures in product(range(seats), repeat=seats)}
    possible = {
        places for places in product(range(1, seats + 2), repeat=seats) if are_valid_places(places)
    }
    assert possible == from_figures | {places_without_winner(seats)}


def test_figures_of_whoever_was_absent_make_no_place() -> None:
    assert places_from_scores((10, None, 7, 10)) == (1, None, 3, 1)
    assert are_valid_places((1, None, 3, 1))
    assert not are_valid_places((1, None, 2, 1))


@pytest.mark.parametrize(
    "given", [TablePoints(by_place=(4, 3, 5)), TablePoints(first=1, drawn=2), TablePoints(other=2)]
)
def test_points_that_fall_upwards_are_refused(given: TablePoints) -> None:
    with pytest.raises(BadInput) as refused:
        validate_points(given)
    assert refused.value.code == "invalid_points"


def test_points_by_an_unknown_name_are_refused() -> None:
    with pytest.raises(BadInput) as refused:
        preset_points("win7")
    assert refused.value.code == "unknown_points"
