"""Card catalogues: kinds, expansions and limits of a game's cards, and unknown names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rules.deckbuilding.card_lists.lists import CardLists
from rules.deckbuilding.deck import Deck, Entry, Violation, of_entry
from rules.deckbuilding.legality import Legality
from rules.deckbuilding.printings import with_number
from rules.names import card_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

SUGGESTIONS = 3
SUGGEST_FOR = 20  # similar names are searched in the whole catalogue: limited for invalid lists


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """The catalogue's data of one card; fields are empty if unknown.

    ``keys`` are the ``card_key`` of its names in every language, and of its faces. ``legal_in`` are
    the formats in which it may be played, None where the catalogue does not say.
    """

    name: str
    keys: tuple[str, ...] = ()
    kind: str = ""
    expansion: str = ""
    genus: str = ""
    max_copies: int | None = None
    legal_in: Legality | None = None


class Catalogue(Protocol):
    """The cards of a game by ``card_key``, in every language."""

    def get(self, key: str, /) -> CardFacts | None:
        """Return the data of a card, None for an unknown name."""

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most similar to an unknown one, as printed, best first."""


@dataclass(frozen=True, slots=True)
class AliasedCatalogue:
    """A catalogue that also resolves the aliases of card lists."""

    cards: Catalogue
    originals: Mapping[str, str]

    def get(self, key: str, /) -> CardFacts | None:
        """Return the data of a card by its name, else by an alias."""
        facts = self.cards.get(key)
        if facts is None and self.originals:
            original = self.originals.get(key, key)
            equal = (alias for alias, of in self.originals.items() if of == original)
            found = (self.cards.get(other) for other in (original, *equal))
            facts = next((each for each in found if each is not None), None)
        return facts

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most similar to an unknown one."""
        return self.cards.nearest(key, limit)


def with_facts(deck: Deck, catalogue: Catalogue) -> Deck:
    """Return the deck with kinds and genera of the catalogue, and missing expansions filled in."""
    zones = {
        key: tuple(entry_with_facts(entry, catalogue) for entry in entries)
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def with_whole_names(deck: Deck, catalogue: Catalogue) -> Deck:
    """Return the deck with brackets that are part of a name, as the catalogue knows it, in it.

    Without them another card would be meant: Erase (Not the Urza's Legacy One).
    """
    zones = {
        key: tuple(_with_whole_name(entry, catalogue) for entry in entries)
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def _with_whole_name(entry: Entry, catalogue: Catalogue) -> Entry:
    inside = with_number(entry.expansion, entry.number) if entry.expansion else entry.number
    if not inside:
        return entry
    name = f"{entry.name} ({inside})"
    if catalogue.get(card_key(name)) is None:
        return entry
    return replace(entry, name=name, expansion="", number="")


def entry_with_facts(entry: Entry, catalogue: Catalogue) -> Entry:
    """Return an entry with the catalogue's data of its card."""
    facts = catalogue.get(entry.key)
    if facts is None:
        return entry
    kind, genus = facts.kind or entry.kind, facts.genus or entry.genus
    expansion = entry.expansion or facts.expansion
    if (kind, genus, expansion) == (entry.kind, entry.genus, entry.expansion):
        return entry
    return entry.but(kind=kind, genus=genus, expansion=expansion)


def with_languages(lists: CardLists, catalogue: Catalogue, decks: Iterable[Deck]) -> CardLists:
    """Return the lists with one key per card of the decks, whichever language names it.

    A card counts under its name in the lists, else under its first name in the catalogue.
    """
    found: dict[str, str] = {}
    for deck in decks:
        for _zone, entry in deck:
            key = entry.key
            facts = catalogue.get(key)
            if facts is None or facts.keys == (key,) or not facts.keys:
                continue
            known = [lists.originals.get(other, other) for other in facts.keys]
            one = next((other for other in known if other in lists.listed), known[0])
            if one != lists.originals.get(key, key):
                found[key] = one
    return replace(lists, originals={**lists.originals, **found}) if found else lists


def unknown_cards(deck: Deck, catalogue: Catalogue) -> Iterator[Violation]:
    """Yield ``card.unknown`` for each card missing from the catalogue, with similar names."""
    suggested: dict[str, tuple[str, ...]] = {}
    for zone, entry in deck:
        key = entry.key
        if catalogue.get(key) is not None:
            continue
        if key not in suggested and len(suggested) < SUGGEST_FOR:
            suggested[key] = tuple(catalogue.nearest(key, SUGGESTIONS))
        near = suggested.get(key, ())
        template = (
            _("“%(card)s” is not in the card catalogue. Did you mean: %(names)s?")
            if near
            else _("“%(card)s” is not in the card catalogue. Check how it is spelt.")
        )
        sentence = Sentence(template, {"card": entry.name, "names": near})
        yield replace(of_entry("card.unknown", sentence, zone, entry), suggestions=near)
