"""Parsing and validating lists, against counting their names with ``collections.Counter``.

All lists of a benchmark differ, as in a tournament. Each is validated as if it had just been
parsed: caches are not kept between calls.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from bench.timing import Ratio, compare
from decks.decklists.samples import sample_deck
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse_decklist

LISTS = 500


def measure() -> Iterator[Ratio]:
    """Yield three ratios for each format, and the number of lists validated per second."""
    for shape in FORMATS:
        texts = [sample_deck(shape.key, number) for number in range(LISTS)]
        decks = [parse_decklist(text, shape) for text in texts]
        names = [[(entry.name, entry.count) for _zone, entry in deck] for deck in decks]
        lists = f"{LISTS} lists of {shape.key}"
        validated = compare(
            f"validate {lists} / Counter",
            lambda shape=shape, decks=decks: validate(shape, decks),
            lambda names=names: [counted(listed) for listed in names],
            goal=2.5,
        )
        yield replace(validated, name=f"{validated.name}, {LISTS / validated.ours:,.0f}/s")
        yield compare(
            f"parse {lists} / split, Counter",
            lambda shape=shape, texts=texts: [parse_decklist(text, shape) for text in texts],
            lambda texts=texts: [counted_text(text) for text in texts],
        )
        yield compare(
            f"parse, validate {lists} / split, Counter",
            lambda shape=shape, texts=texts: [
                shape.validate(parse_decklist(t, shape)) for t in texts
            ],
            lambda texts=texts: [counted_text(text) for text in texts],
        )


def validate(shape: DeckFormat, decks: list[Deck]) -> None:
    """Validate decks with empty caches."""
    for deck in decks:
        vars(deck).pop("tally", None)
        shape.validate(deck)


def counted(names: list[tuple[str, int]]) -> bool:
    """Return whether no name occurs more than five times."""
    copies: Counter[str] = Counter()
    for name, count in names:
        copies[name.casefold()] += count
    return max(copies.values()) <= 5


def counted_text(text: str) -> bool:
    """Return the same for ``2 Name`` lines."""
    lines = (line.partition(" ") for line in text.splitlines() if line[:1].isdigit())
    return counted([(name, int(count)) for count, _blank, name in lines])
