"""Lists of Cockatrice (.cod): XML with the zones main and side.

Source: deck construction, Lists in and out: cards of known kinds go from main to their home.
"""

import re

from decks.files.limits import ONE_LIST, rejected
from decks.files.xml_events import Attributes, Elements, read_xml
from decks.readers.base import READERS, Reader, ReadList, Source, written
from rules.deckbuilding.rows import CardRow, deck_from_rows
from rules.names import tidy
from rules.wording import gettext_noop as _

ROOT = "cockatrice_deck"

_MAGIC_ONLINE = r"(?!\s*(?:<\?xml[^>]*\?>\s*)?<Deck\b)"
_XML = re.compile(_MAGIC_ONLINE + r"\s*<(\?xml|!--|!DOCTYPE|cockatrice_deck)")


class _Cards(Elements):
    """Collect the cards of the document with their line numbers."""

    def __init__(self) -> None:
        super().__init__(most=ONE_LIST.elements)
        self.root = ""
        self.rows: list[CardRow] = []
        self._zone = ""

    def begin(self, name: str, attributes: Attributes) -> None:
        self.root = self.root or name
        if name == "zone":
            zone = tidy(attributes.get("name") or "")
            self._zone = "" if zone.casefold() == "main" else zone
        elif name == "card":
            self._keep(attributes)

    def end(self, name: str) -> None:
        if name == "zone":
            self._zone = ""

    def _keep(self, attributes: Attributes) -> None:
        count, name = attributes.get("number") or "", attributes.get("name") or ""
        number = attributes.get("collectorNumber") or ""
        cells = {
            "zone": self._zone,
            "count": count,
            "name": name,
            "expansion": attributes.get("setShortName") or "",
            "number": number if number.isascii() and number.isdigit() else "",
        }
        shown = tidy(f"{count} {name}")
        self.rows.append(CardRow(number=self.place(), cells=cells, shown=shown))


def _read(source: Source) -> ReadList:
    cards = _Cards()
    # The parser gets the decoded text, so that it cannot decode it differently.
    read_xml([without_declaration(source.text).encode()], cards)
    if cards.root != ROOT:
        raise rejected(_("The XML holds no deck of Cockatrice; nothing was stored."))
    deck_format = source.rules.format
    deck = deck_from_rows(cards.rows, deck_format, source.rules.catalogue)
    return ReadList(deck=deck, text=written(deck, deck_format))


def without_declaration(text: str) -> str:
    """Return the document without its XML declaration, line breaks kept."""
    return re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)


COD = READERS.add(
    Reader(
        key="cod",
        ending=".cod",
        recognises=lambda source: bool(_XML.match(source.text)),
        read=_read,
    )
)
