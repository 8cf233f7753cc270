"""How many tables of each size: the examples of tables, 2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.tables.rounds import checked_sizes, cut_step, cut_tables, nearest_cuts, tables_of

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
    assert {n: [*tables_of(n, sizes)] for n in expected} == expected


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
    made = tables_of(players, sizes)
    assert tuple(made.count(size) for size in sizes) == best[1:]


@pytest.mark.parametrize("sizes", [(), (1,), (6,), (4, 4), (5, 2), (0, 3)])
def test_sizes_that_no_stage_has_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        checked_sizes(sizes)
    assert refused.value.code == "invalid_sizes"


def test_the_order_of_sizes_is_kept() -> None:
    assert checked_sizes([4, 5, 3]) == (4, 5, 3)


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
        step = cut_step(players, usual)
        assert step.tables + step.byes == (1 if players == usual else left)
        assert step.tables * usual + step.byes == players


@pytest.mark.parametrize(
    ("players", "usual", "nearest"), [(8, 4, (7, 10)), (5, 4, (4, 7)), (2, 4, (4,)), (4, 3, (3, 5))]
)
def test_other_cuts_are_refused_with_the_nearest(
    players: int, usual: int, nearest: tuple[int, ...]
) -> None:
    with pytest.raises(BadInput) as refused:
        cut_step(players, usual)
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
