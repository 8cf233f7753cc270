"""Prospects of all players in a stage with a table."""

from collections.abc import Iterable, Mapping, Sequence

from rules.results import PlayerId, Points
from rules.scenarios.advancing_places import leads_of
from rules.scenarios.at_tables import table_prospects
from rules.scenarios.bounds import BoundedGroup, Prospects
from rules.scenarios.enumeration import EnumeratedGroup
from rules.scenarios.levels import QUICK, leading_criteria
from rules.scenarios.remaining import MOST_RANKED, MOST_WAYS, Remaining, remaining_of
from rules.scenarios.settled import settled_of
from rules.scenarios.verdicts import Prospect, Verdict
from rules.stages.base import StageState
from rules.stages.kind import is_of_tables, kind_of
from rules.ties.decisions import Lots, Penalties


def prospects(
    state: StageState,
    *,
    criteria: Sequence[str],
    points: Points,
    used: frozenset[str],
    most: int = MOST_WAYS,
    highest: int | None = None,
    lots: Lots = (),
    penalties: Penalties | None = None,
) -> Mapping[PlayerId, Prospect]:
    """Return the prospects of all players in a stage of groups or Swiss rounds who have not left.

    Groups with more than ``most`` outcomes are evaluated by points only, and so are tables of three
    and more. ``highest`` is the maximum score of a match, None if unlimited. A group without open
    matches is decided by its standings; ``lots`` are all recorded draws, as for
    :func:`rules.advancement.outcome.outcome`, and ``penalties`` those given so far.
    """
    if not kind_of(state.plan).has_table:
        return _unknown_prospects(frozenset(state.players) - state.withdrawn)
    if is_of_tables(state.plan):
        return table_prospects(state, criteria=criteria, used=used, lots=lots, penalties=penalties)
    leads = leads_of(state, used)
    most = _most_outcomes(criteria, most)
    found: dict[PlayerId, Prospect] = {}
    bounded: list[BoundedGroup] = []
    small: list[EnumeratedGroup] = []
    remaining = remaining_of(state)
    settled = settled_of(
        state,
        remaining,
        leads,
        criteria=criteria,
        points=points,
        lots=lots,
        penalties=penalties or {},
    )
    for name, left in remaining.items():
        players = state.seated(name)
        staying = frozenset(players) - state.withdrawn
        if _is_small(left, most):
            ending = EnumeratedGroup(state, name, left, criteria, points, highest, leads, settled)
            small.append(ending)
        elif criteria[0] == "points":
            bounded.append(BoundedGroup(name, players, staying, left, points, leads))
        else:
            found |= _unknown_prospects(staying)
    by_name = {group.name: group for group in small}
    candidates = {
        rank: {name: by_name[name].candidates(rank) for name in names}
        for rank, (names, _count) in leads.compared.items()
        if by_name.keys() >= set(names) and rank not in leads.uneven
    }
    for group in small:
        found |= group.prospects(leads, candidates)
    return Prospects(found, bounded)


def looks_at_each(state: StageState, *, criteria: Sequence[str], most: int) -> bool:
    """Return whether ``prospects`` enumerates all outcomes of any group, which may take long."""
    return not is_of_tables(state.plan) and any(
        _is_small(left, _most_outcomes(criteria, most)) for left in remaining_of(state).values()
    )


def _most_outcomes(criteria: Sequence[str], most: int) -> int:
    return most if QUICK.issuperset(leading_criteria(criteria)) else min(most, MOST_RANKED)


def _is_small(left: Remaining, most: int) -> bool:
    return left.number_of_outcomes <= most and not left.rounds


def _unknown_prospects(players: Iterable[PlayerId]) -> dict[PlayerId, Prospect]:
    return {
        player: Prospect(player=player, verdict=Verdict.OPEN, exact=False) for player in players
    }
