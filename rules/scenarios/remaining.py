"""The matches that a group has still to play, and every way they can end."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod

from rules.results import EndedBy, PlayerId, Result, Winner
from rules.scenarios.pairs import Pair, Way, opponents
from rules.stages.base import Pairing, StageState
from rules.stages.kind import kind_of

MOST_WAYS = 50_000
"""So many ways to end a group are looked at: as many as two rounds of four to come have."""
MOST_RANKED = 5_000
"""So many are, where each has to be ranked by itself."""


@dataclass(frozen=True, kw_only=True)
class Remaining:
    """What is settled in a group, and what is still open, in the order of play.

    ``rounds`` are to come besides, whose matches nobody knows yet.
    """

    settled: tuple[Result, ...]
    open: tuple[Result, ...]
    rounds: int = 0

    @cached_property
    def next_of(self) -> dict[PlayerId, Result]:
        """Return the next match of everybody who has one."""
        found: dict[PlayerId, Result] = {}
        for match in self.open:
            for player in opponents(match):
                found.setdefault(player, match)
        return found

    @cached_property
    def left(self) -> Counter[PlayerId]:
        """Return how many open matches everybody has."""
        return Counter(player for match in self.open for player in opponents(match))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Return who has to meet, those first for whom it is the next match."""
        between: dict[frozenset[PlayerId], list[Result]] = {}
        for match in self.open:
            between.setdefault(frozenset(opponents(match)), []).append(match)
        found = []
        for matches in between.values():
            a, b = opponents(matches[0])
            is_next = self.next_of[a] is matches[0], self.next_of[b] is matches[0]
            found.append(Pair((a, b), tuple(matches), is_next))
        return tuple(found)

    @property
    def ways(self) -> int:
        """Return how many ways there are for the open matches to end."""
        return prod((len(p.matches) + 1) * (len(p.matches) + 2) // 2 for p in self.pairs)

    def endings(self) -> Iterator[tuple[Way, ...]]:
        """Yield each way to end: one for each of the ``pairs``."""
        return product(*(pair.ways for pair in self.pairs))


def remaining_of(state: StageState) -> dict[str, Remaining]:
    """Return what is settled and open in each group of a stage that has a table."""
    complete = _all_rounds(state) if kind_of(state.plan).all_meet else state
    rounds = kind_of(state.plan).total_rounds(state) - len(complete.rounds)
    found = {}
    for group in state.plan.groups:
        results = [_with_bye(result) for result in complete.results_of(group.name)]
        found[group.name] = Remaining(
            settled=tuple(result for result in results if result.winner is not None),
            open=tuple(result for result in results if result.winner is None),
            rounds=rounds,
        )
    return found


def _all_rounds(state: StageState) -> StageState:
    """Return the stage with the rounds that are still to be made.

    Their matches are open, but for those of somebody who has left, which are given away. One of a
    round that is made already, and not settled, has been reported: its result is still to come.
    """
    kind = kind_of(state.plan)
    while pairings := kind.next_round(state):
        number = len(state.rounds) + 1
        played = tuple((pairing, _to_come(pairing, number)) for pairing in pairings)
        state = replace(state, rounds=(*state.rounds, played))
    return state


def _to_come(pairing: Pairing, number: int) -> Result:
    """Return the result of a match that is still to be paired, as far as it is certain."""
    result = Result(a=pairing.a, b=pairing.b, round=number, winner=pairing.settled)
    return replace(result, ended_by=pairing.ended_by) if pairing.ended_by else result


def _with_bye(result: Result) -> Result:
    """Return an open match without opponent as it will end, others as they are."""
    if result.winner is None and result.b is None:
        return replace(result, winner=Winner.A, ended_by=EndedBy.BYE)
    return result
