"""Lists as documents: XML of Cockatrice (.cod), with the zones main and side, and of Magic Online
(.dek), with cards by name, quantity and side; JSON in the API's shape, and text.

Of a JSON object with ``text`` and ``zones``, as in some responses, ``text`` is read.

Source: deck construction, Lists in and out: cards of known kinds go from main to their home;
contracts, check_deck.
"""

import re
from collections.abc import Callable
from typing import Any

from decks.checking import require_entry_limit, require_storable_text
from decks.files.archives import damaged_file_error
from decks.files.limits import ONE_LIST, parse_strict_json
from decks.files.workbook import Attributes, ElementHandler, read_xml
from decks.readers.base import READERS, ParsedList, Reader, ReaderInput, editable_text
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.rows import CardTableRow, deck_from_rows
from rules.deckbuilding.text import parse_decklist
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


def _object(text: str) -> dict[str, Any] | None:
    """Return the JSON object of a text; None for anything else."""
    try:
        read = parse_strict_json(text)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _read_json(source: ReaderInput) -> ParsedList:
    sent = _object(source.text)
    if sent is None or (sent.get("text") is None and sent.get("zones") is None):
        raise damaged_file_error()
    deck_format, catalogue = source.rules.format, source.rules.catalogue
    language, text = sent.get("language"), sent.get("text")
    if text is None:
        require_entry_limit(sent["zones"])
        deck = deck_from_json(sent["zones"], deck_format, language)
        return ParsedList(deck=deck, text=editable_text(deck, source.rules))
    if not isinstance(text, str) or not isinstance(language, str | None):
        raise damaged_file_error()
    require_storable_text(text)
    deck = parse_decklist(text, deck_format, catalogue, language=language or "")
    declared = f"\nLanguage: {clean_line(language)}\n" if language and clean_line(language) else ""
    return ParsedList(deck=deck, text=text + declared)


JSON = READERS.define(
    key="json",
    ending=".json",
    recognises=lambda source: source.text.lstrip().startswith("{"),
    read=_read_json,
)


def _read_text(source: ReaderInput) -> ParsedList:
    require_storable_text(source.text)
    deck = parse_decklist(source.text, source.rules.format, source.rules.catalogue)
    return ParsedList(deck=deck, text=source.text)


# Plain text has no signature: it is the fallback if no other reader recognises the content.
TEXT = READERS.define(key="text", ending=".txt", recognises=lambda _source: False, read=_read_text)
