"""Lists that are XML documents: of Cockatrice (.cod), with the zones main and side, and of Magic
Online (.dek), with cards by name, quantity and side.

Source: deck construction, Lists in and out: cards of known kinds go from main to their home.
"""

import re
from collections.abc import Callable

from decks.files.archives import damaged_file_error
from decks.files.limits import ONE_LIST
from decks.files.workbook import Attributes, ElementHandler, read_xml
from decks.readers.base import READERS, ParsedList, Reader, ReaderInput, editable_text
from rules.deckbuilding.rows import CardTableRow, deck_from_rows
from rules.names import clean_line


class CardsHandler(ElementHandler):
    """SAX handler base: collects an XML document's cards in ``rows``.

    The rows have line numbers. ``root`` is the name of the outermost element.
    """

    def __init__(self) -> None:
        """Begin without a card."""
        super().__init__(most=ONE_LIST.elements)
        self.root = ""
        self.rows: list[CardTableRow] = []


def read_deck_document(source: ReaderInput, cards: CardsHandler, *, root: str) -> ParsedList:
    """Parse the decklist of an XML document; raise BadInput ``file_rejected``.

    cards: handler of its elements. root: name that the outermost element must have.
    """
    # The parser gets the decoded text, so that it cannot decode it differently.
    read_xml([_without_declaration(source.text).encode()], cards)
    if cards.root != root:
        raise damaged_file_error()
    deck_format = source.rules.format
    deck = deck_from_rows(cards.rows, deck_format, source.rules.catalogue)
    return ParsedList(deck=deck, text=editable_text(deck, source.rules))


def register_xml_reader(
    key: str,
    recognised: Callable[[str], object],
    cards: type[CardsHandler],
    *,
    root: str,
) -> Reader:
    """Register and return the reader of a kind of XML document.

    ``key`` is also its extension. recognised: whether a text is of this kind (truthy). cards:
    handler of its elements. root: its outermost element.
    """
    return READERS.define(
        key=key,
        ending=f".{key}",
        recognises=lambda source: bool(recognised(source.text)),
        read=lambda source: read_deck_document(source, cards(), root=root),
    )


def _without_declaration(text: str) -> str:
    """Return the document without its XML declaration, line breaks kept."""
    return re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)


COCKATRICE = "cockatrice_deck"

_MAGIC_ONLINE = r"(?!\s*(?:<\?xml[^>]*\?>\s*)?<Deck\b)"
_COCKATRICE_XML = re.compile(_MAGIC_ONLINE + r"\s*<(\?xml|!--|!DOCTYPE|cockatrice_deck)")


class _CockatriceCards(CardsHandler):
    """Collects the cards of a Cockatrice document with their line numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._zone = ""

    def begin(self, name: str, attributes: Attributes) -> None:
        self.root = self.root or name
        if name == "zone":
            zone = clean_line(attributes.get("name") or "")
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
        shown = clean_line(f"{count} {name}")
        self.rows.append(CardTableRow(number=self.place(), cells=cells, shown=shown))


COD = register_xml_reader(
    "cod",
    _COCKATRICE_XML.match,
    _CockatriceCards,
    root=COCKATRICE,
)


MAGIC_ONLINE = "deck"

_MAGIC_ONLINE_XML = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?<Deck\b")


class _MagicOnlineCards(CardsHandler):
    """Collect the cards of the document with their line numbers."""

    def begin(self, name: str, attributes: Attributes) -> None:
        self.root = self.root or name.casefold()
        if name.casefold() != "cards":
            return
        count, card = attributes.get("Quantity") or "", attributes.get("Name") or ""
        side = (attributes.get("Sideboard") or "").casefold() == "true"
        cells = {"zone": "Side" if side else "", "count": count, "name": card}
        self.rows.append(
            CardTableRow(number=self.place(), cells=cells, shown=clean_line(f"{count} {card}"))
        )


DEK = register_xml_reader(
    "dek",
    _MAGIC_ONLINE_XML.match,
    _MagicOnlineCards,
    root=MAGIC_ONLINE,
)
