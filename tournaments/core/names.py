"""How names stand in lists in which people look for themselves: by surname, folded."""

from functools import lru_cache
from typing import NamedTuple, Protocol

from anyascii import anyascii

from rules.people.surnames import split_name

APART = str.maketrans({"'": "", "`": "", '"': "", "-": " ", ".": " ", ",": " "})


class Named(Protocol):
    """A player: an entry or its row."""

    @property
    def name(self) -> str:
        """Return the name as it is shown."""

    @property
    def surname(self) -> str:
        """Return the surname that was given; "" where it is guessed."""

    @property
    def number(self) -> int:
        """Return the player's number."""


class Listed(NamedTuple):
    """A name as lists show it, surname first, and the key by which it is sorted."""

    surname: str
    given: str
    key: tuple[str, str]

    @property
    def letters(self) -> str:
        """Return the first letters by which a page of names is found."""
        return self.surname[:3]

    def __str__(self) -> str:
        return f"{self.surname} {self.given}".strip()


def folded(text: str) -> str:
    """Return the key by which people look for words: à as a, Đ as d, ő as o, D’Amico as damico."""
    return " ".join(anyascii(text).casefold().translate(APART).split())


@lru_cache(maxsize=8192)
def _listed(name: str, surname: str) -> Listed:
    own, given = split_name(name, surname)
    return Listed(own, given, (folded(own), folded(given)))


def listed(entry: Named) -> Listed:
    """Return a player's name as lists show it; no query."""
    return _listed(entry.name, entry.surname)


def by_surname(entry: Named) -> tuple[tuple[str, str], int]:
    """Return the key by which players are sorted where they look for themselves."""
    return listed(entry).key, entry.number
