"""Deck validation against counting the names with ``collections.Counter``."""

from collections import Counter
from collections.abc import Iterator

from bench.timing import Ratio, compare
from decks.samples import sample_deck
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse


def measure() -> Iterator[Ratio]:
    """Yield the ratios for one list of each game, parsed and from text."""
    for key in ("creatures-of-exo", "doomtrooper-original"):
        shape, text = FORMATS.get(key), sample_deck(key, 1)
        deck = parse(text, shape)
        names = [(entry.name, entry.count) for _zone, entry in deck]
        yield compare(
            f"validate {key} / Counter",
            lambda shape=shape, deck=deck: shape.validate(deck),
            lambda names=names: counted(names),
        )
        yield compare(
            f"parse and validate {key} / Counter of the text",
            lambda shape=shape, text=text: shape.validate(parse(text, shape)),
            lambda text=text: counted_text(text),
        )


def counted(names: list[tuple[str, int]]) -> bool:
    """Return whether no name stands more than five times."""
    copies: Counter[str] = Counter()
    for name, count in names:
        copies[name.casefold()] += count
    return max(copies.values()) <= 5


def counted_text(text: str) -> bool:
    """Return the same from ``2 Name`` lines."""
    lines = (line.partition(" ") for line in text.splitlines() if line[:1].isdigit())
    return counted([(name, int(count)) for count, _blank, name in lines])
