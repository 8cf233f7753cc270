"""Search for a cheaper set of tables: descent by exchanges of two players, and kicks.

Source: tables, 5 (search). What every player costs at every table is kept, so that the change by
an exchange is read, not computed.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from operator import add, itemgetter, sub

from rules.tables.chance import Chance
from rules.tables.field import Field, Table

KICKS = ((24, 400), (40, 200), (64, 100))
"""Most players, and how many kicks they get; beyond that it is ``KICKS_BEYOND`` / players."""
KICKS_BEYOND = 6400
RING = 4
"""Most tables that a kick goes through; two of them are of the dearest quarter."""


class Seating:
    """A set of tables whose players can be exchanged, with its total cost.

    ``_at[table][player]`` is what a player costs at a table: the pairs with those who sit there,
    and the player's own cost if the table is small. ``_own`` is that of each player's own table.
    """

    def __init__(self, field: Field, tables: Iterable[Table]) -> None:
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


def cheaper(field: Field, tables: Sequence[Table], seed: str) -> tuple[Table, ...]:
    """Return tables that cost no more than these, which are neighbours by points.

    Ends when they cost what cannot be undercut: nothing but the points at small tables and the
    spread of neighbours.
    """
    if len(tables) < 2:
        return tuple(tables)
    seating = Seating(field, tables)
    least = _least(field, seating)
    if seating.total > least:
        seating.descend(range(len(field.points)))
    chance = Chance(seed)
    for _kick in range(_number_of_kicks(len(field.points))):
        if seating.total <= least:
            break
        before, exchanges = seating.total, len(seating.exchanged)
        seating.descend(_kick_at(seating, chance))
        if seating.total > before:
            seating.back_to(exchanges)
    return tuple(tuple(sorted(table)) for table in seating.tables)


def _least(field: Field, seating: Seating) -> int:
    """Return a cost below which no tables are: no repeats, the points and spread of neighbours."""
    cost = field.cost(seating.tables)
    return cost.low * field.unit_low + cost.spread


def _number_of_kicks(players: int) -> int:
    return next((kicks for most, kicks in KICKS if players <= most), KICKS_BEYOND // players)


def _kick_at(seating: Seating, chance: Chance) -> list[int]:
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
