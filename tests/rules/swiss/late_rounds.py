"""Rounds so late that nearly everybody has met: the hardest pairings of small fields."""

import os
import random
import subprocess
import sys
from hashlib import sha256
from itertools import combinations

import networkx

from rules.swiss.lineup import PairingField
from rules.swiss.rounds import minimum_cost_pairing

LATE = ((8, 4), (12, 5), (12, 8), (16, 6), (16, 10), (64, 8))
"""Players, and the rounds they have behind them."""


def is_optimal(players: int, rounds: int, chance: random.Random) -> bool:
    """Say whether the last round costs what a matching of the raw graph costs."""
    points, met = played(players, rounds, chance)
    order, found = paired(points, met, chance)
    costs = None if found is None else cost([(order[a], order[b]) for a, b in found], points)
    return costs == least(points, met)


def last_pairs(players: int, rounds: int, chance: random.Random) -> list[tuple[int, int]] | None:
    """Return the pairs of the round after ``rounds``, None where there are none."""
    return paired(*played(players, rounds, chance), chance)[1]


def fingerprint(seeds: int) -> str:
    """Return a digest of the last pairs of all late rounds."""
    digest = sha256()
    for players, rounds in LATE:
        for seed in range(seeds):
            digest.update(repr(last_pairs(players, rounds, random.Random(seed))).encode())
    return digest.hexdigest()


def differ(seeds: int) -> bool:
    """Say whether processes with different hash seeds make different pairs."""
    program = "import sys; from tests.rules.swiss.late_rounds import fingerprint as made; "
    program += f"sys.stdout.write(made({seeds}))"
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    return len(said) > 1


def played(players: int, rounds: int, chance: random.Random) -> tuple[list[int], list[set[int]]]:
    """Return everybody's points and opponents after at most ``rounds`` rounds."""
    points = [0] * players
    met: list[set[int]] = [set() for _ in points]
    for _round in range(rounds):
        order, found = paired(points, met, chance)
        if found is None:  # all have met: no further round is possible
            break
        for a, b in ((order[one], order[other]) for one, other in found):
            met[a].add(b)
            met[b].add(a)
            gained = chance.choice(((3, 0), (0, 3), (1, 1)))
            points[a], points[b] = points[a] + gained[0], points[b] + gained[1]
    return points, met


def paired(
    points: list[int], met: list[set[int]], chance: random.Random
) -> tuple[list[int], list[tuple[int, int]] | None]:
    """Return the order of the field and the pairs of a round as places in it."""
    order = sorted(range(len(points)), key=lambda one: -points[one])
    place = {player: at for at, player in enumerate(order)}
    field = PairingField(
        points=[points[one] for one in order],
        avoid=[frozenset(place[other] for other in met[one]) for one in order],
        floats=[0] * len(order),
        noise=[chance.getrandbits(32) for _ in order],
    )
    found = minimum_cost_pairing(field)
    assert found == minimum_cost_pairing(field), "two runs give the same pairs"
    return order, None if found is None else list(found)


def cost(pairs: list[tuple[int, int]], points: list[int]) -> int:
    """Return the sum of the squared differences of points."""
    return sum((points[a] - points[b]) ** 2 for a, b in pairs)


def least(points: list[int], met: list[set[int]]) -> int | None:
    """Return the least cost by one matching of the raw graph, None where there is no pairing."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(points)))
    for a, b in combinations(range(len(points)), 2):
        if b not in met[a]:
            graph.add_edge(a, b, weight=10_000 - (points[a] - points[b]) ** 2)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return cost(list(found), points) if 2 * len(found) == len(points) else None
