"""The writer of a file type, and the registry of writers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules.deckbuilding.around import TAGS
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import section_word
from rules.deckbuilding.rows import COLUMNS
from rules.registry import Registry
from rules.wording import Sentence


@dataclass(frozen=True, kw_only=True)
class Writer:
    """A file type in which lists can be downloaded."""

    key: str
    ending: str
    content_type: str
    label: Sentence
    write: Callable[[Deck, DeckFormat], bytes]


WRITERS = Registry("file_type", Writer)


def table_rows(deck: Deck) -> Iterator[tuple[str | int, ...]]:
    """Yield a deck as rows: the header, the declared language if any, the cards."""
    yield COLUMNS
    if deck.language:
        declares = {"name": f"Language: {deck.language}"}
        yield tuple(declares.get(column, "") for column in COLUMNS)
    for zone, entry in deck:
        tags = (str(getattr(entry, tag)) for tag in TAGS)
        yield (section_word(zone), entry.count, entry.name, *tags)
