"""Lists that are XML documents: from the rows that a handler of elements collects to a list."""

import re
from collections.abc import Callable

from decks.files.limits import ONE_LIST, rejected
from decks.files.workbook import Elements, read_xml
from decks.readers.base import READERS, Reader, ReadList, Source, editable_text
from rules.deckbuilding.rows import CardRow, deck_from_rows


class Cards(Elements):
    """Base of the handlers, which collect the cards of a document with their line numbers.

    ``root`` is the name of the outermost element.
    """

    def __init__(self) -> None:
        """Begin without a card."""
        super().__init__(most=ONE_LIST.elements)
        self.root = ""
        self.rows: list[CardRow] = []


def read_cards(source: Source, cards: Cards, *, root: str, otherwise: str) -> ReadList:
    """Return the list of a document; one with another root is refused, saying ``otherwise``."""
    # The parser gets the decoded text, so that it cannot decode it differently.
    read_xml([_without_declaration(source.text).encode()], cards)
    if cards.root != root:
        raise rejected(otherwise)
    deck_format = source.rules.format
    deck = deck_from_rows(cards.rows, deck_format, source.rules.catalogue)
    return ReadList(deck=deck, text=editable_text(deck, source.rules))


def xml_reader(
    key: str,
    recognised: Callable[[str], object],
    cards: type[Cards],
    *,
    root: str,
    otherwise: str,
) -> Reader:
    """Register the reader of a kind of document, named by its ending; the rest as in read_cards.

    ``recognised`` tells by a text whether it is one of these.
    """
    return READERS.define(
        key=key,
        ending=f".{key}",
        recognises=lambda source: bool(recognised(source.text)),
        read=lambda source: read_cards(source, cards(), root=root, otherwise=otherwise),
    )


def _without_declaration(text: str) -> str:
    """Return the document without its XML declaration, line breaks kept."""
    return re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
