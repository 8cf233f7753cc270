"""Stages of a double elimination, results in them, and what is read of both."""

from rules.advancement.outcome import FinalRankingRules, StageOutcome, final_ranking, stage_outcome
from rules.formulas import FORMULAS
from rules.plans import FormulaPlan
from rules.results import (
    MatchEnding,
    PlayerId,
    Points,
    Result,
    Winner,
    two_player_result,
    two_seats,
)
from rules.stages.base import Pairing, StageState
from rules.stages.double_elimination import DOUBLE_ELIMINATION
from rules.standings.table import DEFAULT_CRITERIA
from tests.rules.play import one_group


def plan_of(players: int, *, second_final: bool = True) -> FormulaPlan:
    options = {"second_final": second_final}
    return FORMULAS.get("double-elimination").plan(players, options)


def double(players: int, *, second_final: bool = True) -> StageState:
    (stage,) = plan_of(players, second_final=second_final).stages
    return one_group(range(1, players + 1), stage)


def decided(state: StageState) -> StageOutcome:
    used = [place.name for place in state.plan.places]
    return stage_outcome(state, criteria=DEFAULT_CRITERIA, points=Points(), lots=(), used=used)


def ranking(state: StageState) -> list[list[PlayerId]]:
    plan = plan_of(state.plan.size, second_final=state.plan.second_final)
    order = FinalRankingRules(criteria=DEFAULT_CRITERIA, points=Points())
    found = final_ranking(plan, [(state, decided(state))], order)
    return [sorted(level, key=int) for level in found]


def met(state: StageState) -> list[list[tuple[object, object]]]:
    return [
        [two_seats(pairing.seats, None) for pairing, _result in played] for played in state.rounds
    ]


def names(state: StageState) -> list[str]:
    return [
        str(DOUBLE_ELIMINATION.describe_round(state, number))
        for number in range(1, DOUBLE_ELIMINATION.total_rounds(state) + 1)
    ]


def won(pairing: Pairing, player: PlayerId) -> Result:
    winner = Winner.A if pairing.seats[0] == player else Winner.B
    return two_player_result(*pairing.seats, winner=winner)


def both_lose(pairing: Pairing) -> Result:
    return two_player_result(*pairing.seats, winner=Winner.NONE, ended_by=MatchEnding.DOUBLE_LOSS)
