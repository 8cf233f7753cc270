"""What a game's card catalogue adds to a list: kinds, expansions, limits, unknown names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from rules.deckbuilding.deck import Deck, Entry, Violation
from rules.names import name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

SUGGESTIONS = 3
SUGGEST_FOR = 10  # a close match is looked for in the whole catalogue: not for a list of rubbish


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """What the catalogue says of one card; empty where it says nothing."""

    name: str
    kind: str = ""
    expansion: str = ""
    genus: str = ""
    max_copies: int | None = None


Catalogue = Mapping[str, CardFacts]
"""Cards by ``name_key``."""


def with_facts(deck: Deck, catalogue: Catalogue) -> Deck:
    """Return the deck with the catalogue's kinds and genera, and its expansion where none is."""
    zones = {
        key: tuple(entry_with_facts(entry, catalogue) for entry in entries)
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def entry_with_facts(entry: Entry, catalogue: Catalogue) -> Entry:
    """Return an entry with what the catalogue knows of its card."""
    facts = catalogue.get(name_key(entry.name))
    if facts is None:
        return entry
    return replace(
        entry,
        kind=facts.kind or entry.kind,
        genus=facts.genus or entry.genus,
        expansion=entry.expansion or facts.expansion,
    )


def unknown_cards(deck: Deck, catalogue: Catalogue) -> Iterator[Violation]:
    """Yield ``card.unknown`` for each card that the catalogue lacks, with the nearest names."""
    suggested = 0
    for zone, entry in deck:
        key = name_key(entry.name)
        if key in catalogue:
            continue
        near: list[str] = []
        if suggested < SUGGEST_FOR:
            suggested += 1
            near = get_close_matches(key, catalogue, n=SUGGESTIONS)
        values = {"card": entry.name, "names": tuple(catalogue[name].name for name in near)}
        template = (
            _("“%(card)s” is not in the card catalogue. Did you mean: %(names)s?")
            if near
            else _("“%(card)s” is not in the card catalogue. Check how it is spelt.")
        )
        yield Violation(
            code="card.unknown",
            sentence=Sentence(template, values),
            zone=zone,
            card=entry.name,
            line=entry.line,
        )
