"""The open matches of a group, and the possible outcomes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod
from typing import NamedTuple

from rules.results import BYE, PlayerId, Result, Winner, outcome_by_winner
from rules.stages.base import Pairing, StageState, stage_kind

_MIRRORED = {"win": "loss", "draw": "draw", "loss": "win"}
_NONE: frozenset[str] = frozenset()
Players = tuple[PlayerId, PlayerId]
WINNERS = {"win": Winner.A, "draw": Winner.DRAW, "loss": Winner.B}
"""Winner of a match by its result for player a."""
OUTCOMES = tuple(WINNERS)
OUTCOME_OF = {result: outcome_by_winner(winner) for result, winner in WINNERS.items()}


class PairOutcome(NamedTuple):
    """One outcome of the open matches between two players.

    ``ended`` are (results of the first player, of the second), each "win", "draw" or "loss" by
    match. ``nexts`` are the results that each player's next match may then have; empty if it is not
    one of these matches.
    """

    ended: tuple[tuple[str, ...], tuple[str, ...]]
    nexts: tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class OpponentPair:
    """Two players, and the number of open matches against each other.

    ``is_next``: for each of the two, whether the first of these is their next match.
    """

    players: Players
    matches: int
    is_next: tuple[bool, bool]

    @cached_property
    def outcomes(self) -> tuple[PairOutcome, ...]:
        """Return all outcomes of the matches."""
        return tuple(
            self._outcome(found) for found in combinations_with_replacement(OUTCOMES, self.matches)
        )

    def _outcome(self, own: tuple[str, ...]) -> PairOutcome:
        ended = own, tuple(_MIRRORED[result] for result in own)
        nexts = [frozenset(ended[side]) if self.is_next[side] else _NONE for side in (0, 1)]
        return PairOutcome(ended, (nexts[0], nexts[1]))

    def results(self, outcome: PairOutcome) -> tuple[Result, ...]:
        """Return the results of the matches for an outcome."""
        return tuple(
            Result(seats=self.players, outcome=OUTCOME_OF[result]) for result in outcome.ended[0]
        )

    def next_bits(self, outcome: PairOutcome, seats: Mapping[PlayerId, int]) -> int:
        """Return the results of next matches as a bitmask: three bits per seat, win, draw, loss."""
        return sum(
            1 << 3 * seats[player] + OUTCOMES.index(result)
            for player, results in zip(self.players, outcome.nexts, strict=True)
            for result in results
        )


MOST_WAYS = 50_000
"""Maximum outcomes enumerated: those of two open rounds in a group of four."""
MOST_RANKED = 5_000
"""Maximum outcomes if each has to be ranked separately."""


@dataclass(frozen=True, kw_only=True)
class RemainingMatches:
    """The settled matches of a group, and the players of its open ones, in playing order.

    ``rounds`` is the number of further rounds whose pairings are unknown.
    """

    settled: tuple[Result, ...]
    open: tuple[Players, ...]
    rounds: int = 0

    @cached_property
    def next_of(self) -> dict[PlayerId, PlayerId]:
        """Return each player's opponent in their next match."""
        found: dict[PlayerId, PlayerId] = {}
        for a, b in self.open:
            found.setdefault(a, b)
            found.setdefault(b, a)
        return found

    @cached_property
    def left(self) -> Counter[PlayerId]:
        """Return each player's number of open matches."""
        return Counter(player for players in self.open for player in players)

    @cached_property
    def pairs(self) -> tuple[OpponentPair, ...]:
        """Return the pairs of players with open matches, next matches first."""
        between = Counter(map(frozenset, self.open))
        firsts: dict[frozenset[PlayerId], Players] = {}
        for players in self.open:
            firsts.setdefault(frozenset(players), players)
        return tuple(
            OpponentPair((a, b), between[both], (self.next_of[a] == b, self.next_of[b] == a))
            for both, (a, b) in firsts.items()
        )

    @property
    def number_of_outcomes(self) -> int:
        return prod((p.matches + 1) * (p.matches + 2) // 2 for p in self.pairs)

    def outcomes(self) -> Iterator[tuple[PairOutcome, ...]]:
        """Yield each outcome: one ``PairOutcome`` for each of the ``pairs``."""
        return product(*(pair.outcomes for pair in self.pairs))


def remaining_matches(state: StageState) -> dict[str, RemainingMatches]:
    """Return the settled and open matches of each group, by group name.

    For a stage of two-player matches with standings.
    """
    complete = pair_all_rounds(state) if stage_kind(state.plan).all_meet else state
    rounds = stage_kind(state.plan).total_rounds(state) - len(complete.rounds)
    found = {}
    for group in state.plan.groups:
        results = [_with_bye(result) for result in complete.results_of(group.name)]
        found[group.name] = RemainingMatches(
            settled=tuple(result for result in results if result.is_played),
            open=tuple((r.seats[0], r.seats[1]) for r in results if not r.is_played),
            rounds=rounds,
        )
    return found


def pair_all_rounds(state: StageState) -> StageState:
    """Return a round-robin stage with all its remaining rounds paired.

    Their matches are open, except forfeits of withdrawn players.
    """
    kind = stage_kind(state.plan)
    while pairings := kind.next_round(state):
        number = len(state.rounds) + 1
        played = tuple((pairing, pending_result(pairing, number)) for pairing in pairings)
        state = replace(state, rounds=(*state.rounds, played))
    return state


def pending_result(pairing: Pairing, number: int) -> Result:
    """Return the result of a pairing not played yet: open unless a rule settles it.

    ``number`` is the round's, from 1.
    """
    return Result(seats=pairing.seats, round=number, outcome=pairing.outcome)


def _with_bye(result: Result) -> Result:
    """Return an open match without an opponent with its outcome, others unchanged."""
    if len(result.seats) == 1 and not result.is_played:
        return replace(result, outcome=BYE)
    return result
