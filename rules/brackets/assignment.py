"""The cheapest way to give each of n things one of n places, exactly.

Written here, as no library that is there counts so far: seats of 64 players cost up to 127 bits, in
a double elimination up to 307. ``rustworkx.max_weight_matching`` has 128 bits: with the former it
returns seats that cost more, the latter it refuses. ``scipy`` has floating point. Where several
ways cost the same, stored brackets follow from the one that is taken here.
"""

from collections.abc import Sequence


def cheapest(costs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the column of each row so that the sum of costs is least.

    ``costs`` is square. The Hungarian method with potentials: rows join one by one, each by
    the cheapest chain of changes; time grows with the cube of n.
    """
    size = len(costs)
    row_potential, column_potential = [0] * (size + 1), [0] * (size + 1)
    row_of = [size] * (size + 1)  # by column; index ``size`` stands for "none" on both sides
    for row in range(size):
        row_of[size] = row
        least: list[int | None] = [None] * size
        came_from = [size] * size
        done: set[int] = set()
        column = size
        while row_of[column] != size:
            done.add(column)
            here = row_of[column]
            for other in set(range(size)) - done:
                cost = costs[here][other] - row_potential[here] - column_potential[other]
                known = least[other]
                if known is None or cost < known:
                    least[other], came_from[other] = cost, column
            step, following = min(
                (cost, other)
                for other, cost in enumerate(least)
                if cost is not None and other not in done
            )
            for visited in done:
                row_potential[row_of[visited]] += step
                column_potential[visited] -= step
            least = [
                cost - step if cost is not None and other not in done else cost
                for other, cost in enumerate(least)
            ]
            column = following
        while column != size:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    columns = {row: column for column, row in enumerate(row_of[:size])}
    return tuple(columns[row] for row in range(size))
