"""A list as players write it. Source: deck construction, Lists in and out."""

from decks.checking.checking import require_storable
from decks.readers.base import READERS, Reader, ReadList, Source
from rules.deckbuilding.text import parse


def _read(source: Source) -> ReadList:
    require_storable(source.text)
    deck = parse(source.text, source.rules.format, source.rules.catalogue)
    return ReadList(deck=deck, text=source.text)


# Nothing marks a written list: it is what no other reader recognises.
TEXT = READERS.add(Reader(key="text", ending=".txt", recognises=lambda _source: False, read=_read))
