"""Events of tables drawn from a number, and what a set of tables costs, counted in another way."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from rules.tables.field import SeatingField, SmallTableRule, TableEntrant
from rules.tables.rounds import TableRound, pair_table_round

Tables = Sequence[Sequence[int]]


class TableEvent:
    """An event of tables: who met whom, who sat where, and points by chance."""

    def __init__(self, number: int, players: int, sizes: tuple[int, ...] = (4, 3)) -> None:
        self.source = random.Random(number)
        self.name = f"t{number}"
        self.sizes, self.usual = sizes, sizes[0]
        self.small = self.source.choice([*SmallTableRule])
        self.players = range(1, players + 1)
        self.points: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.at_small: Counter[int] = Counter()
        self.met: dict[int, Counter[int]] = defaultdict(Counter)
        self.seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.apart = {
            frozenset(self.source.sample(self.players, 2))
            for _pair in range(self.source.choice((0, 0, 1, 3)))
        }
        self.rounds = 0

    def entrants(self) -> list[TableEntrant]:
        """Return the players as a round is told of them, in an order by chance."""
        found = [
            TableEntrant(
                player=one,
                points=self.points[one],
                met=self.met[one],
                byes=self.byes[one],
                small=self.at_small[one],
                seats=tuple(self.seats[one]),
                apart=frozenset().union(*(pair for pair in self.apart if one in pair)) - {one},
            )
            for one in self.players
        ]
        self.source.shuffle(found)
        return found

    @property
    def seed(self) -> str:
        """Return the seed of the next round."""
        return f"{self.name}:{self.rounds + 1}"

    def make(self) -> TableRound:
        """Make the next round, without playing it."""
        return pair_table_round(self.entrants(), sizes=self.sizes, small=self.small, seed=self.seed)

    def play(self, made: TableRound) -> None:
        """Let somebody win at each table, or all draw."""
        self.rounds += 1
        for one in made.byes:
            self.points[one] += 5
            self.byes[one] += 1
        for table in made.tables:
            for seat, one in enumerate(table, start=1):
                self.seats[one].append((seat, len(table)))
                self.at_small[one] += len(table) < self.usual
                self.met[one].update(other for other in table if other != one)
            if self.source.random() < 0.2:
                self.points.update(dict.fromkeys(table, 1))
            else:
                self.points[self.source.choice(table)] += 5

    def cost(self, tables: Tables) -> tuple[int, int, int, int, int]:
        """Count what a set of tables costs."""
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        seated = [one for table in tables for one in table]
        at_small = [one for table in tables if len(table) < self.usual for one in table]
        held = [self.points[one] for one in seated]
        low = {
            SmallTableRule.LOW: lambda one: self.points[one] - min(held),
            SmallTableRule.HIGH: lambda one: max(held) - self.points[one],
            SmallTableRule.ANY: lambda one: 0,
        }[self.small]
        return (
            sum(self.met[a][b] for a, b in pairs),
            sum(frozenset(pair) in self.apart for pair in pairs),
            sum(self.at_small[one] for one in at_small),
            sum(map(low, at_small)),
            sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs),
        )


def all_sets(players: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every set of tables of these sizes."""
    if not sizes:
        yield []
        return
    first, *others = players
    for size in {*sizes}:
        rest = [*sizes]
        rest.remove(size)
        for company in combinations(others, size - 1):
            left = [one for one in others if one not in company]
            for more in all_sets(left, rest):
                yield [(first, *company), *more]


def bound(field: SeatingField) -> tuple[int, int, int, int, int]:
    """Return a cost that no set of tables undercuts: each number at its least by itself."""
    small = sum(size for size in field.sizes if size < field.usual)
    ordered = field.points

    @cache
    def least(at: int, left: tuple[int, ...]) -> int:
        if at == len(ordered):
            return 0
        found = []
        for size in {*left}:
            part, rest = ordered[at : at + size], [*left]
            rest.remove(size)
            own = sum((a - b) ** 2 for a, b in combinations(part, 2))
            found.append(own + least(at + size, tuple(sorted(rest))))
        return min(found)

    return (
        *(0, 0),
        sum(sorted(field.again)[:small]),
        sum(sorted(field.low)[:small]),
        least(0, tuple(sorted(field.sizes))),
    )
