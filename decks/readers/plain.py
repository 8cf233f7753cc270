"""Plain text lists. Source: deck construction, Lists in and out."""

from decks.checking import require_storable
from decks.readers.base import READERS, ReadList, Source
from rules.deckbuilding.text import parse


def _read(source: Source) -> ReadList:
    require_storable(source.text)
    deck = parse(source.text, source.rules.format, source.rules.catalogue)
    return ReadList(deck=deck, text=source.text)


# Plain text has no signature: it is the fallback if no other reader recognises the content.
TEXT = READERS.define(key="text", ending=".txt", recognises=lambda _source: False, read=_read)
