"""Lists of Magic Online: files (.dek), XML with cards by name, quantity and side.

Source: deck construction, Lists in and out.
"""

import re

from decks.files.workbook import Attributes
from decks.readers.xml_lists import Cards, xml_reader
from rules.deckbuilding.rows import CardRow
from rules.names import tidy
from rules.wording import gettext_noop as _

ROOT = "deck"

_XML = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?<Deck\b")


class _CardCollector(Cards):
    """Collect the cards of the document with their line numbers."""

    def begin(self, name: str, attributes: Attributes) -> None:
        self.root = self.root or name.casefold()
        if name.casefold() != "cards":
            return
        count, card = attributes.get("Quantity") or "", attributes.get("Name") or ""
        side = (attributes.get("Sideboard") or "").casefold() == "true"
        cells = {"zone": "Side" if side else "", "count": count, "name": card}
        self.rows.append(CardRow(number=self.place(), cells=cells, shown=tidy(f"{count} {card}")))


DEK = xml_reader(
    "dek",
    _XML.match,
    _CardCollector,
    root=ROOT,
    otherwise=_("The XML holds no deck of Magic Online; nothing was stored."),
)
