"""The players of a round in the order of the pairing, with a seeded number for each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import sha256
from struct import unpack

from rules.results import PlayerId
from rules.swiss.field import Field

_ELSEWHERE = -1
"""The index of anybody who is not in the round, so that no index equals it."""
_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player to pair: points, players met, and players kept apart from.

    ``byes`` and ``floats`` count byes, and matches against players with other points, so far.
    """

    player: PlayerId
    points: int = 0
    met: frozenset[PlayerId] = frozenset()
    apart: frozenset[PlayerId] = frozenset()
    byes: int = 0
    floats: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BarredPairs:
    """Pairs to avoid: players who have met, and players whom the organiser keeps apart."""

    met: Sequence[AbstractSet[int]]
    apart: Sequence[AbstractSet[int]]

    def both(self) -> Sequence[AbstractSet[int]]:
        """Return, for each player, those met before or to be kept apart, as indexes."""
        return [
            met | apart if apart else met for met, apart in zip(self.met, self.apart, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Lineup:
    """Entrants by points in descending order, then by their 32-bit numbers from the seed."""

    entrants: Sequence[Entrant]
    noise: Sequence[int]

    def without(self, resting: Entrant) -> "Lineup":
        """Return the lineup of the others."""
        at = self.entrants.index(resting)
        return Lineup(
            [*self.entrants[:at], *self.entrants[at + 1 :]],
            [*self.noise[:at], *self.noise[at + 1 :]],
        )

    def barred(self) -> BarredPairs:
        """Return the pairs to avoid, as indexes; players who are not in the round count as -1."""
        at: dict[PlayerId, int] = defaultdict(lambda: _ELSEWHERE)
        at |= {one.player: index for index, one in enumerate(self.entrants)}
        index_of = at.__getitem__
        return BarredPairs(
            met=[{*map(index_of, one.met)} for one in self.entrants],
            apart=[{*map(index_of, one.apart)} if one.apart else _NOBODY for one in self.entrants],
        )

    def field(self, avoid: Sequence[AbstractSet[int]]) -> Field:
        """Return the players as indexes, with whom each cannot meet."""
        return Field(
            points=[one.points for one in self.entrants],
            avoid=avoid,
            floats=[one.floats for one in self.entrants],
            noise=self.noise,
        )


def lined_up(entrants: Iterable[Entrant], seed: str) -> Lineup:
    """Return the lineup; players of equal points and number are ordered by their names as texts.

    The number is the first 32 bits of the SHA-256 of ``SEED:PLAYER``. Results of whole numbers
    are sorted by one key each, as tuples would take five times as long.
    """
    known = sorted(entrants, key=lambda one: str(one.player))
    digests = [sha256(f"{seed}:{one.player}".encode()).digest() for one in known]
    noise = unpack(f">{'I28x' * len(digests)}", b"".join(digests))
    keys = [number - (one.points << 32) for number, one in zip(noise, known, strict=True)]
    order = sorted(range(len(known)), key=keys.__getitem__)
    return Lineup([known[at] for at in order], [noise[at] for at in order])
