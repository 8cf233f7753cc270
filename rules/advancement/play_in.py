"""A play-in leaves exactly so many: a free place goes to the best of those out.

A place is free where its holder has left or nobody won it. Tournament rules, Points (who has
left does not advance) and The Mutant Chronicles formula (Preliminary); docs/rules-sources.md.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rules.advancement.bracket_ranking import by_last_match
from rules.brackets.single import last_matches
from rules.plans.places import WinnerOf
from rules.plans.plan import StagePlan
from rules.results import PlayerId, Points
from rules.stages.base import StageState
from rules.stages.kind import kind_of, shape_of
from rules.standings.table import Standings
from rules.ties.decisions import Classes, Decisions, Penalties, histories_of, ranked_across
from rules.ties.positions import holder, staying, token, undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedUp:
    """Who takes the free places, as far as ties leave it decided.

    ``compared`` are those out who were compared for it, by the rank of the first who could move
    up (the thirteenth, where twelve go on); ``lots_needed`` the tied sets on which a place hangs.
    """

    places: Mapping[str, PlayerId]
    compared: Mapping[int, Standings]
    lots_needed: Classes


def is_play_in(plan: StagePlan) -> bool:
    """Say whether a stage is a knock-out that leaves more than one."""
    return plan.survivors > 1 and kind_of(plan).has_bracket


def moved_up(
    state: StageState,
    held: Mapping[str, PlayerId],
    used: Collection[str],
    *,
    criteria: Sequence[str],
    points: Points,
    penalties: Penalties,
    decided: Decisions,
) -> MovedUp:
    """Return who takes the places of a play-in that nobody holds, all its matches being played.

    ``held`` are the places that later stages seat and somebody holds. The others go, in their
    order, to those out: who lost later first, then by the criteria without head-to-head.
    """
    last = {match.number for match in last_matches(shape_of(state.plan))}
    won = [p for p in state.plan.places if isinstance(p, WinnerOf) and p.match in last]
    free = [place.name for place in won if place.name in used and place.name not in held]
    uses = {at: frozenset({token(state.plan, name)}) for at, name in enumerate(free, start=1)}
    (history,) = histories_of(state, points, penalties).values()
    compared: dict[int, Standings] = {}
    needed: Classes = ()
    classes: Classes = ()
    position = 1
    for level in by_last_match(state, frozenset(state.players) - set(held.values())):
        there = sum(player not in state.withdrawn for player in level)
        if not there or position > len(free):
            continue
        table = ranked_across([(player, history) for player in level], criteria, decided)
        compared[state.plan.survivors + position] = table
        needed += undecided(table, uses, state.withdrawn, position)
        classes += staying(table, state.withdrawn)
        position += there
    taken = {name: holder(classes, at, uses) for at, name in enumerate(free, start=1)}
    return MovedUp(
        places={name: player for name, player in taken.items() if player is not None},
        compared=compared,
        lots_needed=needed,
    )
