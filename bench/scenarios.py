"""Who is through: three groups of four, against 20 ms before the last round."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import process_time

from bench.timing import Ratio
from rules.formulas import FORMULAS
from rules.results import Points, Result, Winner
from rules.scenarios import prospects
from rules.stages.base import STAGE_KINDS, StageState
from rules.standings import DEFAULT_CRITERIA

LIMIT = 0.020  # seconds


def measure() -> Iterator[Ratio]:
    """Yield the time of all twelve players' prospects as a multiple of the limit."""
    plan = FORMULAS.get("mutant-chronicles").plan(12)
    for rounds in (2, 1):
        state = after(rounds)
        started = process_time()
        for _turn in range(5):
            prospects(state, criteria=DEFAULT_CRITERIA, points=Points(), used=plan.used_places(0))
        spent = (process_time() - started) / 5
        yield Ratio(f"scenarios of 3 x 4, {3 - rounds} rounds to play / 20 ms", spent, LIMIT)


def after(rounds: int) -> StageState:
    """Return the groups of twelve players after so many rounds, the same each time."""
    stage = FORMULAS.get("mutant-chronicles").plan(12).stages[0]
    seats = {
        group.name: tuple(range(4 * at + 1, 4 * at + 5)) for at, group in enumerate(stage.groups)
    }
    state, random = StageState(plan=stage, seats=seats), Random(7)  # noqa: S311 - invented results
    for number in range(1, rounds + 1):
        made = STAGE_KINDS.get(stage.kind).next_round(state)
        played = tuple(
            (
                pairing,
                Result(
                    a=pairing.a,
                    b=pairing.b,
                    round=number,
                    winner=random.choice((Winner.A, Winner.B, Winner.DRAW)),
                    score=(random.randrange(40), random.randrange(40)),
                ),
            )
            for pairing in made
        )
        state = replace(state, rounds=(*state.rounds, played))
    return state
