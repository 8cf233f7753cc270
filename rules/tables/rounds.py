"""One round of tables: who rests, who sits together, and in which order.

Source: tables, 2 and 5.
"""

from collections.abc import Iterable, Mapping, Sequence
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
    dealt: Sequence[PlayerId] = (),
) -> TableRound:
    """Return the tables of a round, the table with the most points first.

    ``sizes`` are those of `checked_sizes`. Byes go to those with the fewest byes, then the fewest
    points, then by the seed; nobody sits where there are fewer players than the smallest size.
    ``dealt`` are all players of a first round by seed position, the best first, where positions
    decide who meets: the best is at table 1.
    """
    known = sorted(entrants, key=lambda one: (one.byes, one.points, lot_of(seed, one.player)))
    wanted = tables_of(len(known), sizes)
    resting, playing = known[: len(known) - sum(wanted)], known[len(known) - sum(wanted) :]
    field = field_of(playing, wanted, usual=sizes[0], small=small, seed=seed)
    rank = {player: at for at, player in enumerate(dealt)}
    tables = _seated_tables(field, seed, rank)
    ordered = sorted(tables, key=lambda table: _table_order_key(field, table, seed, rank))
    return TableRound(
        tables=tuple(
            tuple(one.player for one in in_seats([field.entrants[at] for at in table], seed))
            for table in ordered
        ),
        byes=tuple(one.player for one in resting),
        cost=field.cost(tables),
        proven=len(playing) <= MOST,
    )


def _seated_tables(field: Field, seed: str, rank: Mapping[PlayerId, int]) -> Sequence[Table]:
    start = _dealt_tables(field, rank) if rank else neighbours(field)
    tables = cheaper(field, start, seed)
    if len(field.points) > MOST:
        return tables
    return cheapest(field, sum(map(field.cost_of, tables))) or tables


def _dealt_tables(field: Field, rank: Mapping[PlayerId, int]) -> tuple[Table, ...]:
    """Return tables to which players are dealt in turn, the larger tables first.

    Of t tables the first has positions 1, t + 1, 2t + 1, …
    """
    sizes = sorted(field.sizes, reverse=True)
    tables: list[list[int]] = [[] for _size in sizes]
    places = (
        table
        for turn in range(max(sizes, default=0))
        for table, size in zip(tables, sizes, strict=True)
        if turn < size
    )
    by_position = sorted(
        range(len(field.entrants)), key=lambda one: rank[field.entrants[one].player]
    )
    for one, table in zip(by_position, places, strict=True):
        table.append(one)
    return tuple(map(tuple, tables))


def _table_order_key(
    field: Field, table: Table, seed: str, rank: Mapping[PlayerId, int]
) -> tuple[int, int, int, bytes]:
    held = [field.points[one] for one in table]
    players = [field.entrants[one].player for one in table]
    best = min(rank[player] for player in players) if rank else 0
    return best, -max(held), -sum(held), min(lot_of(seed, player) for player in players)
