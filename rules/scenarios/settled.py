"""Groups without open matches: their standings decide, under any criteria."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.advancement.from_groups import Advancement
from rules.history.group_history import History
from rules.plans.places import NthAmong
from rules.results import PlayerId, Points
from rules.scenarios.advancing_places import AdvancingRanks
from rules.scenarios.remaining import Remaining
from rules.scenarios.verdict_evaluation import OUT, THROUGH, Case
from rules.scenarios.verdicts import DependsOn, Verdict
from rules.stages.base import StageState
from rules.standings.table import Standings
from rules.ties.decisions import (
    Classes,
    Lots,
    Penalties,
    classes_of,
    decisions,
    dropped_from,
    lots_last,
    ranked,
)
from rules.ties.positions import classes_without

LEVEL = Case(Verdict.OPEN, frozenset({DependsOn.SCORES}))
"""The case of players separated only by lots or an extra match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledStandings:
    """The places and comparisons that standings have decided.

    ``places`` maps each player of a settled group to the places, from 1, they may hold: several
    if they are tied. ``compared`` maps each rank with all its groups settled to the cases of its
    players.
    """

    places: Mapping[str, Mapping[PlayerId, range]] = field(default_factory=dict)
    compared: Mapping[int, Mapping[PlayerId, Case]] = field(default_factory=dict)


def settled_of(
    state: StageState,
    remaining: Mapping[str, Remaining],
    leads: AdvancingRanks,
    *,
    criteria: Sequence[str],
    points: Points,
    lots: Lots,
    penalties: Penalties,
) -> SettledStandings:
    """Return the ranks and places that groups without open matches have decided."""
    done = {name: left for name, left in remaining.items() if not left.open and not left.rounds}
    if not done:
        return SettledStandings()
    order, decided = lots_last(criteria), decisions(lots, state.extra)
    histories = {
        name: History(
            players=state.seated(name),
            results=left.settled,
            points=points,
            penalties=penalties,
            dropped=dropped_from(state),
        )
        for name, left in done.items()
    }
    standings = {name: ranked(found, order, decided) for name, found in histories.items()}
    ranks = {rank for rank, (names, _n) in leads.compared.items() if done.keys() >= set(names)}
    asked = frozenset(
        place.name
        for place in state.plan.places
        if isinstance(place, NthAmong) and place.rank in ranks
    )
    advancement = Advancement(state=state, standings=standings, used=asked)
    compared = advancement.compare(histories, order, decided)
    return SettledStandings(
        places={
            name: dict(_places(classes_without(found, state.withdrawn)))
            for name, found in standings.items()
        },
        compared={
            rank: dict(_cases(found, leads.compared[rank][1])) for rank, found in compared.items()
        },
    )


def _places(classes: Classes) -> Iterator[tuple[PlayerId, range]]:
    """Yield each player of a ranking with the places they may hold."""
    above = 0
    for level in classes:
        places = range(above + 1, above + len(level) + 1)
        yield from ((player, places) for player in level)
        above += len(level)


def _cases(standings: Standings, count: int) -> Iterator[tuple[PlayerId, Case]]:
    """Yield the case of each compared player, of whom the first ``count`` advance."""
    for player, places in _places(classes_of(standings)):
        if places[-1] <= count:
            yield player, THROUGH
        else:
            yield player, OUT if places[0] > count else LEVEL
