"""A stage as it was when one of its rounds was made, out of what is known of it now."""

from dataclasses import replace

from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.kind import kind_of

Met = tuple[str, int, PlayerId, PlayerId | None]


def before_round(state: StageState, index: int) -> StageState:
    """Return the stage before the round of this index, from 0, was made.

    A schedule and a bracket keep the matches of who has left. Swiss rounds are without them, and
    without who entered later; who left later was there. They kept apart whom they were to then.
    """
    before = replace(state, rounds=state.rounds[:index])
    if not kind_of(state.plan).pairs_by_points:
        return before
    there = {player for _group, _number, *pair in paired(state, index) for player in pair}
    apart = state.rounds_apart[index] if state.rounds_apart else frozenset()
    return replace(before, withdrawn=frozenset(state.players) - there, apart=apart)


def paired(state: StageState, index: int) -> frozenset[Met]:
    """Return group, number and players of each match that was paired in a round of the stage."""
    return frozenset(
        (pairing.group, pairing.number, pairing.a, pairing.b)
        for pairing, _result in state.rounds[index]
        if not pairing.missed
    )


def is_by_hand(state: StageState, index: int, *, draft: bool) -> bool:
    """Say whether people paired some of a round, so that the rules alone don't give it.

    So they did where they broke a match of a Swiss ``draft`` and left its players for later. Who
    has no match in a round that is out was away when it was made, and may have come back since.
    """
    if any(pairing.by_hand for pairing, _result in state.rounds[index]):
        return True
    if not kind_of(state.plan).pairs_by_points or not draft:
        return False
    seated = {
        player for pairing, _result in state.rounds[index] for player in (pairing.a, pairing.b)
    }
    return any(player not in seated | state.withdrawn for player in state.players)
