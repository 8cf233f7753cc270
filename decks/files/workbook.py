"""The first sheet of an .xlsx workbook as rows of strings.

Only four parts are read: the two that name the first sheet, the shared strings, and the sheet.
Its declared dimension is ignored. Styles are not read: a date is its serial number.
"""

import re
from collections.abc import Iterator

from decks.files.archives import Archive, damaged
from decks.files.limits import Limits, rejected, too_many_columns, too_many_rows, too_much_text
from decks.files.xml_events import Attributes, Elements, read_xml

WORKBOOK_PART = "xl/workbook.xml"
RELATIONS_PART = "xl/_rels/workbook.xml.rels"
SHARED_PART = "xl/sharedStrings.xml"
ELSEWHERE = "xl/externalLinks/"

LAST_ROW = 1_048_576
MOST_SHEETS = 500  # elements in either of the two small parts

_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_WHOLE = re.compile(r"-?[0-9]{1,15}\.0+|-?[0-9.]{1,17}E\+?[0-9]{1,2}")


def workbook_rows(content: bytes, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows of the first sheet with their numbers, from 1.

    Raises BadInput ``file_rejected``.
    """
    archive = Archive(content, limits)
    if any(name.startswith(ELSEWHERE) for name in archive.names):
        raise rejected("The workbook refers to other files. Copy the list alone into a new one.")
    archive.require_plain()
    part = _first_sheet(archive)
    shared = _Shared(limits)
    if SHARED_PART in archive.names:
        read_xml(archive.pieces(SHARED_PART), shared)
    sheet = _Sheet(shared.texts, limits)
    read_xml(archive.pieces(part), sheet)
    yield from sheet.rows


def _first_sheet(archive: Archive) -> str:
    """Return the name of the part that holds the first sheet."""
    sheets = _Attributes("sheet")
    read_xml(archive.pieces(WORKBOOK_PART), sheets)
    relations = _Attributes("Relationship")
    read_xml(archive.pieces(RELATIONS_PART), relations)
    if not sheets.found:
        raise damaged()
    wanted = next((v for k, v in sheets.found[0].items() if k.rpartition(":")[2] == "id"), None)
    for relation in relations.found:
        if relation.get("Id") == wanted and "Target" in relation:
            target = relation["Target"]
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    raise damaged()


class _Attributes(Elements):
    """The attributes of all elements of one name."""

    def __init__(self, wanted: str) -> None:
        super().__init__(most=10 * MOST_SHEETS)
        self._wanted = wanted
        self.found: list[dict[str, str]] = []

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == self._wanted:
            self.found.append(dict(attributes.items()))


class _Texts(Elements):
    """Collect the text of the current element, within the limits."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(most=limits.elements)
        self.limits = limits
        self._length = 0
        self._gathered: list[str] = []
        self._gathers = False

    def text(self, content: str) -> None:
        if self._gathers:
            self.lengthen(len(content))
            self._gathered.append(content)

    def lengthen(self, by: int) -> None:
        """Count characters; raises BadInput beyond the limit."""
        self._length += by
        if self._length > self.limits.characters:
            raise too_much_text(self.limits)

    def taken(self) -> str:
        """Return the collected text and reset it."""
        text = "".join(self._gathered)
        self._gathered.clear()
        return text


class _Shared(_Texts):
    """The shared strings, without phonetic runs (rPh)."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self.texts: list[str] = []
        self._aid = False

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "rPh":
            self._aid = True
        self._gathers = name == "t" and not self._aid

    def end(self, name: str) -> None:
        self._gathers = False
        if name == "rPh":
            self._aid = False
        elif name == "si":
            self.texts.append(unescaped(self.taken()))


class _Sheet(_Texts):
    """The cells of a sheet, by row."""

    def __init__(self, shared: list[str], limits: Limits) -> None:
        super().__init__(limits)
        self.rows: list[tuple[int, list[str]]] = []
        self._shared = shared
        self._row = self._column = 0
        self._kind = self._formula = ""
        self._cells: dict[int, str] = {}

    def begin(self, name: str, attributes: Attributes) -> None:
        self._gathers = name in ("v", "f") or (name == "t" and self._kind == "inlineStr")
        if name == "row":
            self._row = _positive_number(attributes.get("r"), self._row + 1)
            self._column, self._cells = 0, {}
        elif name == "c":
            reference = _REFERENCE.fullmatch(attributes.get("r") or "")
            self._column = _column(reference[1]) if reference else self._column + 1
            self._kind = attributes.get("t") or "n"

    def end(self, name: str) -> None:
        self._gathers = False
        if name == "f":
            self._formula = f"={self.taken()}"
        elif name == "c":
            written = self.taken()
            # Programs that don't calculate write formulas without a cached result.
            self._keep(
                self._value_of_cell(written) if written or not self._formula else self._formula
            )
            self._kind = self._formula = ""
        elif name == "row" and self._cells:
            if len(self.rows) > self.limits.rows:
                raise too_many_rows(self.limits)
            width = max(self._cells)
            cells = [self._cells.get(column, "") for column in range(1, width + 1)]
            self.rows.append((self._row, cells))

    def _keep(self, text: str) -> None:
        if not text.strip():
            return
        if self._column > self.limits.columns:
            raise too_many_columns(self.limits)
        self._cells[self._column] = text

    def _value_of_cell(self, written: str) -> str:
        if self._kind == "s":
            at = _positive_number(written.strip() or "0", 0, least=0)
            if at >= len(self._shared):
                raise damaged()
            self.lengthen(len(self._shared[at]))
            return self._shared[at]
        if self._kind == "n":
            return _number(written.strip())
        return unescaped(written)


def _positive_number(written: str | None, otherwise: int, *, least: int = 1) -> int:
    """Return the number of a row or a shared string; raises BadInput if it is invalid."""
    if written is None:
        return otherwise
    if not (written.isascii() and written.isdigit() and len(written) <= 7):
        raise damaged()
    if not least <= int(written) <= LAST_ROW:
        raise damaged()
    return int(written)


def _column(letters: str) -> int:
    """Return a column's number: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _number(written: str) -> str:
    """Return a number in its shortest notation: 12.0 and 1.2E1 become 12."""
    if _WHOLE.fullmatch(written):
        try:
            value = float(written)
        except ValueError:
            return written
        if value.is_integer():
            return str(int(value))
    return written


def unescaped(text: str) -> str:
    """Decode Excel's escapes (``_xFFFE_``) of characters that XML can't hold."""
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
