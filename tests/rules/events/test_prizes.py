"""Who wins which prize: by place with shared places, by record, to the last cent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.events.prizes import (
    PrizeRow,
    PrizeTable,
    format_amount,
    parse_fee,
    prize_winners,
    read_amount,
    read_prizes,
    read_record,
)
from rules.json_reader import WrongValue
from rules.standings.table import Record


def by_place(*rows):
    """Return a table of rows (from, to, prize, value)."""
    parts = ("from", "to", "prize", "value")
    return read_prizes(
        {"by": "place", "rows": [dict(zip(parts, row, strict=True)) for row in rows]}
    )


def won(table, ranking, records=None, without=()):
    found = prize_winners(table, ranking, records or {}, without)
    return [
        (one.player, ", ".join(one.prizes), format_amount(one.cents), one.sharing) for one in found
    ]


FOUR = by_place((1, 1, "Box", "40"), (2, 2, "Playmat", "20"), (3, 4, "Booster", "4.50"))


def test_each_place_has_its_prize():
    assert won(FOUR, [(5,), (2,), (1,), (4,), (3,)]) == [
        (5, "Box", "40.00", 1),
        (2, "Playmat", "20.00", 1),
        (1, "Booster", "4.50", 1),
        (4, "Booster", "4.50", 1),
    ]


def test_who_is_tied_shares_what_the_places_are_worth():
    assert won(FOUR, [(5,), (2, 1), (4,)]) == [
        (5, "Box", "40.00", 1),
        (1, "Playmat, Booster", "12.25", 2),
        (2, "Playmat, Booster", "12.25", 2),
        (4, "Booster", "4.50", 1),
    ]


def test_of_places_with_one_prize_each_has_it_whole():
    assert won(FOUR, [(5,), (2,), (1, 4)])[2:] == [
        (1, "Booster", "4.50", 1),
        (4, "Booster", "4.50", 1),
    ]


def test_places_without_a_prize_share_in_those_that_have_one():
    assert won(by_place((1, 1, "", "10")), [(3, 1, 2)]) == [
        (1, "", "3.34", 3),
        (2, "", "3.33", 3),
        (3, "", "3.33", 3),
    ]


def test_rows_may_overlap():
    table = by_place((1, 1, "Cup", None), (1, 3, "Promo", "2"))
    assert won(table, [(1,), (2,), (3,), (4,)]) == [
        (1, "Cup, Promo", "2.00", 1),
        (2, "Promo", "2.00", 1),
        (3, "Promo", "2.00", 1),
    ]


def test_without_values_none_is_told():
    assert won(by_place((1, 2, "Cup", None)), [(1, 2)]) == [
        (1, "Cup", None, 1),
        (2, "Cup", None, 1),
    ]


def test_who_was_disqualified_wins_nothing_and_nobody_moves_up():
    ranking = [(1,), (2, 3), (4,)]
    assert won(FOUR, ranking, without={1}) == won(FOUR, ranking)[1:]
    assert won(FOUR, ranking, without={2})[1] == (3, "Playmat, Booster", "24.50", 1)


RECORDS = {1: Record(3, 0, 0), 2: Record(2, 1, 0), 3: Record(2, 0, 1), 4: Record(1, 0, 2)}


def by_record(*rows):
    parts = ("from", "to", "prize", "value")
    return read_prizes(
        {"by": "record", "rows": [dict(zip(parts, row, strict=True)) for row in rows]}
    )


def test_by_record_each_has_it_whole():
    table = by_record(("3-0", "3–0", "6 boosters", "24"), ("2-0-1", "2–1", "3 boosters", "12"))
    assert won(table, [(1,), (3, 2), (4,)], RECORDS) == [
        (1, "6 boosters", "24.00", 1),
        (3, "3 boosters", "12.00", 1),
        (2, "3 boosters", "12.00", 1),
    ]


def test_a_record_alone_is_no_other_one():
    assert [one[0] for one in won(by_record(("2–1", None, "x", "")), [(1, 2, 3)], RECORDS)] == [3]


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(1, 20), st.integers(0, 5), st.integers(0, 10_000)), max_size=6),
)
def test_no_cent_is_lost_or_made(levels, drawn):
    numbers = iter(range(1, 100))
    ranking = [tuple(next(numbers) for _seat in range(size)) for size in levels]
    rows = tuple(
        PrizeRow(first=first, last=first + more, prize="", cents=cents)
        for first, more, cents in drawn
    )
    table = PrizeTable(rows=rows)
    found = {one.player: one.cents for one in prize_winners(table, ranking, {})}
    worth = [
        sum(row.cents for row in rows if row.first <= place <= row.last)
        for place in range(1, sum(levels) + 1)
    ]
    assert sum(found.values()) == sum(worth)
    place = 0
    for level in ranking:
        shares = [found.get(player, 0) for player in level]
        assert sum(shares) == sum(worth[place : place + len(level)])
        assert max(shares) - min(shares) <= 1
        assert shares == sorted(shares, reverse=True)
        place += len(level)


@given(st.integers(0, 99_999_999))
def test_an_amount_reads_back(cents):
    assert read_amount(format_amount(cents)) == cents
    assert read_amount(format_amount(cents).replace(".", ",")) == cents


@given(
    st.sampled_from(("place", "record")),
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 500)), max_size=5),
)
def test_a_table_reads_back(by, drawn):
    rows = [
        {
            "from": first if by == "place" else f"{first}-0",
            "to": first + more if by == "place" else f"0-{more}",
            "prize": "x",
            "value": format_amount(cents),
        }
        for first, more, cents in drawn
    ]
    table = read_prizes({"by": by, "rows": rows, "available": "12", "published": True})
    assert read_prizes(table.as_json()) == table


@pytest.mark.parametrize(
    ("words", "cents"),
    [("10 €", 1000), ("€ 5,50", 550), ("gratis", None), ("10 € (soci 8)", None), ("", None)],
)
def test_a_fee_is_a_number_where_its_words_hold_just_one(words, cents):
    assert parse_fee(words) == cents


@pytest.mark.parametrize("typed", ["3-0", "3–0", "3:0", " 03 – 0 "])
def test_a_record_is_written_in_several_ways(typed):
    assert read_record(typed) == "3–0"


ROW = {"from": 1, "to": 2, "prize": "Box", "value": "5"}


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ([], ""),
        ({"by": "x"}, "by"),
        ({"rows": [ROW | {"from": 0}]}, "rows[0].from"),
        ({"rows": [ROW, ROW | {"to": 0}]}, "rows[1].to"),
        ({"rows": [ROW | {"from": 3}]}, "rows[0].to"),
        ({"rows": [ROW | {"value": "-1"}]}, "rows[0].value"),
        ({"rows": [ROW | {"value": 1.5}]}, "rows[0].value"),
        ({"rows": [ROW | {"value": "1.234"}]}, "rows[0].value"),
        ({"rows": [ROW | {"prize": " ", "value": None}]}, "rows[0].prize"),
        ({"rows": [ROW | {"prize": "x" * 121}]}, "rows[0].prize"),
        ({"rows": [ROW | {"number": 1}]}, "rows[0].number"),
        ({"by": "record", "rows": [ROW]}, "rows[0].from"),
        ({"by": "record", "rows": [ROW | {"from": "2-1", "to": "3-0"}]}, "rows[0].to"),
        ({"available": "much"}, "available"),
        ({"published": 1}, "published"),
        ({"rows": [ROW] * 51}, "rows"),
    ],
)
def test_what_is_no_table_is_refused_by_its_path(table, path):
    with pytest.raises(WrongValue) as refused:
        read_prizes(table)
    assert refused.value.path == path
