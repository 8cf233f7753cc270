"""What a game's card catalogue adds to a list: kinds, expansions, limits, unknown names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rules.deckbuilding.card_lists.lists import CardLists
from rules.deckbuilding.deck import Deck, Entry, Violation
from rules.wording import Sentence
from rules.wording import gettext_noop as _

SUGGESTIONS = 3
SUGGEST_FOR = 20  # near names are looked for in the whole catalogue: not for a list of rubbish


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """What the catalogue says of one card; empty where it says nothing.

    ``keys`` are its names in every language by ``name_key``: one card, whichever is written.
    """

    name: str
    keys: tuple[str, ...] = ()
    kind: str = ""
    expansion: str = ""
    genus: str = ""
    max_copies: int | None = None


class Catalogue(Protocol):
    """The cards of a game, by ``name_key`` in any of their languages."""

    def get(self, key: str, /) -> CardFacts | None:
        """Return what is known of a card; None for a name that nobody knows."""
        ...

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most like an unknown one, as they are written, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Aliased:
    """A catalogue that knows a card under the aliases of card lists too."""

    cards: Catalogue
    originals: Mapping[str, str]

    def get(self, key: str, /) -> CardFacts | None:
        """Return what is known of a card under its name, else under one that lists equate."""
        facts = self.cards.get(key)
        if facts is None and self.originals:
            original = self.originals.get(key, key)
            equal = (alias for alias, of in self.originals.items() if of == original)
            found = (self.cards.get(other) for other in (original, *equal))
            facts = next((each for each in found if each is not None), None)
        return facts

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most like an unknown one."""
        return self.cards.nearest(key, limit)


def with_facts(deck: Deck, catalogue: Catalogue) -> Deck:
    """Return the deck with the catalogue's kinds and genera, and its expansion where none is."""
    zones = {
        key: tuple(entry_with_facts(entry, catalogue) for entry in entries)
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def entry_with_facts(entry: Entry, catalogue: Catalogue) -> Entry:
    """Return an entry with what the catalogue knows of its card."""
    facts = catalogue.get(entry.key)
    if facts is None:
        return entry
    kind, genus = facts.kind or entry.kind, facts.genus or entry.genus
    expansion = entry.expansion or facts.expansion
    if (kind, genus, expansion) == (entry.kind, entry.genus, entry.expansion):
        return entry
    return entry.but(kind=kind, genus=genus, expansion=expansion)


def with_languages(lists: CardLists, catalogue: Catalogue, decks: Iterable[Deck]) -> CardLists:
    """Return the lists with one key for each card of the decks, in whatever language it stands.

    A card counts under the name that a list gives it, else under the catalogue's first name.
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
    """Yield ``card.unknown`` for each card that the catalogue lacks, with the nearest names."""
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
        yield Violation(
            code="card.unknown",
            sentence=Sentence(template, {"card": entry.name, "names": near}),
            zone=zone,
            card=entry.name,
            line=entry.line,
            suggestions=near,
        )
