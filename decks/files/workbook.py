"""The first sheet of an .xlsx workbook as rows of strings, read by openpyxl.

openpyxl keeps no limits: before it sees a file, all XML in it has been looked through within them
(``read_xml``). Formulas give the value stored beside them. A date is written as 2026-11-25.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, time
from io import BytesIO
from itertools import islice, repeat
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.sax import SAXException, xmlreader
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from decks.files.archives import Archive, damaged_file_error, oversized_archive_error
from decks.files.encodings import recognise_archive, wrong_kind_error
from decks.files.limits import (
    FileLimits,
    too_many_columns_error,
    too_many_rows_error,
    too_much_text_error,
)

DEEPEST = 64
PIECE = 64 * 1024  # bytes of a single name, attribute or comment

Attributes = xmlreader.AttributesImpl


class ElementHandler(ContentHandler):
    """SAX handler base that refuses more than ``most`` elements, or deep nesting.

    Subclasses get names without namespace prefix.
    """

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
            raise oversized_archive_error()
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


def read_xml(pieces: Iterable[bytes], elements: ElementHandler) -> None:
    """Parse an XML document with a handler; raise BadInput ``file_rejected``.

    pieces: the document in chunks. DTDs and entities are refused.
    """
    parser = DefusedExpatParser(forbid_dtd=True)
    parser.setContentHandler(elements)
    elements.setDocumentLocator(parser)
    try:
        for piece in pieces:
            for start in range(0, len(piece), PIECE):
                before, part = elements.events, piece[start : start + PIECE]
                parser.feed(part)
                if len(part) == PIECE and elements.events == before:
                    raise oversized_archive_error()
        parser.close()
    except DefusedXmlException:
        raise damaged_file_error() from None
    except SAXException:
        raise damaged_file_error() from None


ELSEWHERE = "xl/externalLinks/"
XML = (".xml", ".rels")

LAST_ROW = 1_048_576
"""Of a sheet. Up to a row with a greater number openpyxl would give that many empty rows."""
PARTS = 2
"""How many parts of a workbook may be as long as one may be."""
MOST_CELLS = 2_000_000
"""Cells of a sheet up to the last one of each row, the empty ones among them, and empty rows."""

LOOKED_AT = 1000
"""Rows of a sheet that is not read in which something is looked for."""

_ESCAPED = re.compile(r"_x(00[01][0-9A-Fa-f]|[Ff]{3}[EeFf])_")
"""Signs that XML can't hold. openpyxl has taken off ``_x005F_``, by which others are kept."""
_UNREADABLE = (
    *(ArithmeticError, AttributeError, InvalidFileException, LookupError, OSError),
    *(ParseError, RuntimeError, TypeError, ValueError),
)
"""What openpyxl raises for a file that is none of a workbook."""


def workbook_rows(content: bytes, limits: FileLimits) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number from 1, cells) of the first sheet's non-empty rows.

    Cells are texts. Raises BadInput ``file_rejected``.
    """
    archive = Archive(content, limits)
    if kind := recognise_archive(archive.names):
        raise wrong_kind_error(kind)
    if any(name.startswith(ELSEWHERE) for name in archive.names):
        raise damaged_file_error()
    archive.require_plain()
    formulas = _look_through(archive, limits)
    seen = kept = length = 0
    for number, cells in enumerate(_first_sheet(content, formulas=formulas), start=1):
        seen += len(cells) or 1
        if seen > MOST_CELLS:
            raise oversized_archive_error()
        texts = [_as_typed(cell) for cell in cells]
        while texts and not texts[-1].strip():
            texts.pop()
        if not texts:
            continue
        kept += 1
        if kept > limits.rows + 1:  # and the header
            raise too_many_rows_error(limits)
        if len(texts) > limits.columns:
            raise too_many_columns_error(limits)
        length += sum(map(len, texts))
        if length > limits.characters:
            raise too_much_text_error(limits)
        yield number, texts


def other_sheet_names(content: bytes) -> list[str]:
    """Return the names of a workbook's non-empty sheets after the first one."""
    with _opened(content, data_only=True) as book:
        return [sheet.title for sheet in book.worksheets[1:] if _holds_any(sheet)]


def _holds_any(sheet: Any) -> bool:
    try:
        sheet.reset_dimensions()
        rows = islice(sheet.iter_rows(values_only=True), LOOKED_AT)
        return any(value is not None for row in rows for value in row)
    except _UNREADABLE:
        raise damaged_file_error() from None


def _look_through(archive: Archive, limits: FileLimits) -> bool:
    """Return whether any cell has a formula; raises BadInput for XML beyond the limits."""
    left, formulas = PARTS * limits.elements, False
    for name in sorted(archive.names):
        if name.lower().endswith(XML):
            seen = _Counter(most=min(left, limits.elements))
            read_xml(archive.pieces(name), seen)
            left -= seen.count
            formulas = formulas or seen.formulas
    return formulas


class _Counter(ElementHandler):
    """Counts the elements of a part of the file and notes formulas; refuses impossible rows."""

    def __init__(self, most: int) -> None:
        super().__init__(most=most)
        self.count, self.formulas = 0, False

    def begin(self, name: str, attributes: Attributes) -> None:
        """Count an element; raise BadInput for a row that no sheet has."""
        self.count += 1
        if name == "row" and not _is_row(attributes.get("r") or "1"):
            raise damaged_file_error()
        self.formulas = self.formulas or name == "f"


def _is_row(number: str) -> bool:
    return number.isdecimal() and len(number) < 8 and 1 <= int(number) <= LAST_ROW


def _first_sheet(content: bytes, *, formulas: bool) -> Iterator[Sequence[Any]]:
    """Yield the values of each row; a formula without a stored value is its own text.

    Programs that don't calculate write such formulas.
    """
    values = _values(content, data_only=True)
    written = _values(content, data_only=False) if formulas else repeat(())
    for row, texts in zip(values, written, strict=False):
        yield [
            texts[at] if value is None and at < len(texts) else value
            for at, value in enumerate(row)
        ]


def _values(content: bytes, *, data_only: bool) -> Iterator[Sequence[Any]]:
    with _opened(content, data_only=data_only) as book:
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what is declared need not be so
            yield from sheet.iter_rows(min_row=1, min_col=1, values_only=True)
        except _UNREADABLE:
            raise damaged_file_error() from None


@contextmanager
def _opened(content: bytes, *, data_only: bool) -> Iterator[Any]:
    with warnings.catch_warnings(action="ignore"):
        try:
            book = load_workbook(
                BytesIO(content), read_only=True, data_only=data_only, keep_links=False
            )
        except _UNREADABLE:
            raise damaged_file_error() from None
        with closing(book):
            yield book


def _as_typed(value: object) -> str:
    """Return a value as it is typed: 12.0 is 12, a date without an hour is the day."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return str(value.date() if value.time() == time() else value)
    if isinstance(value, str) and "_x" in value:
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
    return str(value)
