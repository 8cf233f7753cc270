"""All players' prospects of qualification in three groups of four, round by round.

The baseline is 20 ms before the last round and, earlier, the time of a prototype on an idle core.
Unlike the prototype, the measured function also computes the scores needed in a last match.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import process_time

from bench.timing import Ratio
from rules.formulas import FORMULAS
from rules.results import Points, Winner, two_player_result
from rules.scenarios import prospects
from rules.stages.base import STAGE_KINDS, StageState
from rules.standings.table import DEFAULT_CRITERIA

PLAN = FORMULAS.get("mutant-chronicles").plan(12)
STATES = (
    # legs, rounds played, matches left in a group, milliseconds
    *((1, 2, 2, 20), (1, 1, 4, 20), (2, 3, 6, 39), (1, 0, 6, 39), (2, 2, 8, 145)),
    (2, 0, 12, 2200),
)
TURNS = 5


def measure() -> Iterator[Ratio]:
    """Yield the time of all twelve players' prospects as a multiple of the baseline."""
    for legs, rounds, left, limit in STATES:
        states = [after(rounds, legs, seed) for seed in range(TURNS)]
        used = PLAN.used_places(0)
        one(states[0], used)  # warm-up
        spent = sorted(one(state, used) for state in states)[TURNS // 2]
        legged = "double" if legs == 2 else "single"
        name = f"scenarios of 3 x 4, {legged}, {left} matches left a group / {limit} ms"
        yield Ratio(name, spent, limit / 1000, goal=1.0 if limit == 20 else None)


def one(state: StageState, used: frozenset[str]) -> float:
    """Return the CPU seconds of one call."""
    started = process_time()
    prospects(state, criteria=DEFAULT_CRITERIA, points=Points(), used=used)
    return process_time() - started


def after(rounds: int, legs: int, seed: int) -> StageState:
    """Return the groups of twelve players after ``rounds``; deterministic by seed."""
    stage = PLAN.stages[0]
    seats = {
        group.name: tuple(range(4 * at + 1, 4 * at + 5)) for at, group in enumerate(stage.groups)
    }
    state, random = StageState(plan=stage, seats=seats, legs=legs), Random(seed)  # noqa: S311
    for number in range(1, rounds + 1):
        made = STAGE_KINDS.get(stage.kind).next_round(state)
        played = tuple(
            (
                pairing,
                two_player_result(
                    *pairing.seats,
                    round=number,
                    winner=random.choice((Winner.A, Winner.B, Winner.DRAW)),
                    score=(random.randrange(40), random.randrange(40)),
                ),
            )
            for pairing in made
        )
        state = replace(state, rounds=(*state.rounds, played))
    return state
