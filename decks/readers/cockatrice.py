"""Lists of Cockatrice (.cod): XML with the zones main and side.

Source: deck construction, Lists in and out: cards of known kinds go from main to their home.
"""

import re

from decks.files.workbook import Attributes
from decks.readers.xml_lists import Cards, xml_reader
from rules.deckbuilding.rows import CardRow
from rules.names import tidy
from rules.wording import gettext_noop as _

ROOT = "cockatrice_deck"

_MAGIC_ONLINE = r"(?!\s*(?:<\?xml[^>]*\?>\s*)?<Deck\b)"
_XML = re.compile(_MAGIC_ONLINE + r"\s*<(\?xml|!--|!DOCTYPE|cockatrice_deck)")


class _CardCollector(Cards):
    """Collects the cards of a Cockatrice document with their line numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._zone = ""

    def begin(self, name: str, attributes: Attributes) -> None:
        self.root = self.root or name
        if name == "zone":
            zone = tidy(attributes.get("name") or "")
            self._zone = "" if zone.casefold() == "main" else zone
        elif name == "card":
            self._collect_card(attributes)

    def end(self, name: str) -> None:
        if name == "zone":
            self._zone = ""

    def _collect_card(self, attributes: Attributes) -> None:
        count, name = attributes.get("number") or "", attributes.get("name") or ""
        cells = {
            "zone": self._zone,
            "count": count,
            "name": name,
            "expansion": attributes.get("setShortName") or "",
            "number": attributes.get("collectorNumber") or "",
        }
        shown = tidy(f"{count} {name}")
        self.rows.append(CardRow(number=self.place(), cells=cells, shown=shown))


COD = xml_reader(
    "cod",
    _XML.match,
    _CardCollector,
    root=ROOT,
    otherwise=_("The XML holds no deck of Cockatrice; nothing was stored."),
)
