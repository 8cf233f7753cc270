"""Two players with matches against each other to come, and every way these can end.

How they end is told apart without their order: a table does not know it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

from rules.results import PlayerId, Result, Winner

_MIRRORED = {"win": "loss", "draw": "draw", "loss": "win"}
_NONE: frozenset[str] = frozenset()
WINNERS = {"win": Winner.A, "draw": Winner.DRAW, "loss": Winner.B}
"""By how a match can end for its player a: who wins it then."""
OUTCOMES = tuple(WINNERS)


class Way(NamedTuple):
    """One way for the open matches of two players to end, told for each of the two.

    ``nexts`` are the results that a player's next match in the group may have had; none where
    that is not one of these.
    """

    ended: tuple[tuple[str, ...], tuple[str, ...]]
    nexts: tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class Pair:
    """Two players with matches against each other to come, in the order of play.

    ``is_next`` says of both whether the first of these is their next.
    """

    players: tuple[PlayerId, PlayerId]
    matches: tuple[Result, ...]
    is_next: tuple[bool, bool]

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Return every way for the matches to end."""
        return tuple(
            self._way(found) for found in combinations_with_replacement(OUTCOMES, len(self.matches))
        )

    def _way(self, own: tuple[str, ...]) -> Way:
        ended = own, tuple(_MIRRORED[result] for result in own)
        nexts = [frozenset(ended[side]) if self.is_next[side] else _NONE for side in (0, 1)]
        return Way(ended, (nexts[0], nexts[1]))

    def results(self, way: Way) -> tuple[Result, ...]:
        """Return the results of the matches where they end in a way."""
        a, b = self.players
        return tuple(Result(a=a, b=b, winner=WINNERS[result]) for result in way.ended[0])

    def next_bits(self, way: Way, seats: Mapping[PlayerId, int]) -> int:
        """Return the results of next matches as bits: three for each seat, win, draw and loss."""
        return sum(
            1 << 3 * seats[player] + OUTCOMES.index(result)
            for player, results in zip(self.players, way.nexts, strict=True)
            for result in results
        )


def opponents(match: Result) -> tuple[PlayerId, PlayerId]:
    """Return the two players of an open match."""
    if match.b is None:
        raise ValueError("A bye is settled, not open.")
    return match.a, match.b


def opponent_in(match: Result, player: PlayerId) -> PlayerId:
    """Return whom a player meets in an open match."""
    a, b = opponents(match)
    return b if a == player else a
