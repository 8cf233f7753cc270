"""The players of a Swiss round before it was paired, and what a pairing of them costs.

A pairing is as good as any if it has as few rematches as possible and, among those, the least sum
of the squared differences of points. Which of several such pairings is played is drawn by a seed.
"""

from collections import Counter
from hashlib import sha256

from transcript_checks.verdicts import UncheckedError

MOST = 256
"""So many players are matched within seconds."""


class Field:
    """The players to pair, by points in descending order, then by their numbers from the seed."""

    def __init__(self, points, stage, rounds, players, rests=frozenset()):
        """Take points (win, draw, loss), a stage, its rounds so far and who is there.

        ``rests`` are there too; they have a bye in the round that was awarded before the start.
        """
        self.rests = rests
        win, draw, loss = points
        worth = {"a": (win, loss), "b": (loss, win), "draw": (draw, draw), "none": (loss, loss)}
        self.points, self.byes, self.met = Counter(), Counter(), {p: set() for p in players}
        for one in (one for played in rounds for one in played):
            own, other = worth.get(one.winner, (0, 0))
            self.points[one.a] += own
            if one.b is None:
                self.byes[one.a] += one.winner == "a"
                continue
            self.points[one.b] += other
            self.met.setdefault(one.a, set()).add(one.b)
            self.met.setdefault(one.b, set()).add(one.a)
        seed = f"{stage['seed']}:{len(rounds) + 1}"
        drawn = {p: sha256(f"{seed}:{p}".encode()).digest()[:4] for p in players}
        self.players = sorted(players, key=lambda p: (-self.points[p], drawn[p], str(p)))

    def cost(self, pairs):
        """Return the rematches of some pairs, and the sum of the squared differences."""
        rematches = sum(b in self.met[a] for a, b in pairs)
        return rematches, sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs)

    def floor(self, players):
        """Return the cost of pairing neighbours by points, below which no pairing is."""
        _rematches, squares = self.cost([*zip(players[::2], players[1::2], strict=True)])
        return 0, squares

    def least(self, players):
        """Return the least cost of pairing these players."""
        spread = max((self.points[p] for p in players), default=0) - min(
            (self.points[p] for p in players), default=0
        )
        rematch = spread**2 * len(players) + 1
        edges = {}
        for at, a in enumerate(players):
            for b in players[at + 1 :]:
                again, square = self.cost([(a, b)])
                edges[a, b] = rematch * again + square
        return self.cost(matched(edges, players))

    def can_be_paired(self, players):
        """Return whether these players can be paired without a rematch."""
        there = set(players)
        if all(2 * len((self.met[p] & there) - {p}) < len(players) for p in players):
            return True  # who may meet at least half of all others leaves such a pairing (Dirac)
        free = {
            (a, b): 0
            for at, a in enumerate(players)
            for b in players[at + 1 :]
            if b not in self.met[a]
        }
        return 2 * len(matched(free, players)) == len(players)

    def resting(self, pairs, rests):
        """Return who has to rest: the lowest with the fewest byes who leaves others a pairing.

        ``pairs`` are those stored, beside which ``rests`` had the bye.
        """
        places = {player: place for place, player in enumerate(self.players)}
        candidates = sorted(self.players, key=lambda p: (self.byes[p], -places[p]))
        for one in candidates:
            stored = one == rests and not self.cost(pairs)[0]
            if stored or self.can_be_paired([p for p in self.players if p != one]):
                return one
        return candidates[0]


def matched(edges, players):
    """Return a matching of as many as possible, of least cost; raises UncheckedError."""
    if len(players) > MOST:
        raise UncheckedError(f"more than {MOST} players would have to be matched at once")
    try:
        import networkx
    except ImportError:
        raise UncheckedError(
            "that needs networkx, which is not installed (python -m pip install networkx)"
        ) from None
    graph, top = networkx.Graph(), max(edges.values(), default=0) + 1
    graph.add_nodes_from(players)
    graph.add_weighted_edges_from((a, b, top - cost) for (a, b), cost in edges.items())
    return networkx.max_weight_matching(graph, maxcardinality=True)
