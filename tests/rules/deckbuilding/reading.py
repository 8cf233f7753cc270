"""The games whose lists the tests read, and what they look at in a list."""

from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse

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


def only(line: str, shape: DeckFormat = EXO) -> Entry:
    """Return the card of a list of one line, which has no problem."""
    deck = parse(line, shape)
    assert deck.problems == ()
    ((_zone, entry),) = deck
    return entry
