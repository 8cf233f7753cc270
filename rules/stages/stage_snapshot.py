"""The state of a stage before one of its rounds, reconstructed from the current state."""

from dataclasses import replace

from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.kind import kind_of

Met = tuple[str, int, tuple[PlayerId, ...]]


def before_round(state: StageState, index: int) -> StageState:
    """Return the stage before the round with this index (from 0) was made.

    Schedules and brackets keep the matches of players who have left. In Swiss rounds they are
    removed, and so are later entries; players who left later are present. Pairs to avoid are
    those of that time.
    """
    before = replace(state, rounds=state.rounds[:index])
    if not kind_of(state.plan).pairs_by_points:
        return before
    there = {player for _group, _number, pair in paired_matches(state, index) for player in pair}
    apart = state.rounds_apart[index] if state.rounds_apart else frozenset()
    return replace(before, withdrawn=frozenset(state.players) - there, apart=apart)


def paired_matches(state: StageState, index: int) -> frozenset[Met]:
    """Return group, number and players of each match that was paired in a round."""
    return frozenset(
        (pairing.group, pairing.number, pairing.seats)
        for pairing, _result in state.rounds[index]
        if not pairing.missed
    )


def is_by_hand(state: StageState, index: int, *, draft: bool) -> bool:
    """Return whether staff paired some matches of a round, so that rules alone cannot reproduce it.

    In a Swiss ``draft`` that includes broken matches whose players are unpaired. In a published
    round players without a match were absent when it was made, and may have come back since.
    """
    if any(pairing.by_hand for pairing, _result in state.rounds[index]):
        return True
    if not kind_of(state.plan).pairs_by_points or not draft:
        return False
    seated = {player for pairing, _result in state.rounds[index] for player in pairing.seats}
    return any(player not in seated | state.withdrawn for player in state.players)
