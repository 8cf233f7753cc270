"""What separates two players of a table, who need not stand next to each other."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from rules.standings.table import Standing


class Separation(NamedTuple):
    """The first criterion under which two players differ, and by how much the lower one does.

    ``by`` is the lower player's value less the better one's, None under a criterion without a
    value of its own in the table (head-to-head, lots).
    """

    criterion: str
    by: Fraction | None


def separation(
    rows: Sequence[Standing], criteria: Sequence[str], better: int, worse: int
) -> Separation | None:
    """Return what separates the rows at two positions; None if they share a rank.

    Each row proves its rank against the row above, so what separates two further apart is the
    earliest of the ``criteria`` proved between them.
    """
    between = [
        row.proof.criterion
        for above, row in zip(rows[better:worse], rows[better + 1 : worse + 1], strict=True)
        if row.proof and row.rank != above.rank
    ]
    if not between:
        return None
    order = {key: at for at, key in enumerate(criteria)}
    first = min(between, key=lambda key: order.get(key, len(order)))
    column = rows[worse].columns.get(first)
    other = rows[better].columns.get(first)
    if column is None or other is None:
        return Separation(first, None)
    return Separation(first, column.number(rows[worse].player) - other.number(rows[better].player))


def shares_apart(better: Standing, worse: Standing, criterion: str) -> Fraction:
    """Return by how much two shares differ in a table, which rounds them to a tenth of a per cent.

    So whoever subtracts what stands there finds the same. 0: they look alike there.
    """
    own, other = (floor(1000 * row.values[criterion] + Fraction(1, 2)) for row in (worse, better))
    return Fraction(own - other, 1000)
