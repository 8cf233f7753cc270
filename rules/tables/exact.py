"""The cheapest set of tables of all, for few players.

Source: tables, 5 (exact). Shortest path over sets of seated players: the first player who is free
takes each possible company.
"""

from collections import Counter
from functools import cache
from itertools import combinations

from rules.tables.field import Field, Table

MOST = 16
"""Most players for whom every set is looked at."""
State = tuple[int, tuple[int, ...]]
"""Who is seated, as bits, and how many tables of each size are left."""


def cheapest(field: Field, known: int) -> tuple[Table, ...] | None:
    """Return the cheapest tables if they cost less than ``known``, else None."""
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
