"""Byes that players were awarded before the start: in rounds 1 to n of the first stage."""

from collections.abc import Mapping

from rules.results import PlayerId
from rules.stages.base import StageState

MOST_BYES = 9
"""Maximum rounds in which a player has a bye from the start."""


def awarded_byes(state: StageState) -> Mapping[PlayerId, int]:
    """Return who has a bye in the next round, each with how many rounds it was awarded for.

    In seat order, without players who have left.
    """
    following, byes = len(state.rounds) + 1, dict(state.plan.byes)
    return {
        player: byes[player]
        for player in state.players
        if byes.get(player, 0) >= following and player not in state.withdrawn
    }
