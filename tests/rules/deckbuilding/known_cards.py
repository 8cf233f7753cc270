"""A card catalogue of a few cards, for tests."""

from collections.abc import Sequence
from difflib import get_close_matches

from rules.deckbuilding.catalogue import CardFacts, Catalogue
from rules.names import card_key, name_key


class KnownCards:
    """Cards by the keys of their names."""

    def __init__(self, facts: Sequence[CardFacts]) -> None:
        self.cards = {key: fact for fact in facts for key in fact.keys or (card_key(fact.name),)}

    def get(self, key: str, /) -> CardFacts | None:
        return self.cards.get(key)

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        return [self.cards[near].name for near in get_close_matches(key, self.cards, n=limit)]


def cards(*facts: CardFacts) -> Catalogue:
    """Return a catalogue of these cards."""
    return KnownCards(facts)


def bilingual(name: str, name_en: str, **facts: object) -> CardFacts:
    """Return a card with a name in each language."""
    return CardFacts(name=name, keys=(name_key(name), name_key(name_en)), **facts)  # type: ignore[arg-type]
