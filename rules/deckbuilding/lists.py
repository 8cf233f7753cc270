"""Banned and limited cards: dated lists that are data, not code."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path

from rules.names import name_key

DATA = Path(__file__).parent / "data"

BANNED = "banned"
LIMITED = "limited"
REMOVE_AFTER_USE = "remove_after_use"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCard:
    """A card of a list, with the expansion code that the list names beside it."""

    name: str
    expansion: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CardLists:
    """Cards by list, as of a date; a listed name counts in every printing."""

    dated: date | None = None
    cards: Mapping[str, tuple[ListedCard, ...]] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """Return the key under which a name counts: its own, or that of what it stands for."""
        key = name_key(name)
        return self.originals.get(key, key)

    def names(self, which: str) -> frozenset[str]:
        """Return the keys of the cards of one list."""
        return self._keys.get(which, frozenset())

    @cached_property
    def _keys(self) -> Mapping[str, frozenset[str]]:
        return {
            which: frozenset(name_key(card.name) for card in cards)
            for which, cards in self.cards.items()
        }


NO_LISTS = CardLists()


def read_lists(rows: Iterable[Mapping[str, str]], *, dated: date) -> CardLists:
    """Return the lists of rows: ``list``, ``card``, ``expansion``, ``aliases`` (by ``|``)."""
    cards: dict[str, list[ListedCard]] = {}
    originals: dict[str, str] = {}
    for row in rows:
        aliases = tuple(alias for alias in (row.get("aliases") or "").split("|") if alias)
        card = ListedCard(name=row["card"], expansion=row["expansion"], aliases=aliases)
        cards.setdefault(row["list"], []).append(card)
        originals |= {name_key(alias): name_key(card.name) for alias in aliases}
    return CardLists(
        dated=dated,
        cards={which: tuple(listed) for which, listed in cards.items()},
        originals=originals,
    )


def shipped_lists(name: str, *, dated: date) -> CardLists:
    """Return the lists that come with a game, from ``data/<name>-<date>.csv``."""
    path = DATA / f"{name}-{dated.isoformat()}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return read_lists(csv.DictReader(file), dated=dated)
