"""Assignment of pairings to tables: best first, except for players with a fixed table."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from rules.results import PlayerId
from rules.stages.base import Pairing, StageState
from rules.stages.kind import is_of_tables, kind_of, shape_of
from rules.stages.swiss import entrants
from rules.stages.table_ranges import ANY_TABLE, TableRanges, too_few_tables


def by_table(state: StageState, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return the pairings of a stage's next round in the order of their tables.

    With pairing by points they are sorted by the higher points of the two players, then by their
    sum; in the last round of a bracket the final comes before the match for third place.
    """
    if is_of_tables(state.plan):
        return tuple(pairings)  # made in this order
    if kind_of(state.plan).pairs_by_points:
        points = {entrant.player: entrant.points for entrant in entrants(state)}

        def worth(pairing: Pairing) -> tuple[int, int]:
            held = [points.get(player, 0) for player in pairing.seats]
            return -max(held), -sum(held) - (held[0] if len(held) == 1 else 0)  # a bye counts twice

        return tuple(sorted(pairings, key=worth))
    if kind_of(state.plan).has_bracket:
        third = {match.number for match in shape_of(state.plan) if match.third_place}
        return tuple(sorted(pairings, key=lambda pairing: pairing.number in third))
    return tuple(pairings)


def tables_for(
    pairs: Sequence[Sequence[PlayerId]],
    fixed: Mapping[PlayerId, int],
    hall: TableRanges = ANY_TABLE,
) -> tuple[int, ...]:
    """Return the table of each pair.

    A pair with a fixed table gets it: the lower free one if both players have one. If all are
    taken, and for all other pairs, it is the next free table of the hall. Raises RuleError
    ``too_few_tables``.
    """
    taken: set[int] = set()
    at: dict[int, int] = {}
    for index, pair in enumerate(pairs):
        wanted = sorted(fixed[player] for player in pair if player in fixed)
        table = next((table for table in wanted if table not in taken), None)
        if table is not None:
            taken.add(table)
            at[index] = table
    others = [index for index in range(len(pairs)) if index not in at]
    free = (table for table in hall if table not in taken)
    at.update(zip(others, free, strict=False))
    if len(at) < len(pairs):
        raise too_few_tables(len(at), len(pairs))
    return tuple(at[index] for index in range(len(pairs)))


def tables_beside(
    pairs: Sequence[Sequence[PlayerId]],
    fixed: Mapping[PlayerId, int],
    taken: Mapping[int, Collection[PlayerId]],
    hall: TableRanges = ANY_TABLE,
) -> tuple[int, ...]:
    """Return the table of each pair that plays beside the matches of a round.

    ``taken`` are the tables of the round, each with who plays there. A pair gets a fixed table of
    its players unless others have it, else the next free table of the hall. Where the hall is full
    it plays where one of its players plays in the round, or else at any table, once that is free.
    """
    given: set[int] = set()
    found = []
    for pair in pairs:
        own = sorted(table for table, players in taken.items() if {*players} & {*pair})
        wanted = sorted({fixed[player] for player in pair if player in fixed})
        ways = chain(
            (table for table in wanted if table in own or table not in taken),
            (table for table in hall if table not in taken),
            own,
            sorted(taken),
        )
        found.append(next((table for table in ways if table not in given), own[0] if own else 1))
        given.add(found[-1])
    return tuple(found)
