"""The players of a round in the order of the pairing, with a seeded number for each.

A ``PairingField`` has them as indexes, with their score levels.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from struct import unpack

from rules.results import PlayerId

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingField:
    """The players to pair as indexes 0 … n-1 (n even), by points in descending order.

    ``avoid`` holds, for each player, the indexes they cannot meet (symmetric). ``floats`` counts
    earlier matches against players with other points; ``noise`` is a seeded random number per
    player, the last tie-break.
    """

    points: Sequence[int]
    avoid: Sequence[AbstractSet[int]]
    floats: Sequence[int]
    noise: Sequence[int]

    def cost(self, pairs: Sequence[Pair]) -> int:
        """Return the sum of the squared differences of points."""
        return sum((self.points[a] - self.points[b]) ** 2 for a, b in pairs)


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """A score group: the players ``start`` … ``end`` - 1, who all have ``points``."""

    points: int
    start: int
    end: int

    @property
    def members(self) -> range:
        """Return the players of the level."""
        return range(self.start, self.end)


def score_groups(points: Sequence[int]) -> list[ScoreGroup]:
    """Return the score groups of a field, highest first; ``points`` are in descending order."""
    found, start = [], 0
    for value, same in groupby(points):
        end = start + sum(1 for _ in same)
        found.append(ScoreGroup(value, start, end))
        start = end
    return found


def can_pair_within(level: ScoreGroup, avoid: Sequence[AbstractSet[int]]) -> bool:
    """Return whether a score group can certainly be paired within itself.

    That holds whoever floats into it. Sufficient condition: each member may meet at least half of
    the others (``avoid``: indexes they can't meet). A wrong answer affects run time only, not the
    result.
    """
    size = level.end - level.start
    if size < 4:
        return False
    if size >= 2 * max(map(len, avoid[level.start : level.end])) + 2:
        return True  # even if all whom they may not meet are of this level
    members = level.members
    most = max(sum(1 for other in avoid[one] if other in members) for one in members)
    return size >= 2 * most + 2


_ELSEWHERE = -1
"""The index of anybody who is not in the round, so that no index equals it."""
_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player to pair in a Swiss round.

    ``met`` are the opponents so far, ``apart`` players to keep apart from. ``byes`` and ``floats``
    count earlier byes, and matches against players with other points.
    """

    player: PlayerId
    points: int = 0
    met: frozenset[PlayerId] = frozenset()
    apart: frozenset[PlayerId] = frozenset()
    byes: int = 0
    floats: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AvoidedPairs:
    """The pairs to avoid: rematches (``met``), and pairs to keep ``apart``.

    Each holds, for each player, the indexes of others.
    """

    met: Sequence[AbstractSet[int]]
    apart: Sequence[AbstractSet[int]]

    def both(self) -> Sequence[AbstractSet[int]]:
        """Return, for each player, those met before or to be kept apart, as indexes."""
        return [
            met | apart if apart else met for met, apart in zip(self.met, self.apart, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Lineup:
    """The players of a Swiss round in pairing order, each with a 32-bit random number.

    They are sorted by points in descending order, then by these numbers (``noise``).
    """

    entrants: Sequence[Entrant]
    noise: Sequence[int]

    def without(self, resting: Entrant) -> "Lineup":
        """Return the lineup of the others."""
        at = self.entrants.index(resting)
        return Lineup(
            [*self.entrants[:at], *self.entrants[at + 1 :]],
            [*self.noise[:at], *self.noise[at + 1 :]],
        )

    def barred(self) -> AvoidedPairs:
        """Return the pairs to avoid, as indexes; players who are not in the round count as -1."""
        at: dict[PlayerId, int] = defaultdict(lambda: _ELSEWHERE)
        at |= {one.player: index for index, one in enumerate(self.entrants)}
        index_of = at.__getitem__
        return AvoidedPairs(
            met=[{*map(index_of, one.met)} for one in self.entrants],
            apart=[{*map(index_of, one.apart)} if one.apart else _NOBODY for one in self.entrants],
        )

    def field(self, avoid: Sequence[AbstractSet[int]]) -> PairingField:
        """Return the players as indexes, with whom each cannot meet."""
        return PairingField(
            points=[one.points for one in self.entrants],
            avoid=avoid,
            floats=[one.floats for one in self.entrants],
            noise=self.noise,
        )


def build_lineup(entrants: Iterable[Entrant], seed: str) -> Lineup:
    """Return the players in pairing order: by points, then by random number, then by name.

    The number is the first 32 bits of the SHA-256 of ``SEED:PLAYER``.
    """
    known = sorted(entrants, key=lambda one: str(one.player))
    digests = [sha256(f"{seed}:{one.player}".encode()).digest() for one in known]
    noise = unpack(f">{'I28x' * len(digests)}", b"".join(digests))
    keys = [number - (one.points << 32) for number, one in zip(noise, known, strict=True)]
    order = sorted(range(len(known)), key=keys.__getitem__)
    return Lineup([known[at] for at in order], [noise[at] for at in order])
