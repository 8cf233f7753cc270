"""Which pair plays at which table: in order, but for those who need a certain one."""

from collections.abc import Mapping, Sequence

from rules.results import PlayerId


def tables_for(
    pairs: Sequence[tuple[PlayerId, PlayerId]], fixed: Mapping[PlayerId, int]
) -> tuple[int, ...]:
    """Return the table of each pair.

    A pair with a player who has a fixed table sits there: where both have one at the smaller
    that is free, where it is taken at the next free one. All others sit in order from table 1 on.
    """
    taken: set[int] = set()
    at: dict[int, int] = {}
    for index, pair in enumerate(pairs):
        wanted = sorted(fixed[player] for player in pair if player in fixed)
        table = next((table for table in wanted if table not in taken), None)
        if table is not None:
            taken.add(table)
            at[index] = table
    free = (table for table in range(1, len(pairs) + len(taken) + 1) if table not in taken)
    return tuple(at[index] if index in at else next(free) for index in range(len(pairs)))
