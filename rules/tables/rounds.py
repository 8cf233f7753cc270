"""One round of tables: who rests, who sits together, and in which order.

Source: tables, 2 and 5.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.results import PlayerId
from rules.tables.chance import lot_of
from rules.tables.exact import MOST, cheapest
from rules.tables.field import Cost, Entrant, Field, Small, Table, field_of
from rules.tables.neighbours import neighbours
from rules.tables.search import cheaper
from rules.tables.seat_order import in_seats
from rules.tables.sizes import USUAL_SIZES, tables_of

METHOD = 1
"""Raised where the same players may come to sit at other tables."""


class TableRound(NamedTuple):
    """A round: tables with the players in the order of their seats, byes, cost, and proof.

    ``proven``: no set of tables costs less, every one was looked at.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    byes: tuple[PlayerId, ...]
    cost: Cost
    proven: bool


def make_round(
    entrants: Iterable[Entrant],
    *,
    sizes: Sequence[int] = USUAL_SIZES,
    small: Small = Small.LOW,
    seed: str,
) -> TableRound:
    """Return the tables of a round, the table with the most points first.

    ``sizes`` are those of `checked_sizes`. Byes go to those with the fewest byes, then the fewest
    points, then by the seed; nobody sits where there are fewer players than the smallest size.
    """
    known = sorted(entrants, key=lambda one: (one.byes, one.points, lot_of(seed, one.player)))
    wanted = tables_of(len(known), sizes)
    resting, playing = known[: len(known) - sum(wanted)], known[len(known) - sum(wanted) :]
    field = field_of(playing, wanted, usual=sizes[0], small=small, seed=seed)
    tables = _seated_tables(field, seed)
    by_points = sorted(tables, key=lambda table: _table_order_key(field, table, seed))
    return TableRound(
        tables=tuple(
            tuple(one.player for one in in_seats([field.entrants[at] for at in table], seed))
            for table in by_points
        ),
        byes=tuple(one.player for one in resting),
        cost=field.cost(tables),
        proven=len(playing) <= MOST,
    )


def _seated_tables(field: Field, seed: str) -> Sequence[Table]:
    tables = cheaper(field, neighbours(field), seed)
    if len(field.points) > MOST:
        return tables
    return cheapest(field, sum(map(field.cost_of, tables))) or tables


def _table_order_key(field: Field, table: Table, seed: str) -> tuple[int, int, bytes]:
    held = [field.points[one] for one in table]
    return -max(held), -sum(held), min(lot_of(seed, field.entrants[at].player) for at in table)
