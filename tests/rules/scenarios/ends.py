"""Random ends of a stage, and whether what was said of it before holds."""

import random
from collections.abc import Collection, Mapping

from rules.results import PlayerId, Result, Winner, of_two, result_of_two
from rules.scenarios import Prospect, Verdict
from rules.stages.base import StageState


def random_result(source: random.Random, a: PlayerId, b: PlayerId | None) -> Result:
    """Return any result with a score that fits it."""
    winner = source.choice((Winner.A, Winner.B, Winner.DRAW))
    low, high = sorted(source.sample(range(8), 2))
    score = {Winner.A: (high, low), Winner.B: (low, high), Winner.DRAW: (low, low)}[winner]
    return result_of_two(a=a, b=b, winner=winner, score=score)


def contradiction(
    said: Mapping[PlayerId, Prospect], ended: StageState, through: Collection[PlayerId]
) -> Prospect | None:
    """Return what was said wrongly of somebody, None where all of it holds."""
    for player, prospect in said.items():
        wrong = Verdict.OUT if player in through else Verdict.THROUGH
        if prospect.verdict is wrong:
            return prospect
        if prospect.opponent is not None:
            result = own_result(ended, player, prospect.opponent)
            if prospect.after[result] is wrong:
                return prospect
    return None


def own_result(state: StageState, player: PlayerId, opponent: PlayerId) -> str:
    """Return how a player's match against somebody ended."""
    for played in state.rounds:
        for _pairing, found in played:
            if {player, opponent} == {*of_two(found.seats, None)}:
                if found.winner is Winner.DRAW:
                    return "draw"
                return "win" if (found.winner is Winner.A) == (found.seats[0] == player) else "loss"
    raise AssertionError(player)
