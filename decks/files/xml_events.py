"""Incremental XML parsing without declarations, with bounded tokens and elements."""

from collections.abc import Iterable
from xml.sax import SAXException, xmlreader
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from decks.files.archives import declarations_error
from decks.files.limits import rejected

DEEPEST = 64
PIECE = 64 * 1024  # bytes of a single name, attribute or comment

Attributes = xmlreader.AttributesImpl


class Elements(ContentHandler):
    """Content handler for at most ``most`` elements; names come without prefix."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.events = 0
        self._left = most
        self._depth = 0

    def begin(self, name: str, attributes: Attributes) -> None:
        """Called at the start of an element; subclasses override it."""

    def text(self, content: str) -> None:
        """Called with a piece of the text in an element; subclasses override it."""

    def end(self, name: str) -> None:
        """Called at the end of an element; subclasses override it."""

    def setDocumentLocator(self, locator: xmlreader.Locator) -> None:  # noqa: N802 - SAX's word
        """Keep the locator, which knows the parser's position."""
        self._locator = locator

    def place(self) -> int:
        """Return the current line of the document, from 1."""
        return int(self._locator.getLineNumber() or 1)

    def startElement(self, name: str, attrs: Attributes) -> None:  # noqa: N802 - SAX's word
        """Count the element, pass it on to ``begin``; raise BadInput beyond the limit."""
        self.events += 1
        self._left -= 1
        self._depth += 1
        if self._left < 0 or self._depth > DEEPEST:
            raise endless_error()
        self.begin(name.rpartition(":")[2], attrs)

    def characters(self, content: str) -> None:
        """Pass a piece of text on to ``text``."""
        self.events += 1
        self.text(content)

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX's word
        """Pass the end of an element on to ``end``."""
        self.events += 1
        self._depth -= 1
        self.end(name.rpartition(":")[2])


def read_xml(pieces: Iterable[bytes], elements: Elements) -> None:
    """Parse a document, passing its elements on; raises BadInput ``file_rejected``."""
    parser = DefusedExpatParser(forbid_dtd=True)
    parser.setContentHandler(elements)
    elements.setDocumentLocator(parser)
    try:
        for piece in pieces:
            for start in range(0, len(piece), PIECE):
                before, part = elements.events, piece[start : start + PIECE]
                parser.feed(part)
                if len(part) == PIECE and elements.events == before:
                    raise endless_error()
        parser.close()
    except DefusedXmlException:
        raise declarations_error() from None
    except SAXException:
        raise rejected("The XML of the file is broken; nothing was stored.") from None


def endless_error() -> Exception:
    """Return the BadInput for XML beyond the limits."""
    return rejected("The XML of the file is far too long. Keep the list only, or save it as CSV.")
