"""What a writer of files is, and the register of those there are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.lines import TAGS
from rules.deckbuilding.render import section_word
from rules.deckbuilding.rows import COLUMNS
from rules.registry import Registry
from rules.wording import Sentence


@dataclass(frozen=True, kw_only=True)
class Writer:
    """A type of file that lists are given out as."""

    key: str
    ending: str
    content_type: str
    label: Sentence
    write: Callable[[Deck, DeckFormat], bytes]


WRITERS: Registry[Writer] = Registry("file_type")


def table_rows(deck: Deck) -> Iterator[tuple[str | int, ...]]:
    """Yield a deck as a table: the header, the language of the list if it has one, the cards."""
    yield COLUMNS
    if deck.language:
        declares = {"name": f"Language: {deck.language}"}
        yield tuple(declares.get(column, "") for column in COLUMNS)
    for zone, entry in deck:
        tags = (str(getattr(entry, tag)) for tag in TAGS)
        yield (section_word(zone), entry.count, entry.name, *tags)
