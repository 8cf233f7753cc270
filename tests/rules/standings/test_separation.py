"""What separates two players of a table who do not stand next to each other."""

from fractions import Fraction

import pytest

from rules.criteria.base import Column
from rules.results import Winner, result_of_two
from rules.standings.table import Separation, rank, separation, shares_apart

CRITERIA = ("points", "head_to_head", "score_for", "lots")


def result(a, b, score):
    winner = Winner.A if score[0] > score[1] else Winner.B if score[1] > score[0] else Winner.DRAW
    return result_of_two(round=1, a=a, b=b, winner=winner, score=score)


def rows(results, players=(1, 2, 3, 4)):
    return rank(players=players, results=results, criteria=CRITERIA).rows


def test_the_first_criterion_that_differs_counts_also_between_rows_far_apart():
    table = rows([result(1, 4, (5, 0)), result(2, 3, (4, 1))])
    assert [row.player for row in table] == [1, 2, 3, 4]
    assert separation(table, CRITERIA, 0, 1) == Separation("score_for", Fraction(-1))
    assert separation(table, CRITERIA, 1, 2) == Separation("points", Fraction(-3))
    assert separation(table, CRITERIA, 0, 3) == Separation("points", Fraction(-3))


def test_where_the_table_shows_no_value_the_criterion_alone_separates():
    table = rows([result(1, 4, (5, 0)), result(2, 3, (4, 1))])
    bare = [row._replace(columns={}) for row in table]
    assert separation(bare, CRITERIA, 1, 2) == Separation("points", None)


def test_a_criterion_without_a_column_has_no_difference():
    table = rows(
        [result(2, 1, (3, 1)), result(1, 3, (9, 0)), result(3, 4, (1, 0)), result(4, 2, (1, 0))],
    )
    assert table[0].rank != table[1].rank
    found = separation(table, CRITERIA, 0, 1)
    assert found is not None
    assert (found.by is None) == (found.criterion == "head_to_head")


def test_who_shares_a_rank_is_not_separated():
    table = rows([result(1, 2, (2, 2)), result(3, 4, (2, 2))])
    assert separation(table, CRITERIA, 0, 3) is None


@pytest.mark.parametrize(
    ("better", "worse", "apart"),
    [
        # 61.1 % and 60.2 % in the table; the exact shares differ by 0.97 %
        (Fraction(6113, 10_000), Fraction(6016, 10_000), Fraction(-9, 1000)),
        (Fraction(6111, 10_000), Fraction(6112, 10_000), Fraction(0)),
        (Fraction(1, 3), Fraction(2, 3), Fraction(334, 1000)),
    ],
)
def test_shares_differ_by_what_whoever_subtracts_them_finds(better, worse, apart):
    column = Column((1, 2), [int(180_000 * share) for share in (better, worse)], 180_000)
    above, below = (row._replace(columns={"share": column}) for row in rows([], players=(1, 2)))
    assert shares_apart(above, below, "share") == apart
