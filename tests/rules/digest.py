"""Prints a digest of what every registered criterion, stage kind and formula makes of fixed facts.

Run as ``python -m tests.rules.digest``; ``test_hash_seed.py`` runs it twice.
"""

import hashlib
import random
import sys
from collections.abc import Iterator

from rules.criteria import CRITERIA
from rules.formulas import FORMULAS
from rules.results import MatchEnding, Result, Winner, two_player_result
from rules.stages import STAGE_KINDS
from rules.stages.base import Pairing
from rules.stages.table_cut import TABLE_CUT
from rules.standings.rank_document import render_standings
from rules.standings.table import rank
from tests.rules.play import PlayedEvent
from tests.rules.stages.test_every_stage_kind import at_random, opening_state


def said() -> Iterator[str]:
    """Yield everything that is computed, as text."""
    for criterion in CRITERIA:
        for seed in range(3):
            names = [f"player-{number}" for number in range(7)]
            standings = rank(players=names, results=results(names, seed), criteria=[criterion.key])
            yield f"{criterion.key} {render_standings(standings)}"
    for kind in STAGE_KINDS:
        chance = random.Random(kind.key)
        for size in (7, 10) if kind is TABLE_CUT else (5, 8):
            state = opening_state(kind, size, chance)
            yield f"{kind.key} {kind.next_round(state)}"
    for formula in FORMULAS:
        for players in (formula.minimum, 11, 14):
            plan = formula.plan(players)
            chance = random.Random(formula.key)
            event = PlayedEvent(plan, list(range(1, players + 1)))
            event.play(lambda pairing, chance=chance: decided(chance, pairing))
            yield f"{plan.to_json()} {event.places} {event.ranking()} {event.states}"


def results(names: list[str], seed: int) -> list[Result]:
    """Return results of a stage in which not all have met."""
    chance = random.Random(seed)
    found = []
    for number in range(9):
        a, b = chance.sample(names, 2)
        made, conceded = chance.randrange(3), chance.randrange(3)
        winner = Winner.A if made > conceded else Winner.B if conceded > made else Winner.DRAW
        score = (made, conceded)
        found.append(
            two_player_result(a=a, b=b, round=number, winner=winner, score=score, games=(*score, 0))
        )
    found.append(two_player_result(a=names[0], b=None, winner=Winner.A, ended_by=MatchEnding.BYE))
    return found


def decided(chance: random.Random, pairing: Pairing) -> Result:
    """Return a result by chance with a winner: a bracket may not end without one."""
    found = at_random(chance, pairing)
    if found.winner is not Winner.NONE:
        return found
    return two_player_result(*pairing.seats, winner=Winner.A)


if __name__ == "__main__":
    whole = hashlib.sha256()
    for line in said():
        whole.update(line.encode())
    sys.stdout.write(whole.hexdigest() + "\n")
