"""Tables of a round made the greedy way, for comparison: one after the other, by points."""

from collections.abc import Sequence

from rules.tables.field import Field, Small, Table


def greedy_tables(field: Field) -> tuple[Table, ...]:
    """Return tables filled one after the other.

    Each begins with whoever has most points of those who are free; then comes, seat by seat, who
    meets fewest of the table again, of these who is nearest in points. The small tables are filled
    last, those for most points first.
    """
    free = list(range(len(field.points)))
    made = []
    for size in sorted(field.sizes, reverse=field.small is not Small.HIGH):
        table = [free.pop(0)]
        while len(table) < size:
            table.append(free.pop(_next_at(field, table, free)))
        made.append(tuple(table))
    return tuple(made)


def _next_at(field: Field, table: Sequence[int], free: Sequence[int]) -> int:
    """Return the position, among those who are free, of who comes to a table next."""
    apart, met = field.apart, field.met

    def cost(position: int) -> tuple[int, int, int]:
        one = free[position]
        kept = sum(one in apart[other] for other in table)
        again = sum(met[one].get(other, 0) for other in table)
        return again, kept, sum(abs(field.points[one] - field.points[other]) for other in table)

    return min(range(len(free)), key=cost)
