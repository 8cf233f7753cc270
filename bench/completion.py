"""Completion of card names out of 20,000 cards, against a linear scan for the input."""

from collections.abc import Iterator

from bench.timing import Ratio, compare
from decks.cards.index import CardIndex, CardRow
from decks.cards.samples import sample_cards
from rules.names import name_key

CARDS = 20_000
OFFERED = 8


def measure() -> Iterator[Ratio]:
    """Yield the ratios for a prefix, an inner word, and a misspelling."""
    index = CardIndex(1, "thoom", rows())
    keys = [key for row in rows() for key in row[:2]]
    for what, typed in (
        ("first letters", "lupo di"),
        ("inside", "vetro 77"),
        ("slip", "lupo di vitro"),
    ):
        index.complete(typed, OFFERED)
        yield compare(
            f"complete, {what}, {CARDS:,} cards / scan for the letters",
            lambda typed=typed: index.complete(typed, OFFERED),
            lambda typed=typed: scanned(keys, typed),
        )


def rows() -> Iterator[CardRow]:
    """Yield invented cards with numbered names."""
    known = [card for game in ("thoom", "yugioh") for card in sample_cards(game)]
    for at in range(CARDS):
        card = known[at % len(known)]
        name, name_en = f"{card.name} {at}", f"{card.name_en} {at}"
        yield name_key(name), name_key(name_en), name, name_en, card.kind, "", "", None, "", ""


def scanned(keys: list[str], typed: str) -> list[str]:
    """Return the names that contain the input."""
    return [key for key in keys if typed in key][:OFFERED]
