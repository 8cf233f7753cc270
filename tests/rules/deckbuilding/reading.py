"""The games whose lists the tests read, what they look at in a list, and a small catalogue."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from rules.deckbuilding.catalogue import CardCatalogue, CardFacts
from rules.deckbuilding.data.files import shipped_rules
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse_decklist
from rules.names import card_key, name_key

EXO = FORMATS.get("creatures-of-exo")
YUGIOH = FORMATS.get("yugioh-2009")
SAINT_SEIYA = FORMATS.get("saint-seiya")
THOOM = FORMATS.get("thoom")
DOOMTROOPER = FORMATS.get("doomtrooper-original")
GAMES = [EXO, YUGIOH, SAINT_SEIYA, THOOM, DOOMTROOPER]


def named(value: object) -> str | None:
    """Return how a test's parameter is called: a format by its key."""
    return value.key if isinstance(value, DeckFormat) else None


def cards_of(deck: Deck) -> list[tuple[str, int, str]]:
    """Return every card as zone, count and name."""
    return [(zone, entry.count, entry.name) for zone, entry in deck]


def problems(deck: Deck) -> list[tuple[str, int | None]]:
    """Return the codes of what reading found, and the lines."""
    return [(problem.code, problem.line) for problem in deck.problems]


def only(line: str, shape: DeckFormat = EXO) -> DeckEntry:
    """Return the card of a list of one line, which has no problem."""
    deck = parse_decklist(line, shape)
    assert deck.problems == ()
    ((_zone, entry),) = deck
    return entry


READY = {
    one.key: format_from_rules(
        replace(one.rules, legal_in=None), key="k", game="g", game_name="G", name="N"
    )
    for one in shipped_rules()
}
"""Ready-made games, without what only a catalogue can tell."""
MAGIC, COMMANDER, POKEMON = (
    READY[key] for key in ("magic-constructed", "magic-commander", "pokemon-standard")
)


def zones(deck: Deck) -> dict[str, dict[str, int]]:
    """Return the cards of each zone that has some."""
    found: dict[str, dict[str, int]] = {}
    for zone, entry in deck:
        found.setdefault(zone, {})[entry.name] = entry.count
    return found


class KnownCards:
    """Cards by the keys of their names."""

    def __init__(self, facts: Sequence[CardFacts]) -> None:
        self.cards = {key: fact for fact in facts for key in fact.keys or (card_key(fact.name),)}

    def get(self, key: str, /) -> CardFacts | None:
        return self.cards.get(key)

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        return [self.cards[near].name for near in get_close_matches(key, self.cards, n=limit)]


def cards(*facts: CardFacts) -> CardCatalogue:
    """Return a catalogue of these cards."""
    return KnownCards(facts)


def bilingual(name: str, name_en: str, **facts: object) -> CardFacts:
    """Return a card with a name in each language."""
    return CardFacts(name=name, keys=(name_key(name), name_key(name_en)), **facts)  # type: ignore[arg-type]
