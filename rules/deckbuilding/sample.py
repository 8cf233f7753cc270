"""What a game says of lists for demonstrations: its invented cards, and a legal list of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol


class Take(Protocol):
    """Gives so many names of cards of a kind, each of them once."""

    def __call__(
        self, count: int, kind: str, *, expansions: tuple[str, ...] = (), genus: str = ""
    ) -> list[str]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """How many invented cards of each kind the game has, and the list of a number.

    ``write`` gets the source of their names and the number; other numbers give other lists.
    """

    cards: Mapping[str, int]
    write: Callable[[Take, int], str]
