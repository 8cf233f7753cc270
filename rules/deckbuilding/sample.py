"""Sample lists of a game, for demonstrations: its invented cards, and a legal list of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol


class NameSource(Protocol):
    """The source of the names of cards."""

    def __call__(
        self, count: int, kind: str, *, expansions: tuple[str, ...] = (), genus: str = ""
    ) -> list[str]:
        """Return ``count`` names of cards of a kind, without repetitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The number of invented cards per kind, and the writer of sample lists.

    ``write`` takes the source of card names and a number; different numbers give different lists.
    """

    cards: Mapping[str, int]
    write: Callable[[NameSource, int], str]
