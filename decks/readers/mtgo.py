"""Lists of Magic Online: files (.dek), XML with cards by name, quantity and side.

Source: deck construction, Lists in and out.
"""

import re

from decks.files.limits import ONE_LIST, rejected
from decks.files.xml_events import Attributes, Elements, read_xml
from decks.readers.base import READERS, Reader, ReadList, Source, written
from decks.readers.cockatrice import without_declaration
from rules.deckbuilding.rows import CardRow, deck_from_rows
from rules.names import tidy
from rules.wording import gettext_noop as _

ROOT = "deck"

_XML = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?<Deck\b")


class _Cards(Elements):
    """Collect the cards of the document with their line numbers."""

    def __init__(self) -> None:
        super().__init__(most=ONE_LIST.elements)
        self.root = ""
        self.rows: list[CardRow] = []

    def begin(self, name: str, attributes: Attributes) -> None:
        self.root = self.root or name.casefold()
        if name.casefold() != "cards":
            return
        count, card = attributes.get("Quantity") or "", attributes.get("Name") or ""
        side = (attributes.get("Sideboard") or "").casefold() == "true"
        cells = {"zone": "Side" if side else "", "count": count, "name": card}
        self.rows.append(CardRow(number=self.place(), cells=cells, shown=tidy(f"{count} {card}")))


def _read(source: Source) -> ReadList:
    cards = _Cards()
    read_xml([without_declaration(source.text).encode()], cards)
    if cards.root != ROOT:
        raise rejected(_("The XML holds no deck of Magic Online; nothing was stored."))
    deck_format = source.rules.format
    deck = deck_from_rows(cards.rows, deck_format, source.rules.catalogue)
    return ReadList(deck=deck, text=written(deck, deck_format))


DEK = READERS.add(
    Reader(
        key="dek",
        ending=".dek",
        recognises=lambda source: bool(_XML.match(source.text)),
        read=_read,
    )
)
