"""Which names are those of one card, by the rules of its game.

Source: Magic Comprehensive Rules, 201 and 709 to 712 (names of cards with several faces); Pokémon
TCG rules, cards that name a person in brackets.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rules.deckbuilding.card_lists.lists import CardLists
from rules.deckbuilding.catalogue import Catalogue
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.notation import ANYTHING, Notation
from rules.names import FACES, card_key


@dataclass(frozen=True, slots=True)
class _Group:
    """The keys of names of one card, and the beginnings and ends of further ones."""

    keys: tuple[str, ...]
    patterns: tuple[tuple[str, str], ...]

    def has(self, key: str) -> bool:
        return key in self.keys or any(
            key.startswith(begin) and key.endswith(end) and len(key) > len(begin) + len(end)
            for begin, end in self.patterns
        )


def with_one_name(
    lists: CardLists, notation: Notation, decks: Iterable[Deck], catalogue: Catalogue | None
) -> CardLists:
    """Return the lists with one key per card of the decks, whichever of its names is written.

    A card counts under its name in the lists, if there is one. What a catalogue knows as two
    cards is not one for its front face.
    """
    if not notation.same_cards and not notation.faces:
        return lists
    keys = sorted({key for deck in decks for key in deck.tally.copies})
    found = dict(_named_alike(keys, notation, lists))
    if notation.faces:
        found |= _front_faces(keys, lists, catalogue)
    return replace(lists, originals={**lists.originals, **found}) if found else lists


def one_name(name: str, notation: Notation) -> str:
    """Return the name under which a card of the game is known: the first of those it has."""
    key = card_key(name)
    groups = zip(notation.same_cards, _groups(notation.same_cards), strict=True)
    return next((names[0] for names, group in groups if group.has(key)), name)


def _named_alike(
    keys: Iterable[str], notation: Notation, lists: CardLists
) -> Iterator[tuple[str, str]]:
    """Yield the names of each card of the decks that has several, with the one that counts."""
    for group in _groups(notation.same_cards):
        of_decks = [key for key in keys if group.has(key)]
        every = dict.fromkeys((*group.keys, *of_decks)) if of_decks else {}
        one = next((key for key in every if key in lists.listed), group.keys[0])
        for key in every:
            yield key, lists.originals.get(one, one)


@lru_cache(maxsize=64)
def _groups(same_cards: tuple[tuple[str, ...], ...]) -> tuple[_Group, ...]:
    return tuple(
        _Group(
            keys=tuple(card_key(name) for name in names if ANYTHING not in name),
            patterns=tuple(_pattern(name) for name in names if ANYTHING in name),
        )
        for names in same_cards
    )


def _pattern(name: str) -> tuple[str, str]:
    begin, _anything, end = card_key(name).partition(ANYTHING)
    return begin, end


def _front_faces(
    keys: Sequence[str], lists: CardLists, catalogue: Catalogue | None
) -> Mapping[str, str]:
    """Return the key that counts for each card that is written by its front face as well."""
    found: dict[str, str] = {}
    for whole in keys:
        front = whole.partition(FACES)[0]
        if front == whole or front not in keys or _are_two_cards(front, whole, catalogue):
            continue
        one = front if front in lists.listed else whole
        found |= dict.fromkeys((front, whole), lists.originals.get(one, one))
    return found


def _are_two_cards(front: str, whole: str, catalogue: Catalogue | None) -> bool:
    facts = [catalogue.get(key) for key in (front, whole)] if catalogue is not None else []
    return None not in facts and len({one.name for one in facts if one is not None}) > 1
