"""The tables that an event has in the hall."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drafts.draft import DraftMatch, let_meet
from rules.errors import BadInput, RuleError
from rules.stages.tables import (
    ANY_TABLE,
    TableRanges,
    free_tables,
    moved_tables,
    ranges_of,
    table_ranges,
    tables_beside,
    tables_for,
)


@pytest.mark.parametrize(
    ("text", "first", "size", "written"),
    [
        ("", (1, 2, 3), None, "1"),
        ("21", (21, 22, 23), None, "21"),
        ("1–2, 31-40", (1, 2, 31), 12, "1-2, 31-40"),
        ("31-40; 1 - 2", (1, 2, 31), 12, "1-2, 31-40"),
        ("7-7", (7,), 1, "7-7"),
        ("5, 9", (5, 9), 2, "5, 9"),
    ],
)
def test_tables_are_read(text: str, first: tuple[int, ...], size: int | None, written: str) -> None:
    hall = table_ranges(text)
    assert hall.first(3) == first
    assert hall.size == size
    assert str(hall) == written
    assert table_ranges(written) == hall


@pytest.mark.parametrize("text", ["0-4", "9-4", "a", "1-2-3", "1-4, 4-9", "10000", "-3", "1-"])
def test_what_names_no_tables_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        table_ranges(text)
    assert refused.value.code == "invalid_tables"


def test_more_ranges_than_a_hall_has_are_refused() -> None:
    with pytest.raises(BadInput):
        table_ranges(", ".join(str(2 * n + 1) for n in range(21)))


def test_pairs_get_the_tables_of_the_hall_beside_fixed_ones() -> None:
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    assert tables_for(pairs, {"c": 31}, table_ranges("21-22, 31")) == (21, 31, 22)
    assert tables_for(pairs, {"c": 5}, table_ranges("21-22")) == (21, 5, 22)
    assert tables_for(pairs, {}, ANY_TABLE) == (1, 2, 3)


def test_too_few_tables_are_counted() -> None:
    pairs = [(n, n + 100) for n in range(12)]
    with pytest.raises(RuleError) as refused:
        tables_for(pairs, {}, table_ranges("1-10"))
    values = refused.value.sentence.values
    assert refused.value.code == "too_few_tables"
    assert (values["tables"], values["needed"], values["missing"]) == (10, 12, 2)


def test_a_pair_made_by_hand_gets_a_table_of_the_hall() -> None:
    draft = (
        DraftMatch(number=1, seats=(1, 2), table=21),
        DraftMatch(number=2, seats=(3,)),
        DraftMatch(number=3, seats=(4,)),
    )
    made = let_meet(draft, 3, 4, hall=table_ranges("21-22")).made
    assert [match.table for match in made] == [22]
    with pytest.raises(RuleError) as refused:
        let_meet(draft, 3, 4, hall=table_ranges("21-21"))
    assert refused.value.code == "too_few_tables"


@given(st.sets(st.integers(1, 60), min_size=1))
def test_tables_are_told_as_they_are_in_the_hall(tables: set[int]) -> None:
    found = ranges_of(tables)
    assert {*found} == tables
    assert found.size == len(tables)
    assert {*table_ranges(str(found))} == tables


def test_one_table_is_no_range() -> None:
    assert ranges_of({9}).in_words == "9"
    assert ranges_of({9, 10, 11, 12, 14}).in_words == "9–12, 14"
    assert ranges_of({3, 4}).in_words == "3–4"
    assert table_ranges("9-9").in_words == "9"


@given(st.integers(1, 40), st.sets(st.integers(1, 60)))
def test_free_tables_are_the_first_row_without_a_taken_one(needed: int, taken: set[int]) -> None:
    found = free_tables(needed, taken)
    assert found.size == needed
    assert not taken & {*found}
    start = found.first(1)[0]
    assert all(taken & {*range(at, at + needed)} for at in range(1, start))


def test_beside_a_round_each_gets_a_free_table_or_one_of_its_own_players():
    pairs, taken = [["a", "b"], ["c", "d"]], {1: ["a", "c"], 2: ["b", "d"]}
    assert tables_beside(pairs, {}, taken) == (3, 4)
    assert tables_beside(pairs, {"d": 5}, taken) == (3, 5)
    assert tables_beside(pairs, {"d": 2}, taken) == (3, 2)  # where they sit themselves
    assert tables_beside(pairs, {"a": 9}, taken | {9: []}) == (3, 4)
    hall = table_ranges("1-2")
    assert tables_beside(pairs, {}, taken, hall) == (1, 2)  # after the matches there
    assert tables_beside([["e", "f"]], {}, taken, hall) == (1,)
    assert tables_beside([*pairs, ["a", "d"]], {}, taken, hall) == (1, 2, 1)


def test_fixed_tables_move_with_the_first_table_to_tables_that_are_there() -> None:
    before, after = TableRanges(((1, 10),)), TableRanges(((21, 25),))
    assert moved_tables({1: 3, 2: 8, 3: 30}, before, after) == {1: 23}
    assert moved_tables({1: 3}, before, TableRanges(((3, 12),))) == {}
    assert moved_tables({1: 3}, TableRanges(), TableRanges(((5, None),))) == {1: 7}
    assert 7 in TableRanges(((5, None),))
    assert 4 not in TableRanges(((5, None),))
