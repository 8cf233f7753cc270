"""Pairing a Swiss round, against ``swisspair``, the fastest other implementation.

*Core* is the search alone, by indexes; *round* is all of ``pair_round``: entrants in, pairs with
their reasons out. ``swisspair`` starts with its own players, made before. Every measured pairing is
certified optimal: ``minimum_cost_pairing`` raises if its cost exceeds the lower bound.
"""

from collections.abc import Iterator
from functools import partial
from math import log
from random import Random

import swisspair

from bench.timing import Figure, Ratio, compare
from rules.swiss.lineup import Entrant, PairingField
from rules.swiss.rounds import minimum_cost_pairing, pair_round

SIZES = (64, 256, 1024, 4096)
ROUNDS = (5, 6, 7)


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios for rounds 5 to 7, and the growth of the time."""
    taken = {}
    for players in SIZES:
        for number in ROUNDS:
            field = after(players, rounds=number - 1)
            theirs = partial(swisspair.create_matches, their_players(field))
            title = f"{players:,} players, round {number} / swisspair"
            goal = 0.3 if players >= 1024 else None
            core = compare(
                f"Swiss core, {title}", partial(minimum_cost_pairing, field), theirs, goal=goal
            )
            taken[players, number] = core.ours
            yield core
            whole = partial(pair_round, entrants(field), seed="bench")
            yield compare(f"Swiss round, {title}", whole, theirs, goal=goal)
    grown = [log(taken[4096, number] / taken[256, number]) / log(16) for number in ROUNDS]
    yield Figure("Swiss pairing, growth exponent 256 to 4,096", sum(grown) / len(grown), 1.3)


def after(players: int, rounds: int) -> PairingField:
    """Return a field after ``rounds``; deterministic by its arguments."""
    random = Random(players)  # noqa: S311 - invented results
    points = [0] * players
    met: list[set[int]] = [set() for _ in range(players)]
    floats = [0] * players
    for number in range(rounds + 1):
        order = sorted(range(players), key=lambda one: (-points[one], random.random()))
        place = {player: at for at, player in enumerate(order)}
        field = PairingField(
            points=[points[one] for one in order],
            avoid=[frozenset(place[other] for other in met[one]) for one in order],
            floats=[floats[one] for one in order],
            noise=[random.getrandbits(32) for _ in order],
        )
        found = minimum_cost_pairing(field)
        if number == rounds or found is None:
            break
        for pair in found.pairs:
            a, b = (order[one] for one in pair)
            met[a].add(b)
            met[b].add(a)
            if points[a] != points[b]:
                floats[a], floats[b] = floats[a] + 1, floats[b] + 1
            gained = random.choices(((3, 0), (0, 3), (1, 1)), (46, 46, 8))[0]
            points[a], points[b] = points[a] + gained[0], points[b] + gained[1]
    return field


def entrants(field: PairingField) -> list[Entrant]:
    """Return the players of a field with their histories."""
    columns = zip(field.points, field.avoid, field.floats, strict=True)
    return [
        Entrant(player=number, points=points, met=frozenset(met), floats=floats)
        for number, (points, met, floats) in enumerate(columns)
    ]


def their_players(field: PairingField) -> list[swisspair.Player]:
    """Return the field in swisspair's representation."""
    return [
        swisspair.Player(
            id=str(number),
            points=points,
            rank=number + 1,
            cannot_be_paired_against_ids={str(other) for other in avoid},
        )
        for number, (points, avoid) in enumerate(zip(field.points, field.avoid, strict=True))
    ]
