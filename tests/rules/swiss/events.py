"""Random Swiss events, drawn from a number, and a checker that shares nothing with the pairing."""

import random
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import networkx

from rules.results import Result, Winner, two_player_result
from rules.standings.table import rank
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import SwissPair, pair_round
from tests.rules import oracle

SIZES = ((4, 16, 80), (17, 64, 17), (65, 512, 3))
"""Fewest and most players, and the percentage of events of that size."""


MOST, ANY = 64, -1


class RandomEvent:
    """An event with byes, drops, late entries and pairs kept apart, checked round by round."""

    def __init__(self, number: int, size: int = 0) -> None:
        self.source = random.Random(number)
        self.name = f"e{number}"
        lowest, highest, _share = self.source.choices(SIZES, [share for *_s, share in SIZES])[0]
        self.players = list(range(1, (size or self.source.randint(lowest, highest)) + 1))
        self.present = set(self.players)
        self.results: list[Result] = []
        self.points: dict[int, int] = defaultdict(int)
        self.byes: dict[int, int] = defaultdict(int)
        self.floats: dict[int, int] = defaultdict(int)
        self.met: dict[int, set[int]] = defaultdict(set)
        self.apart: dict[int, set[int]] = defaultdict(set)
        for _pair in range(self.source.choice((0, 0, 1, 3, len(self.players) // 4))):
            one, other = self.source.sample(self.players, 2)
            self.apart[one].add(other)
            self.apart[other].add(one)

    def play(self) -> "RandomEvent":
        """Play all rounds; raises AssertionError where a rule is broken."""
        for number in range(1, self.source.randint(2, min(7, len(self.players) - 1)) + 1):
            if len(self.present) < 3:
                break
            entrants = [self.entrant(player) for player in sorted(self.present)]
            pairs = pair_round(entrants, seed=f"{self.name}:{number}")
            self.check(pairs)
            for pair in pairs:
                self.settle(pair, number)
            self.come_and_go(number)
        return self

    def entrant(self, player: int) -> Entrant:
        """Return a player as the pairing is told of them."""
        return Entrant(
            player=player,
            points=self.points[player],
            met=frozenset(self.met[player]),
            apart=frozenset(self.apart[player]),
            byes=self.byes[player],
            floats=self.floats[player],
        )

    def check(self, pairs: tuple[SwissPair, ...]) -> None:
        """Hold a round against the rules."""
        seated = [player for pair in pairs for player in (pair.a, pair.b) if player is not None]
        assert sorted(seated) == sorted(self.present), "everybody once"
        resting = [int(pair.a) for pair in pairs if pair.b is None]
        assert len(resting) == len(self.present) % 2, "at most one bye"
        field = self.present.difference(resting)
        playing = [(int(pair.a), int(pair.b)) for pair in pairs if pair.b is not None]
        again = any(b in self.met[a] for a, b in playing)
        least = self.least(field, self.met, self.apart)
        if again or any(b in self.apart[a] for a, b in playing):
            assert least is None, "no rematch and nobody kept apart while that can be"
            assert not again or self.least(field, self.met) is None, "no rematch for a wish"
        else:
            assert least in (ANY, self.cost(playing)), "the least squared differences of points"
        for player in resting:
            self.check_bye(player)

    def check_bye(self, resting: int) -> None:
        """See that whoever should have rested before this player leaves others no pairing."""
        before = (self.byes[resting], self.points[resting])
        for player in self.present:
            if (self.byes[player], self.points[player]) < before:
                field = self.present - {player}
                assert self.least(field, self.met, self.apart) is None, "the lowest rests"

    def cost(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Return the sum of the squared differences of points."""
        return sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs)

    def least(self, field: set[int], *barred: dict[int, set[int]]) -> int | None:
        """Return the least cost of pairing a field, by one matching of the raw graph, or None.

        A field for which that takes too long can be paired where nobody is kept from half of it
        (Dirac): ``ANY``.
        """
        kept = {one: set().union(*(each[one] for each in barred)) & field for one in field}
        if len(field) > MOST:
            assert all(2 * len(others) < len(field) for others in kept.values())
            return ANY
        graph = networkx.Graph()
        graph.add_nodes_from(sorted(field))
        for one, other in combinations(sorted(field), 2):
            if other not in kept[one]:
                gap = self.points[one] - self.points[other]
                graph.add_edge(one, other, weight=10_000 - gap**2)
        found = networkx.max_weight_matching(graph, maxcardinality=True)
        return self.cost(found) if 2 * len(found) == len(field) else None

    def settle(self, pair: SwissPair, number: int) -> None:
        """Give a pair a result."""
        a, b = int(pair.a), pair.b
        if b is None:
            self.byes[a] += 1
            self.points[a] += 3
            self.results.append(two_player_result(a=a, b=None, round=number, winner=Winner.A))
            return
        other = int(b)
        if self.points[a] != self.points[other]:
            self.floats[a] += 1
            self.floats[other] += 1
        self.met[a].add(other)
        self.met[other].add(a)
        score = (self.source.choice((0, 1, 2)), self.source.choice((0, 1, 2)))
        winner = Winner.A if score[0] > score[1] else Winner.B
        if score[0] == score[1]:
            winner = Winner.DRAW
        self.points[a] += {Winner.A: 3, Winner.DRAW: 1, Winner.B: 0}[winner]
        self.points[other] += {Winner.A: 0, Winner.DRAW: 1, Winner.B: 3}[winner]
        self.results.append(
            two_player_result(a=a, b=other, round=number, winner=winner, score=score)
        )

    def come_and_go(self, number: int) -> None:
        """Let somebody leave now and then, and somebody come late."""
        if self.source.random() < 0.3:
            self.present.discard(self.source.choice(self.players))
        if number < 3 and self.source.random() < 0.2:
            late = len(self.players) + 1
            self.players.append(late)
            self.present.add(late)

    def check_standings(self) -> None:
        """Hold the table against the slow second reading of the rules."""
        found: dict[int, set[Any]] = defaultdict(set)
        for row in rank(players=self.players, results=self.results).rows:
            found[row.rank].add(row.player)
            assert row.values["points"] == oracle.points_in(row.player, self.results)
        assert [found[key] for key in sorted(found)] == oracle.expected(self.players, self.results)
