"""Stages and random ends of them, and whether what was said of them before holds."""

import random
from collections.abc import Collection, Mapping

from rules.plans import ROUND_ROBIN, GroupPlan, RankPlace, StagePlan
from rules.results import PlayerId, Result, Winner, two_player_result, two_seats
from rules.scenarios import Prospect, Verdict
from rules.stages.base import StageState
from rules.wording import Sentence
from tests.rules.play import add_round, one_group


def random_result(source: random.Random, a: PlayerId, b: PlayerId | None) -> Result:
    """Return any result with a score that fits it."""
    winner = source.choice((Winner.A, Winner.B, Winner.DRAW))
    low, high = sorted(source.sample(range(8), 2))
    score = {Winner.A: (high, low), Winner.B: (low, high), Winner.DRAW: (low, low)}[winner]
    return two_player_result(a=a, b=b, winner=winner, score=score)


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
            if {player, opponent} == {*two_seats(found.seats, None)}:
                if found.winner is Winner.DRAW:
                    return "draw"
                return "win" if (found.winner is Winner.A) == (found.seats[0] == player) else "loss"
    raise AssertionError(player)


def group_of_four(advance: int = 2) -> StageState:
    """Return one group of 1 to 4 whose first ranks advance."""
    plan = StagePlan(
        key="group",
        label=Sentence("Group"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name="A", seats=("S1", "S2", "S3", "S4")),),
        places=tuple(RankPlace(name=f"A{n}", group="A", rank=n) for n in range(1, advance + 1)),
    )
    return one_group((1, 2, 3, 4), plan)


def after(state: StageState, *rounds: dict[int, tuple[int, int]]) -> StageState:
    """Return the stage after rounds; each gives the score of a match by its player a."""
    for scores in rounds:
        state = add_round(
            state, lambda pairing, s=scores: result(*two_seats(pairing.seats, None), s)
        )
    return state


def result(a: PlayerId, b: PlayerId | None, scores: dict[int, tuple[int, int]]) -> Result:
    score = scores[int(a)]
    winner = Winner.DRAW if score[0] == score[1] else Winner.A if score[0] > score[1] else Winner.B
    return two_player_result(a=a, b=b, winner=winner, score=score)
