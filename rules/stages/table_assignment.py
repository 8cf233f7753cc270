"""Which pair plays at which table: the best first, but for those who need a certain one."""

from collections.abc import Mapping, Sequence

from rules.results import PlayerId
from rules.stages.base import Pairing, StageState
from rules.stages.kind import kind_of, shape_of
from rules.stages.swiss import entrants


def by_table(state: StageState, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return the pairings of a stage's next round in the order of their tables.

    Where rounds are paired by points the pair of whose two the better has most points comes first,
    then the one with most points together; of a last round of a bracket the final comes before the
    match for third place.
    """
    if kind_of(state.plan).pairs_by_points:
        points = {entrant.player: entrant.points for entrant in entrants(state)}

        def worth(pairing: Pairing) -> tuple[int, int]:
            both = [points.get(pairing.a, 0), points.get(pairing.b or pairing.a, 0)]
            return -max(both), -sum(both)

        return tuple(sorted(pairings, key=worth))
    if kind_of(state.plan).has_bracket:
        third = {match.number for match in shape_of(state.plan) if match.third_place}
        return tuple(sorted(pairings, key=lambda pairing: pairing.number in third))
    return tuple(pairings)


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
