"""Pairing a Swiss round against ``swisspair``, the fastest other program for it."""

from collections.abc import Iterator
from math import log
from random import Random

import swisspair

from bench.timing import Ratio, compare
from rules.swiss.field import Field
from rules.swiss.search import cheapest_pairs

SIZES = (64, 256, 1024, 4096)


def measure() -> Iterator[Ratio]:
    """Yield the ratios for round 6, best of three with draws; then how our time grows."""
    taken = {}
    for players in SIZES:
        field = after(players, rounds=5)
        theirs = their_players(field)
        ratio = compare(
            f"Swiss pairing, {players:,} players, round 6 / swisspair",
            lambda field=field: cheapest_pairs(field),
            lambda theirs=theirs: swisspair.create_matches(theirs),
        )
        taken[players] = ratio.ours
        yield ratio
    exponent = log(taken[4096] / taken[256]) / log(16)
    yield Ratio("Swiss pairing, growth exponent 256 to 4,096 / 1.3", exponent / 1000, 1.3 / 1000)


def after(players: int, rounds: int) -> Field:
    """Return a field after so many rounds, the same for the same numbers."""
    random = Random(players)  # noqa: S311 - invented results
    points = [0] * players
    met: list[set[int]] = [set() for _ in range(players)]
    floats = [0] * players
    for number in range(rounds + 1):
        order = sorted(range(players), key=lambda one: (-points[one], random.random()))
        place = {player: at for at, player in enumerate(order)}
        field = Field(
            points=[points[one] for one in order],
            avoid=[frozenset(place[other] for other in met[one]) for one in order],
            floats=[floats[one] for one in order],
            noise=[random.getrandbits(32) for _ in order],
        )
        found = cheapest_pairs(field)
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


def their_players(field: Field) -> list[swisspair.Player]:
    """Return the same field as the other program wants it."""
    return [
        swisspair.Player(
            id=str(number),
            points=points,
            rank=number + 1,
            cannot_be_paired_against_ids={str(other) for other in avoid},
        )
        for number, (points, avoid) in enumerate(zip(field.points, field.avoid, strict=True))
    ]
