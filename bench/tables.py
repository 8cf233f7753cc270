"""Making a round of tables of four and three, against a plain sort and a Swiss round of two.

*Sort* is what is left of a round without its rules: players by points, cut into tables. The figures
beside the ratios say what the time is for: meetings again and squared differences of points, as a
share of those of tables made the greedy way.
"""

from collections.abc import Iterator, Sequence

from bench.timing import Figure, Ratio, compare
from rules.swiss.lineup import Entrant as Paired
from rules.swiss.rounds import pair_round
from rules.tables.field import (
    SeatingCost,
    SeatingField,
    SmallTableRule,
    Table,
    TableEntrant,
    build_field,
)
from rules.tables.rounds import pair_table_round, table_sizes
from tests.rules.tables.events import TableEvent

SIZES = (256, 1_024)
ROUNDS = 5
TURNS = 3
"""Turns of a comparison: a round of 1,024 takes long enough by itself."""


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios for round 6, and meetings again and spread against the greedy way."""
    for players in SIZES:
        event = TableEvent(players, players)
        for _round in range(ROUNDS):
            event.play(event.make())
        known = event.entrants()
        title = f"{players:,} players, round {ROUNDS + 1}"

        def ours(known: Sequence[TableEntrant] = known, event: TableEvent = event) -> object:
            return pair_table_round(known, small=event.small, seed=event.seed)

        def plain(known: Sequence[TableEntrant] = known) -> object:
            return by_points(known)

        def two(known: Sequence[Paired] = tuple(map(paired, known))) -> object:
            return pair_round(known, seed="bench")

        yield compare(f"Tables, {title} / plain sort", ours, plain, turns=TURNS)
        yield compare(f"Tables, {title} / pair_round", ours, two, turns=TURNS)
        cost = event.make().cost
        field = _field(event)
        greedy = field.cost(greedy_tables(field))
        yield Figure(f"Tables, {title}: meetings again", cost.repeats, 0)
        yield Figure(f"Tables, {title}: meetings again, greedy", greedy.repeats, None)
        yield Figure(f"Tables, {title}: spread / greedy", _share(cost, greedy), None)


def by_points(known: Sequence[TableEntrant]) -> list[Sequence[TableEntrant]]:
    """Return players by points, cut into tables."""
    ordered = sorted(known, key=lambda one: -one.points)
    tables, at = [], 0
    for size in table_sizes(len(ordered), (4, 3)):
        tables.append(ordered[at : at + size])
        at += size
    return tables


def paired(one: TableEntrant) -> Paired:
    """Return a player of tables as one of matches of two, who met the same players."""
    return Paired(player=one.player, points=int(one.points), met=frozenset(one.met), floats=0)


def greedy_tables(field: SeatingField) -> tuple[Table, ...]:
    """Return tables filled one after the other.

    Each begins with whoever has most points of those who are free; then comes, seat by seat, who
    meets fewest of the table again, of these who is nearest in points. The small tables are filled
    last, those for most points first.
    """
    free = list(range(len(field.points)))
    made = []
    for size in sorted(field.sizes, reverse=field.small is not SmallTableRule.HIGH):
        table = [free.pop(0)]
        while len(table) < size:
            table.append(free.pop(_next_at(field, table, free)))
        made.append(tuple(table))
    return tuple(made)


def _next_at(field: SeatingField, table: Sequence[int], free: Sequence[int]) -> int:
    """Return the position, among those who are free, of who comes to a table next."""
    apart, met = field.apart, field.met

    def cost(position: int) -> tuple[int, int, int]:
        one = free[position]
        kept = sum(one in apart[other] for other in table)
        again = sum(met[one].get(other, 0) for other in table)
        return again, kept, sum(abs(field.points[one] - field.points[other]) for other in table)

    return min(range(len(free)), key=cost)


def _field(event: TableEvent) -> SeatingField:
    sizes = table_sizes(len(event.players), event.sizes)
    return build_field(
        event.entrants(), sizes, usual=event.usual, small=event.small, seed=event.seed
    )


def _share(cost: SeatingCost, greedy: SeatingCost) -> float:
    return cost.spread / greedy.spread
