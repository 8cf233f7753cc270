"""The players of a round of tables before it was made, and what a set of tables costs them."""

from collections import Counter
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations, permutations
from math import lcm

from transcript_checks.table_results import made_at

MOST = 16
"""For so many players every set of tables is looked at."""
ABOVE = 10**18
"""More than any part of a cost: so four of them are one number, compared in their order."""


class Field:
    """Who is there before a round, with the points, byes, tables and meetings of those before."""

    def __init__(self, worth, stage, settings, played, there):
        """Take what places are worth, a stage, its settings, the tables of each round before."""
        self.sizes = settings.get("sizes", [4, 3])
        self.usual, self.small = self.sizes[0], settings.get("small", "low")
        self.seed, self.there = f"{stage['seed']}:{len(played) + 1}", set(there)
        self.points, self.byes, self.smalls = Counter(), Counter(), Counter()
        self.met, self.sat = Counter(), {}
        for table in (table for tables in played for table in tables):
            size = len(table.seats)
            for at, points in enumerate(made_at(worth, table)):
                player = table.seats[at]
                self.points[player] += points
                self.byes[player] += size == 1 and table.places == [1]
                if size > 1:
                    self.sat.setdefault(player, []).append((at + 1, size))
                    self.smalls[player] += size < self.usual
            self.met.update(frozenset(pair) for pair in combinations(table.seats, 2))

    def lot(self, player):
        """Return the sort key between players whom nothing else separates."""
        return sha256(f"{self.seed}:{player}".encode()).digest()

    def resting(self, players, count):
        """Return who rests: those with the fewest byes, then points, then by the seed."""
        key = {p: (self.byes[p], self.points[p], self.lot(p)) for p in players}
        return sorted(players, key=key.__getitem__)[:count]

    def seated(self, table):
        """Return the players of a table in the order in which they sit."""
        players = sorted(table, key=self.lot)
        size, sat = len(players), [self.sat.get(player, []) for player in players]
        late = [
            sum(Fraction(seat - 1, of - 1) for seat, of in own) / len(own)
            if own
            else Fraction(1, 2)
            for own in sat
        ]

        def cost(order):
            begun = sum(seat == 1 for seat, _of in sat[order[0]])
            early = sum((size - at) * late[one] for at, one in enumerate(order))
            had = sum(seat == at + 1 for at, one in enumerate(order) for seat, _of in sat[one])
            return begun, -early, had

        return [players[one] for one in min(permutations(range(size)), key=cost)]

    def cost(self, tables):
        """Return meetings again, small tables again, points there, and the spread of points."""
        price = self.pricing([player for table in tables for player in table])
        return parts(sum(price(tuple(table)) for table in tables))

    def pricing(self, players):
        """Return a function that gives the cost of a table of some of these players."""
        unit = lcm(*(Fraction(self.points[player]).denominator for player in players))
        points = {player: int(self.points[player] * unit) for player in players}
        low, high = min(points.values(), default=0), max(points.values(), default=0)

        def price(table):
            pairs = [*combinations(table, 2)]
            few = table if len(table) < self.usual else ()
            away = {"low": lambda p: points[p] - low, "high": lambda p: high - points[p]}
            return (
                sum(self.met[frozenset(pair)] for pair in pairs) * ABOVE**3
                + sum(self.smalls[p] for p in few) * ABOVE**2
                + sum(map(away.get(self.small, lambda _p: 0), few)) * ABOVE
                + sum((points[a] - points[b]) ** 2 for a, b in pairs)
            )

        return cache(price)

    def least(self, players, sizes):
        """Return the least cost of seating these players at tables of these sizes."""
        kinds, price = sorted(set(sizes)), self.pricing(players)

        @cache
        def best(left, counts):
            if not left:
                return 0
            first, *others = left
            return min(
                price((first, *company))
                + best(
                    tuple(one for one in others if one not in company),
                    tuple(count - (at == kind) for at, count in enumerate(counts)),
                )
                for kind, count in enumerate(counts)
                if count
                for company in combinations(others, kinds[kind] - 1)
            )

        return parts(best(tuple(players), tuple(map(sizes.count, kinds))))


def parts(number):
    """Return the four numbers of a cost."""
    return tuple(number // ABOVE**power % ABOVE for power in (3, 2, 1, 0))


def tables_of(players, sizes):
    """Return the sizes of the tables: fewest byes, then fewest of the last size, and so on."""
    for seated in range(players, 0, -1):
        counts = counts_of(seated, sizes)
        if counts is not None:
            return [
                size for size, count in zip(sizes, counts, strict=True) for _table in range(count)
            ]
    return []


def counts_of(players, sizes):
    """Return how many tables of each size seat everybody, None if none do."""
    *others, last = sizes
    if not others:
        return None if players % last else [players // last]
    for count in range(players // last + 1):
        found = counts_of(players - count * last, others)
        if found is not None:
            return [*found, count]
    return None
