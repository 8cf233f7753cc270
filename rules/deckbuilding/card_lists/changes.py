"""Differences between two versions of a game's card lists."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.deckbuilding.card_lists.lists import COPIES, LABELS, CardLists, ListedCard
from rules.names import name_key


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
    """Return the exclusive list in which each card is."""
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
