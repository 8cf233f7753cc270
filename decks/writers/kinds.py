"""Write a list as a file of a given type."""

from typing import NamedTuple

from decks.writers import delimited, objects, plain, workbook
from decks.writers.base import WRITERS
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat

__all__ = ["WRITERS", "WrittenFile", "delimited", "objects", "plain", "workbook", "write_deck"]


class WrittenFile(NamedTuple):
    """A file to be sent: its bytes, their content type, its name."""

    content: bytes
    content_type: str
    name: str


def write_deck(deck: Deck, deck_format: DeckFormat, kind: str) -> WrittenFile:
    """Return a deck as a file that reads back as the same deck, without its problems.

    ``kind`` is a key of WRITERS; raises BadInput ``unknown_file_type``.
    """
    writer = WRITERS.get(kind)
    content = writer.write(deck, deck_format)
    return WrittenFile(content, writer.content_type, f"{deck_format.key}{writer.ending}")
