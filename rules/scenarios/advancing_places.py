"""The places of a group that advance: unconditionally, or by comparison across groups."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rules.advancement.uneven_groups import players_in, uneven_sizes
from rules.plans.places import NthAmong, RankOf
from rules.stages.base import StageState


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancingRanks:
    """The ranks that advance, by group, and for each compared rank how many of which groups.

    ``uneven`` are the compared ranks for which some matches of larger groups will be ignored;
    which ones is unknown until the groups end.
    """

    sure: Mapping[str, frozenset[int]]
    compared: Mapping[int, tuple[tuple[str, ...], int]]
    uneven: frozenset[int]

    def ranks(self, group: str) -> frozenset[int]:
        """Return the compared ranks of a group."""
        return frozenset(rank for rank, (names, _n) in self.compared.items() if group in names)


def leads_of(state: StageState, used: frozenset[str]) -> AdvancingRanks:
    """Return the ranks of each group that lead to a place in a later stage."""
    plan, sizes = state.plan, players_in(state)
    taken = [place for place in plan.places if place.name in used]
    ranks = [place for place in taken if isinstance(place, RankOf)]
    best = [place for place in taken if isinstance(place, NthAmong)]
    sure = {
        group.name: {place.rank for place in ranks if place.group == group.name}
        for group in plan.groups
    }
    groups = {place.rank: place.groups for place in best}
    counted = Counter(place.rank for place in best)
    compared = {}
    for rank, count in counted.items():
        if count >= len(groups[rank]):
            for group in groups[rank]:
                sure[group].add(rank)
        else:
            compared[rank] = (groups[rank], count)
    return AdvancingRanks(
        sure={group: frozenset(found) for group, found in sure.items()},
        compared=compared,
        uneven=frozenset(
            rank
            for rank, (names, _count) in compared.items()
            if plan.without_last and uneven_sizes(sizes, names)
        ),
    )
