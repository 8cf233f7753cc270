"""One round of tables: how many of each size, who rests, who sits together, and in which order.

The search begins with tables of neighbours by points and goes down by exchanges of two players, and
kicks. What every player costs at every table is kept, so that the change by an exchange is read,
not computed. For few players the cheapest tables of all are the shortest path over sets of seated
players: the first player who is free takes each possible company. ``cut_tables`` are those of a
knock-out by tables.

Source: tables, 2, 5 (search, bound, exact) and 6 (table_cut).
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain, combinations, pairwise, product, repeat
from operator import add, itemgetter, mul, sub
from typing import NamedTuple

from rules.errors import BadInput
from rules.results import PlayerId
from rules.tables.field import (
    RandomSource,
    SeatingCost,
    SeatingField,
    SmallTableRule,
    Table,
    TableEntrant,
    assign_seats,
    build_field,
    random_key,
)

KICKS = ((24, 400), (40, 200), (64, 100))
"""Most players, and how many kicks they get; beyond that it is ``KICKS_BEYOND`` / players."""
KICKS_BEYOND = 6400
RING = 4
"""Most tables that a kick goes through; two of them are of the dearest quarter."""


class Seating:
    """A set of multiplayer tables whose players can be exchanged, with its total cost.

    It keeps what every player would cost at every table, so that the effect of an exchange is
    looked up, not computed.
    """

    def __init__(self, field: SeatingField, tables: Iterable[Table]) -> None:
        self.tables = [[*table] for table in tables]
        self.total = sum(map(field.cost_of, self.tables))
        self.exchanged: list[tuple[int, int]] = []
        self._pairs = field.pair_costs
        self._at = []
        self._table_of = [0] * len(field.points)
        for number, table in enumerate(self.tables):
            costs = [*field.small_costs] if field.is_small(table) else [0] * len(field.points)
            for player in table:
                costs = [*map(add, costs, self._pairs[player])]
                self._table_of[player] = number
            self._at.append(costs)
        self._own = [self._at[number][one] for one, number in enumerate(self._table_of)]
        self._by_table_of = itemgetter(*self._table_of)

    def cost_of(self, number: int) -> int:
        """Return what the players of a table cost there; each pair counts twice."""
        return sum(self._own[player] for player in self.tables[number])

    def best_exchange(self, player: int) -> tuple[int, int]:
        """Return the change of cost by the best exchange of a player, and with whom."""
        number = self._table_of[player]
        theirs = self._by_table_of([costs[player] for costs in self._at])
        pair = self._pairs[player]
        changes = [
            *map(sub, map(sub, map(add, self._at[number], theirs), self._own), map(add, pair, pair))
        ]
        for beside in self.tables[number]:
            changes[beside] = self._own[player]  # nothing is exchanged within a table
        least = min(changes)
        return least - self._own[player], changes.index(least)

    def exchange(self, one: int, other: int) -> None:
        """Let two players of different tables exchange their seats."""
        here, there = self._table_of[one], self._table_of[other]
        pairs = 2 * self._pairs[one][other]
        before = self._own[one] + self._own[other]
        self.total += self._at[here][other] + self._at[there][one] - pairs - before
        self.exchanged.append((one, other))
        change = [*map(sub, self._pairs[other], self._pairs[one])]
        self._at[here] = [*map(add, self._at[here], change)]
        self._at[there] = [*map(sub, self._at[there], change)]
        self._sit(here, one, other)
        self._sit(there, other, one)
        self._by_table_of = itemgetter(*self._table_of)

    def _sit(self, number: int, left: int, came: int) -> None:
        table = self.tables[number]
        table[table.index(left)] = came
        self._table_of[came] = number
        for player in table:
            self._own[player] = self._at[number][player]

    def descend(self, players: Iterable[int]) -> None:
        """Exchange each of these players, then their neighbours, while that lowers the cost."""
        waiting = deque(players)
        known = {*waiting}
        while waiting:
            player = waiting.popleft()
            known.discard(player)
            change, other = self.best_exchange(player)
            if change < 0:
                self.exchange(player, other)
                for touched in (player, other):
                    for beside in self.tables[self._table_of[touched]]:
                        if beside not in known:
                            known.add(beside)
                            waiting.append(beside)

    def back_to(self, exchanges: int) -> None:
        """Undo the latest exchanges until only the first ``exchanges`` are left."""
        for one, other in self.exchanged[: exchanges - 1 if exchanges else None : -1]:
            self.exchange(one, other)
        del self.exchanged[exchanges:]


def improve_tables(field: SeatingField, tables: Sequence[Table], seed: str) -> tuple[Table, ...]:
    """Return tables that cost at most as much as the given ones, by a local search.

    ``tables`` are players of similar points, as indexes. The search ends early at a cost that
    cannot be undercut: that of the points at small tables and of the spread.
    """
    if len(tables) < 2:
        return tuple(tables)
    seating = Seating(field, tables)
    least = _least(field, seating)
    if seating.total > least:
        seating.descend(range(len(field.points)))
    chance = RandomSource(seed)
    players = len(field.points)
    kicks = next((kicks for most, kicks in KICKS if players <= most), KICKS_BEYOND // players)
    for _kick in range(kicks):
        if seating.total <= least:
            break
        before, exchanges = seating.total, len(seating.exchanged)
        seating.descend(_kick_at(seating, chance))
        if seating.total > before:
            seating.back_to(exchanges)
    return tuple(tuple(sorted(table)) for table in seating.tables)


def _least(field: SeatingField, seating: Seating) -> int:
    """Return a cost below which no tables are: no repeats, the points and spread of neighbours."""
    cost = field.cost(seating.tables)
    return cost.low * field.unit_low + cost.spread


def _kick_at(seating: Seating, chance: RandomSource) -> list[int]:
    """Exchange a player of each of some tables around; return the players of these tables."""
    numbers = sorted(range(len(seating.tables)), key=seating.cost_of, reverse=True)
    dearest = numbers[: max(2, len(numbers) // 4)]
    chosen: list[int] = []
    for among, most in ((dearest, 2), (numbers, min(RING, len(numbers)))):
        while len(chosen) < most:
            number = among[chance.below(len(among))]
            if number not in chosen:
                chosen.append(number)
    ring = [seating.tables[number][chance.below(len(seating.tables[number]))] for number in chosen]
    for one, other in pairwise(ring):
        seating.exchange(one, other)
    return [*chain.from_iterable(seating.tables[number] for number in chosen)]


def neighbour_tables(field: SeatingField) -> tuple[Table, ...]:
    """Return tables of players with similar points (as indexes), of the least spread.

    Small tables come last (with ``high`` first, with ``any`` where the spread is least).
    """
    usual = tuple(size for size in field.sizes if size >= field.usual)
    small = tuple(size for size in field.sizes if size < field.usual)
    seats = sum(small)
    points = field.points
    match field.small:
        case SmallTableRule.LOW:
            parts = [(usual, points[: len(points) - seats]), (small, points[len(points) - seats :])]
        case SmallTableRule.HIGH:
            parts = [(small, points[:seats]), (usual, points[seats:])]
        case _:  # Small.ANY
            parts = [(field.sizes, points)]
    ordered = [*chain.from_iterable(_least_order(sizes, own) for sizes, own in parts)]
    ends = [*accumulate(ordered)]
    return tuple(tuple(range(end - size, end)) for end, size in zip(ends, ordered, strict=True))


def _least_order(sizes: Sequence[int], points: Sequence[int]) -> list[int]:
    """Return the order of the sizes with which tables of neighbours have the least spread.

    Shortest path over how many tables of each size stand already; among equals, the size that
    comes first in ``sizes`` goes first.
    """
    counts = Counter(sizes)
    kinds = [*counts]
    rest: dict[tuple[int, ...], tuple[int, int]] = {}
    for used in product(*(range(counts[kind], -1, -1) for kind in kinds)):
        at = sum(map(mul, used, kinds))
        rest[used] = min(
            (
                (
                    squared_differences(points[at : at + kind]) + rest[_one_more(used, place)][0],
                    place,
                )
                for place, kind in enumerate(kinds)
                if used[place] < counts[kind]
            ),
            default=(0, 0),
        )
    ordered, used = [], (0,) * len(kinds)
    for _table in sizes:
        place = rest[used][1]
        ordered.append(kinds[place])
        used = _one_more(used, place)
    return ordered


def _one_more(used: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*used[:place], used[place] + 1, *used[place + 1 :])


def squared_differences(points: Sequence[int]) -> int:
    """Return the sum of the squared differences of all pairs of these points."""
    return len(points) * sum(one * one for one in points) - sum(points) ** 2


MOST = 16
"""Most players for whom every set is looked at."""
State = tuple[int, tuple[int, ...]]
"""Who is seated, as bits, and how many tables of each size are left."""


def optimal_tables(field: SeatingField, known: int) -> tuple[Table, ...] | None:
    """Return the cheapest of all sets of tables if it costs less than ``known``, else None.

    The search is exhaustive, for few players only.
    """
    counts = Counter(field.sizes)
    kinds = [*counts]
    everybody = (1 << len(field.points)) - 1
    price = cache(field.cost_of)
    start: State = (0, tuple(counts.values()))
    costs: dict[State, int] = {start: 0}
    ways: dict[State, tuple[State, Table]] = {}
    layer = [start]
    for _table in field.sizes:
        following: dict[State, None] = {}
        for state in layer:
            seated, left = state
            first, *free = [one for one in range(len(field.points)) if not seated >> one & 1]
            for place, kind in enumerate(kinds):
                if not left[place]:
                    continue
                rest = (*left[:place], left[place] - 1, *left[place + 1 :])
                for company in combinations(free, kind - 1):
                    table = (first, *company)
                    cost = costs[state] + price(table)
                    after = (seated | sum(1 << one for one in table), rest)
                    if cost < min(known, costs.get(after, known)):
                        costs[after], ways[after] = cost, (state, table)
                        following[after] = None
        layer = [*following]
    end: State = (everybody, (0,) * len(kinds))
    return _tables_on_the_way_to(end, ways) if end in ways else None


def _tables_on_the_way_to(end: State, ways: dict[State, tuple[State, Table]]) -> tuple[Table, ...]:
    tables: list[Table] = []
    state = end
    while state in ways:
        state, table = ways[state]
        tables.append(table)
    return tuple(tables[::-1])


SMALLEST, LARGEST = 2, 5
MOST_APART = 2
"""Largest difference between two sizes of a stage."""
USUAL_SIZES = (4, 3)


def validate_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the table sizes of a stage if valid, the preferred first.

    Each is a number from 2 to 5, once, and no two differ by more than 2. Raises BadInput
    ``invalid_sizes``.
    """
    if not sizes:
        raise BadInput("invalid_sizes", "Enter at least one.")
    if any(size not in range(SMALLEST, LARGEST + 1) for size in sizes):
        raise BadInput(
            "invalid_sizes",
            "A table has %(smallest)s to %(largest)s players.",
            smallest=SMALLEST,
            largest=LARGEST,
        )
    if len({*sizes}) < len(sizes):
        raise BadInput("invalid_sizes", "Use each value only once.")
    if max(sizes) - min(sizes) > MOST_APART:
        raise BadInput(
            "invalid_sizes",
            "Table sizes can differ by at most %(most)s.",
            most=MOST_APART,
        )
    return tuple(sizes)


def table_sizes(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the size of each table for so many players, in the order of ``sizes``.

    Fewest byes, then fewest tables of the last size, then of the one before, and so on; players in
    excess of the sum have a bye.
    """
    for seated in range(players, 0, -1):
        counts = _tables_by_size(seated, sizes)
        if counts is not None:
            return tuple(chain.from_iterable(map(repeat, sizes, counts)))
    return ()


def _tables_by_size(players: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """Return how many tables of each size seat all players, None if none do."""
    *others, last = sizes
    if not others:
        return (players // last,) if players % last == 0 else None
    for count in range(players // last + 1):
        found = _tables_by_size(players - count * last, others)
        if found is not None:
            return (*found, count)
    return None


METHOD = 1
"""Raised where the same players may come to sit at other tables."""


class TableRound(NamedTuple):
    """A round of multiplayer tables with the players in seat order, byes, and the cost.

    ``proven``: all sets of tables were examined, and none costs less.
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    byes: tuple[PlayerId, ...]
    cost: SeatingCost
    proven: bool


def pair_table_round(
    entrants: Iterable[TableEntrant],
    *,
    sizes: Sequence[int] = USUAL_SIZES,
    small: SmallTableRule = SmallTableRule.LOW,
    seed: str,
    dealt: Sequence[PlayerId] = (),
) -> TableRound:
    """Return the multiplayer tables of a round, that with the most points first.

    ``sizes`` are those of `validate_sizes`, the preferred first; ``small``: who should sit at
    smaller tables. Byes go to those with the fewest byes, then the fewest points, then by the seed;
    all have a bye if there are fewer players than the smallest size. ``dealt`` are all players of a
    seeded first round, best first; the best is at table 1.
    """
    known = sorted(entrants, key=lambda one: (one.byes, one.points, random_key(seed, one.player)))
    wanted = table_sizes(len(known), sizes)
    resting, playing = known[: len(known) - sum(wanted)], known[len(known) - sum(wanted) :]
    field = build_field(playing, wanted, usual=sizes[0], small=small, seed=seed)
    rank = {player: at for at, player in enumerate(dealt)}
    tables = _seated_tables(field, seed, rank)
    ordered = sorted(tables, key=lambda table: _table_order_key(field, table, seed, rank))
    return TableRound(
        tables=tuple(
            tuple(one.player for one in assign_seats([field.entrants[at] for at in table], seed))
            for table in ordered
        ),
        byes=tuple(one.player for one in resting),
        cost=field.cost(tables),
        proven=len(playing) <= MOST,
    )


def _seated_tables(field: SeatingField, seed: str, rank: Mapping[PlayerId, int]) -> Sequence[Table]:
    start = _dealt_tables(field, rank) if rank else neighbour_tables(field)
    tables = improve_tables(field, start, seed)
    if len(field.points) > MOST:
        return tables
    return optimal_tables(field, sum(map(field.cost_of, tables))) or tables


def _dealt_tables(field: SeatingField, rank: Mapping[PlayerId, int]) -> tuple[Table, ...]:
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
    field: SeatingField, table: Table, seed: str, rank: Mapping[PlayerId, int]
) -> tuple[int, int, int, bytes]:
    held = [field.points[one] for one in table]
    players = [field.entrants[one].player for one in table]
    best = min(rank[player] for player in players) if rank else 0
    return best, -max(held), -sum(held), min(random_key(seed, player) for player in players)


STEPS = (3, 2, 1)
"""A step ends with as many players as tables of the usual size have, to one of these powers."""


class CutRound(NamedTuple):
    """A round of a top cut in pods: the number of full tables, and of byes for the best seeds."""

    tables: int
    byes: int


def first_cut_round(players: int, usual: int) -> CutRound:
    """Return the first round of a top cut in pods of so many players.

    ``usual`` is the size of a pod; one full pod is the final. Raises BadInput ``invalid_cut`` with
    the nearest possible numbers.
    """
    found = _step(players, usual)
    if found is None:
        raise BadInput(
            "invalid_cut",
            "A top cut of %(players)s doesn’t fill tables of %(usual)s. Possible: %(nearest)s.",
            players=players,
            usual=usual,
            nearest=nearest_cuts(players, usual),
        )
    return found


def can_cut_to_tables(players: int, usual: int) -> bool:
    """Return whether a top cut of so many players fills pods of ``usual`` size."""
    return _step(players, usual) is not None


def _step(players: int, usual: int) -> CutRound | None:
    if players == usual:
        return CutRound(tables=1, byes=0)
    left = next((usual**power for power in STEPS if usual**power < players), None)
    if left is None or players > left * usual or (players - left) % (usual - 1):
        return None
    tables = (players - left) // (usual - 1)
    return CutRound(tables=tables, byes=left - tables)


def nearest_cuts(players: int, usual: int) -> tuple[int, ...]:
    """Return the nearest possible sizes of a top cut in pods, below and above.

    As far as there are any; ``players`` itself, if possible, is that below.
    """
    most = usual ** (STEPS[0] + 1)
    below = next((one for one in range(min(players, most), 1, -1) if _step(one, usual)), None)
    above = next((one for one in range(players + 1, most + 1) if _step(one, usual)), None)
    return tuple(one for one in (below, above) if one is not None)


def cut_tables(
    seeded: Sequence[PlayerId], usual: int
) -> tuple[tuple[PlayerId, ...], tuple[tuple[PlayerId, ...], ...]]:
    """Return (players with a bye, pods of players) of a round of a top cut.

    ``seeded`` are best first. After the byes, seeds go to pods 1 … t, t … 1, and so on.
    """
    step = first_cut_round(len(seeded), usual)
    tables: tuple[list[PlayerId], ...] = tuple([] for _table in range(step.tables))
    for turn, start in enumerate(range(step.byes, len(seeded), step.tables)):
        row = seeded[start : start + step.tables]
        for table, player in zip(tables, row[::-1] if turn % 2 else row, strict=True):
            table.append(player)
    return tuple(seeded[: step.byes]), tuple(map(tuple, tables))
