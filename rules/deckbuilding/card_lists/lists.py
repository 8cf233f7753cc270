"""Banned, limited and other card lists as dated data, and differences between two versions."""

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path

from rules.names import card_key, name_key
from rules.wording import Sentence

DATA = Path(__file__).parent / "data"

BANNED = "banned"
LIMITED = "limited"
SEMI_LIMITED = "semi_limited"
EXCLUDED_TOGETHER = "excluded_together"
REMOVE_AFTER_USE = "remove_after_use"

LABELS: dict[str, Sentence] = {
    BANNED: Sentence("Banned cards"),
    LIMITED: Sentence("Limited cards"),
    SEMI_LIMITED: Sentence("Semi-limited cards"),
    EXCLUDED_TOGETHER: Sentence("Cards never together in a list"),
    REMOVE_AFTER_USE: Sentence("Cards removed from the game after use"),
}

COPIES: dict[str, int] = {BANNED: 0, LIMITED: 1, SEMI_LIMITED: 2}
"""Maximum copies by list; a card is in at most one of these lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCard:
    """A card of a list, with the expansion code given for it.

    ``partner`` is the card that it must not be combined with.
    """

    name: str
    expansion: str = ""
    aliases: tuple[str, ...] = ()
    partner: str = ""


@dataclass(frozen=True, kw_only=True)
class CardLists:
    """Cards by list, as of a date; an entry applies to every printing of the card."""

    dated: date | None = None
    cards: Mapping[str, tuple[ListedCard, ...]] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """Return the key under which a name counts: its own, or its card's if it is an alias."""
        key = card_key(name)
        return self.originals.get(key, key)

    def names(self, which: str) -> frozenset[str]:
        """Return the keys of the cards of one list."""
        return self._keys.get(which, frozenset())

    @cached_property
    def most_copies(self) -> Mapping[str, int]:
        return {key: most for which, most in COPIES.items() for key in self.names(which)}

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the keys of the cards that are never together, pair by pair."""
        pairs = self.cards.get(EXCLUDED_TOGETHER, ())
        return tuple((self.key(pair.name), self.key(pair.partner)) for pair in pairs)

    @cached_property
    def concerned(self) -> frozenset[str]:
        """Return the keys of aliases, of cards with a maximum, and of those of a pair."""
        together = [key for pair in self.pairs for key in pair]
        return frozenset([*self.originals, *self.most_copies, *together])

    @cached_property
    def listed(self) -> frozenset[str]:
        """Return the keys of all cards of the lists, partners of a pair included."""
        cards = [card for listed in self.cards.values() for card in listed]
        return frozenset(card_key(name) for card in cards for name in (card.name, card.partner))

    @cached_property
    def _keys(self) -> Mapping[str, frozenset[str]]:
        return {
            which: frozenset(card_key(card.name) for card in cards)
            for which, cards in self.cards.items()
        }


NO_LISTS = CardLists()


def read_lists(rows: Iterable[Mapping[str, str]], *, dated: date) -> CardLists:
    """Return the card lists of rows with list, card, expansion, aliases (separated by ``|``), with.

    The rows must be valid: see :mod:`rules.deckbuilding.card_lists.rows`.
    """
    cards: dict[str, list[ListedCard]] = {}
    originals: dict[str, str] = {}
    for row in rows:
        card = ListedCard(
            name=row["card"],
            expansion=row.get("expansion") or "",
            aliases=tuple(alias for alias in (row.get("aliases") or "").split("|") if alias),
            partner=row.get("with") or "",
        )
        cards.setdefault(row["list"], []).append(card)
        originals |= {card_key(alias): card_key(card.name) for alias in card.aliases}
    return CardLists(
        dated=dated,
        cards={which: tuple(listed) for which, listed in cards.items()},
        originals=originals,
    )


def shipped_lists(name: str) -> tuple[CardLists, ...]:
    """Return the lists shipped with a game, ``data/<name>-<date>.csv``, oldest first.

    Old files are kept: events that started with them still use them.
    """
    found = []
    for path in sorted(DATA.glob(f"{name}-????-??-??.csv")):
        dated = date.fromisoformat(path.stem.removeprefix(f"{name}-"))
        with path.open(encoding="utf-8", newline="") as file:
            found.append(read_lists(csv.DictReader(file), dated=dated))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedCard:
    """A card that moved from one of the exclusive lists to another."""

    card: ListedCard
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChanges:
    """The changes by list; ``changed`` cards have another expansion or other aliases."""

    added: Mapping[str, tuple[ListedCard, ...]]
    removed: Mapping[str, tuple[ListedCard, ...]]
    changed: Mapping[str, tuple[ListedCard, ...]]
    moved: tuple[MovedCard, ...]

    @property
    def is_empty(self) -> bool:
        """Return whether there are no changes."""
        return not (self.added or self.removed or self.changed or self.moved)


def difference(old: CardLists, new: CardLists) -> ListChanges:
    """Return the changes that turn the old lists into the new ones."""
    before = {which: _cards_by_key(old, which) for which in LABELS}
    after = {which: _cards_by_key(new, which) for which in LABELS}
    places = _list_of_card(after)
    moved = {
        key: MovedCard(card=after[places[key]][key], before=here, after=places[key])
        for key, here in _list_of_card(before).items()
        if places.get(key, here) != here
    }
    gone = {(move.before, key) for key, move in moved.items()}
    come = {(move.after, key) for key, move in moved.items()}
    return ListChanges(
        added=_select_cards(after, lambda which, key: key not in before[which], come),
        removed=_select_cards(before, lambda which, key: key not in after[which], gone),
        changed=_select_cards(
            after,
            lambda which, key: key in before[which] and before[which][key] != after[which][key],
            set(),
        ),
        moved=tuple(moved.values()),
    )


Cards = Mapping[str, Mapping[str, ListedCard]]


def _cards_by_key(lists: CardLists, which: str) -> dict[str, ListedCard]:
    """Return the cards of a list by name; a pair by both names in sorted order."""
    return {
        "\n".join(sorted(filter(None, (name_key(card.name), name_key(card.partner))))): card
        for card in lists.cards.get(which, ())
    }


def _list_of_card(cards: Cards) -> dict[str, str]:
    return {key: which for which in COPIES for key in cards[which]}


def _select_cards(
    cards: Cards, wanted: Callable[[str, str], bool], but: set[tuple[str, str]]
) -> dict[str, tuple[ListedCard, ...]]:
    picked = {
        which: tuple(
            card for key, card in kept.items() if wanted(which, key) and (which, key) not in but
        )
        for which, kept in cards.items()
    }
    return {which: kept for which, kept in picked.items() if kept}
