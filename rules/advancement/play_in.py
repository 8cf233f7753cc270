"""Play-ins: a fixed number of qualifiers; vacant places go to the best losers.

A place is vacant if its holder has left or nobody won it. Source: tournament rules, Points
(withdrawn players do not advance) and The Mutant Chronicles formula (Preliminary);
docs/rules-sources.md.
"""

from collections.abc import Collection, Mapping, Sequence

from rules.advancement.bracket_ranking import by_last_match
from rules.brackets.single import last_matches
from rules.plans.places import WinnerOf
from rules.plans.plan import StagePlan
from rules.results import PlayerId, Points
from rules.stages.base import StageState
from rules.stages.kind import kind_of, shape_of
from rules.standings.table import Standings
from rules.ties.decisions import Classes, Decisions, Penalties, histories_of, ranked_across
from rules.ties.positions import classes_without, holder_of_position, place_identity, undecided_ties


def is_play_in(plan: StagePlan) -> bool:
    """Return whether a stage is a knock-out with more than one survivor."""
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
) -> tuple[dict[str, PlayerId], dict[int, Standings], Classes]:
    """Return the players who fill the vacant places of a play-in, once all matches are played.

    ``held`` maps the places that later stages seat to their holders. The others go, in order, to
    losers: by round of the loss, latest first, then by the criteria without head-to-head. Also
    return the losers compared for it, by the rank of the first who could move up (the thirteenth,
    if twelve advance), and the tied sets that affect a place.
    """
    last = {match.number for match in last_matches(shape_of(state.plan))}
    won = [p for p in state.plan.places if isinstance(p, WinnerOf) and p.match in last]
    free = [place.name for place in won if place.name in used and place.name not in held]
    uses = {
        at: frozenset({place_identity(state.plan, name)}) for at, name in enumerate(free, start=1)
    }
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
        needed += undecided_ties(table, uses, state.withdrawn, position)
        classes += classes_without(table, state.withdrawn)
        position += there
    taken = {name: holder_of_position(classes, at, uses) for at, name in enumerate(free, start=1)}
    places = {name: player for name, player in taken.items() if player is not None}
    return places, compared, needed
