"""Chance as digests of a seed: the same on every machine, in whatever order players come."""

from hashlib import sha256
from itertools import count

from rules.results import PlayerId


def lot_of(seed: str, player: PlayerId) -> bytes:
    """Return ``sha256(seed:player)``, the sort key between players whom nothing else separates."""
    return sha256(f"{seed}:{player}".encode()).digest()


class Chance:
    """Numbers from ``sha256(seed:counter)``, one digest each."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._counter = count()

    def below(self, most: int) -> int:
        """Return a number from 0 to ``most`` - 1."""
        digest = sha256(f"{self._seed}:{next(self._counter)}".encode()).digest()
        return int.from_bytes(digest, "big") % most
