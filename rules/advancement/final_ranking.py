"""The final ranking of an event, from its last stage back to the first.

Source: tournament rules, The Mutant Chronicles formula, Final ranking.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.advancement.bracket_ranking import (
    current_place_holders,
    eliminated_players,
    eliminated_players_by_round,
    replacement_candidates,
)
from rules.advancement.from_groups import comparable_histories
from rules.advancement.outcome import StageOutcome
from rules.history.group_history import GroupHistory
from rules.plans import FormulaPlan
from rules.results import PlayerId, Points
from rules.stages.base import StageState
from rules.stages.kind import is_complete, stage_kind
from rules.standings.table import Standings
from rules.ties.decisions import (
    Classes,
    Lots,
    Penalties,
    add_random_draw,
    group_histories,
    rank_across_groups_with_decisions,
    recorded_decisions,
    tied_classes,
)

Stages = Sequence[tuple[StageState, StageOutcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalRankingRules:
    """How to order players eliminated in the same round or on the same rank.

    ``criteria`` are tiebreaker keys, ``lots`` the orders drawn in all random draws of the event,
    oldest first; ``penalties`` is the number of penalties by player.
    """

    criteria: Sequence[str]
    points: Points
    lots: Lots = ()
    penalties: Penalties = field(default_factory=dict)


def final_ranking(plan: FormulaPlan, stages: Stages, order: FinalRankingRules) -> Classes:
    """Return the final standings in classes, best first; players in one class share a rank.

    ``stages`` are (state, outcome) of those that have begun, in order. While an event is running
    only eliminated players are ranked. Players eliminated in a group stage are ordered by rank in
    the group, then by the tiebreakers without head-to-head; after a knock-out by their last match,
    after a play-in then by the tiebreakers. While a play-in is running those eliminated in one
    round share a rank: their opponents' points still change.
    """
    classes: list[tuple[PlayerId, ...]] = []
    for index in range(len(stages) - 1, -1, -1):
        state, decided = stages[index]
        out = _eliminated_by(plan, stages, index)
        found = (
            eliminated_players_by_round(state, out)
            if stage_kind(state.plan).has_bracket
            else eliminated_players_by_rank(decided, out)
        )
        if stage_kind(state.plan).has_bracket and (
            state.plan.survivors == 1 or not is_complete(state)
        ):
            classes.extend(found)
        else:
            classes.extend(split_by_tiebreakers(state, decided.standings, found, order))
    return tuple(classes)


def split_by_tiebreakers(
    state: StageState,
    standings: Mapping[str, Standings],
    levels: Sequence[Sequence[PlayerId]],
    order: FinalRankingRules,
) -> Iterator[tuple[PlayerId, ...]]:
    """Yield classes of the final standings, best first: each level split by tiebreakers.

    ``levels`` are sets of players eliminated in the same round or on the same rank, best first;
    ``standings`` are those of the stage, by group name.
    """
    histories = group_histories(state, order.points, order.penalties)
    decided, criteria = (
        recorded_decisions(order.lots, state.tiebreaker_rounds),
        add_random_draw(order.criteria),
    )
    for level in filter(None, levels):
        home = _histories_of_level(state, standings, histories, level)
        candidates = [(player, home[player]) for player in level]
        yield from tied_classes(rank_across_groups_with_decisions(candidates, criteria, decided))


def _histories_of_level(
    state: StageState,
    standings: Mapping[str, Standings],
    histories: Mapping[str, GroupHistory],
    level: Sequence[PlayerId],
) -> dict[PlayerId, GroupHistory]:
    """Return the history used to compare each player of one place in their groups."""
    home = {player: name for name, found in histories.items() for player in found.players}
    if state.plan.without_last and not stage_kind(state.plan).has_bracket:
        groups = tuple(dict.fromkeys(home[player] for player in level))
        evened = comparable_histories(histories, standings, groups, state)
        inside = {p for found in evened.histories.values() for p in found.players}
        if not evened.open and inside.issuperset(level):
            histories = evened.histories
    return {player: histories[home[player]] for player in level}


def _eliminated_by(plan: FormulaPlan, stages: Stages, index: int) -> frozenset[PlayerId]:
    """Return the players eliminated by a stage that has begun, as far as is known."""
    state, decided = stages[index]
    still_in = {player for later, _ in stages[index + 1 :] for player in later.players}
    to_come = {
        name
        for stage in plan.stages[len(stages) :]
        for group in stage.groups
        for name in group.seats
    }
    still_in.update(
        player
        for _state, earlier in stages
        for name, player in earlier.places.items()
        if name in to_come
    )
    closed = index < len(stages) - 1
    if closed or (is_complete(state) and not decided.lots_needed):
        return frozenset(state.players) - still_in
    if not stage_kind(state.plan).has_bracket:
        return frozenset()
    waiting = {player for tied in decided.lots_needed for player in tied}
    still_in.update(
        current_place_holders(state, to_come).values(), replacement_candidates(state, to_come)
    )
    return eliminated_players(state) - still_in - waiting


def eliminated_players_by_rank(decided: StageOutcome, out: frozenset[PlayerId]) -> Classes:
    """Return the eliminated players (``out``) of a group stage in classes, best first.

    All who are first in their group share the first class, all seconds the next, and so on.
    """
    found: dict[int, list[PlayerId]] = {}
    for standings in decided.standings.values():
        for row in standings.rows:
            if row.player in out:
                found.setdefault(row.rank, []).append(row.player)
    return tuple(tuple(found[rank]) for rank in sorted(found))
