"""The outcome of a stage: standings, holders of places, and lots to draw.

Source: tournament rules, Standings order and The Mutant Chronicles formula.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.advancement.from_groups import Advancement, fill_vacant_places, separate_groups
from rules.history.group_history import GroupHistory
from rules.history.table_history import TableHistory
from rules.plans import LoserPlace, StagePlan, WinnerPlace
from rules.results import PlayerId, Points
from rules.stages.base import StageState
from rules.stages.kind import is_complete, stage_kind
from rules.stages.knockout import final_progress
from rules.standings.table import Standings, standings_from_order
from rules.ties.decisions import (
    Classes,
    Decisions,
    Lots,
    Penalties,
    add_random_draw,
    group_histories,
    rank_with_decisions,
    recorded_decisions,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOutcome:
    """The standings of each group, and their consequences for later stages.

    ``standings`` (by group name) and ``compared`` (of the players on one rank of all groups, by
    rank) are available while the stage is running; a bracket has none, but a play-in compares
    losers for vacant places. ``places`` maps place names to players once all matches are played.
    ``lots_needed`` are the tied sets that need a random draw, as their order affects the seating of
    a later stage. ``left_out`` are withdrawn or disqualified players whose rank would have
    advanced.
    """

    standings: Mapping[str, Standings]
    compared: Mapping[int, Standings]
    places: Mapping[str, PlayerId]
    lots_needed: Classes
    left_out: tuple[PlayerId, ...]


def stage_outcome(
    state: StageState,
    *,
    criteria: Sequence[str],
    points: Points,
    lots: Lots,
    used: Collection[str],
    penalties: Penalties | None = None,
) -> StageOutcome:
    """Return the standings, places and ties that the results of a stage decide so far.

    ``lots`` are all random draws of the event, oldest first, those of other stages empty: for a
    tied set the latest draw or tiebreaker match of the whole set decides. ``used`` are the names of
    the places that later stages seat. Withdrawn players keep their rank but hold no place: it goes
    to the next of the same group, in a bracket to the opponent they beat.
    """
    order = add_random_draw(criteria)
    decided = recorded_decisions(lots, state.tiebreaker_rounds)
    if stage_kind(state.plan).has_bracket:
        found = _bracket_outcome(state, used)
        if not _is_play_in(state.plan) or not is_complete(state):
            return found
        places, compared, needed = fill_vacant_places(
            state,
            {name: player for name, player in found.places.items() if name in used},
            used,
            criteria=order,
            points=points,
            penalties=penalties or {},
            decided=decided,
        )
        places = {**found.places, **places}
        return replace(found, places=places, compared=compared, lots_needed=needed)
    histories = group_histories(state, points, penalties or {})
    standings = {
        group: _standings_of(state, history, order, decided) for group, history in histories.items()
    }
    advancement = Advancement(state=state, standings=standings, used=frozenset(used))
    compared = advancement.compare(histories, order, decided)
    complete = is_complete(state)
    return StageOutcome(
        standings=standings,
        compared=compared,
        places=advancement.places(compared) if complete else {},
        lots_needed=advancement.lots_needed(histories, compared) if complete else (),
        left_out=advancement.left_out() if complete else (),
    )


def _standings_of(
    state: StageState, history: GroupHistory, order: Sequence[str], decided: Decisions
) -> Standings:
    """Return the standings of a group: by criteria, or in the order of the stage itself."""
    own = stage_kind(state.plan).own_order(state)
    if own is None or not isinstance(history, TableHistory):
        return rank_with_decisions(history, order, decided)
    return standings_from_order(history, own, order)


def _bracket_outcome(state: StageState, used: Collection[str]) -> StageOutcome:
    """Return the winners and losers of the matches that the plan names.

    A withdrawn winner is replaced by the opponent they beat, else the place stays vacant. In a
    play-in both wait for :func:`~rules.advancement.from_groups.fill_vacant_places`.
    """
    places: dict[str, PlayerId] = {}
    left_out: list[PlayerId] = []
    decided = final_progress(state) if is_complete(state) else {}
    for place in state.plan.places:
        if not isinstance(place, (WinnerPlace, LoserPlace)) or place.match not in decided:
            continue
        winner, loser = decided[place.match].winner, decided[place.match].loser
        holder = winner if isinstance(place, WinnerPlace) else loser
        if place.name in used and holder in state.withdrawn:
            left_out.extend([holder] if holder is not None else [])
            replaced = holder == winner and not _is_play_in(state.plan)
            holder = loser if replaced and loser not in state.withdrawn else None
        if holder is not None:
            places[place.name] = holder
    return StageOutcome(
        standings={}, compared={}, places=places, lots_needed=(), left_out=tuple(left_out)
    )


def seat_players(
    plan: StagePlan, places: Mapping[str, PlayerId], origins: Mapping[PlayerId, str]
) -> dict[str, tuple[PlayerId | None, ...]]:
    """Return the players of a stage in seat order, by group name; None for a vacant seat.

    ``places`` maps the names of places of earlier stages and of the start to players, ``origins``
    players to the name of their group in the stage before.
    """
    seats = {group.name: tuple(places.get(name) for name in group.seats) for group in plan.groups}
    if plan.apart:
        double = stage_kind(plan).two_brackets
        return {
            name: separate_groups(seeds, origins, double=double) for name, seeds in seats.items()
        }
    return seats


def _is_play_in(plan: StagePlan) -> bool:
    """Return whether a stage is a knock-out with more than one survivor."""
    return plan.survivors > 1 and stage_kind(plan).has_bracket
