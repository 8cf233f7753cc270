"""Read a table from CSV or the first sheet of a workbook, told apart by content.

Cells of CSV are divided by comma, semicolon or tab; quoted ones may hold line breaks. Text that is
written into a workbook is never a formula.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from decks.files.encodings import decode_text, is_zip, recognise_text, wrong_kind_error
from decks.files.limits import (
    ONE_LIST,
    FileLimits,
    file_rejected_error,
    require_size,
    too_many_cells_error,
    too_many_columns_error,
    too_many_rows_error,
)
from decks.files.workbook import workbook_rows
from rules.errors import BadInput
from rules.names import name_key

DELIMITERS = ",;\t"

FORMULA_SIGNS = "=+\\-@\t\r＝＋－＠"

_QUOTED = re.compile(r'"[^"]*"')
_ANNOUNCED = re.compile(r'"?sep=([,;\t])"?', re.IGNORECASE)
_GUARDED = re.compile(f"'+[{FORMULA_SIGNS}]")


def delimited_rows(
    text: str, limits: FileLimits, delimiter: str = ""
) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number from 1, cells) of the non-empty rows of a CSV text.

    delimiter: by default that of the first line. The apostrophe that keeps a cell from being a
    formula is removed. Raises BadInput ``file_rejected``.
    """
    delimiter = delimiter or detect_delimiter(text)
    kept = seen = 0
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if number == 1 and _ANNOUNCED.fullmatch(delimiter.join(cells)):
                continue
            seen += len(cells)
            if seen > limits.cells:
                raise too_many_cells_error(limits)
            cells = [_unguard_formula(cell) for cell in cells]
            if not any(map(str.strip, cells)):
                continue
            kept += 1
            if kept > limits.rows + 1:  # and the header
                raise too_many_rows_error(limits)
            if len(cells) > limits.columns and any(map(str.strip, cells[limits.columns :])):
                raise too_many_columns_error(limits)
            yield number, cells[: limits.columns]
    except csv.Error:
        raise file_rejected_error(
            "Row %(row)s can’t be read: its quotation marks don’t match.",
            row=number + 1,
        ) from None


def detect_delimiter(text: str) -> str:
    """Return the delimiter of the first non-empty line: comma, semicolon or tab.

    The most frequent one outside quotes, or that announced by ``sep=;``.
    """
    first = first_line(text)
    if announced := _ANNOUNCED.fullmatch(first):
        return announced[1]
    return max(DELIMITERS, key=_QUOTED.sub("", first).count)


def has_delimiter(line: str) -> bool:
    """Return whether a line has an unquoted delimiter, or announces one (``sep=;``)."""
    bare = _QUOTED.sub("", line)
    return bool(_ANNOUNCED.fullmatch(line)) or any(sign in bare for sign in DELIMITERS)


def header_line(text: str) -> str:
    """Return the first line of a text that may be a header: not empty and not ``sep=;``."""
    lines = (line.strip(" \r\n") for line in StringIO(text) if line.strip())
    return next((line for line in lines if not _ANNOUNCED.fullmatch(line)), "")


def first_line(text: str) -> str:
    """Return the first non-empty line."""
    return next((line.strip(" \r\n") for line in StringIO(text) if line.strip()), "")


def _unguard_formula(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row; ``number`` is its number in a spreadsheet, from 1."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """Return a cell stripped of white space; empty if the row or the table lacks it."""
        if column is None or column >= len(self.cells):
            return ""
        return self.cells[column].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table's header and the non-empty rows below it, which may be shorter or longer."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]

    def columns(self, words: Mapping[str, Sequence[str]], *needed: str) -> dict[str, int]:
        """Return the index of each column by its key; ``words`` are the names of each key.

        Names are compared as ``header_key`` does. Raises BadInput ``column_missing`` for a key that
        is ``needed``, ``column_twice`` for two columns with one key.
        """
        keys = {header_key(word): key for key, known in words.items() for word in known}
        found: dict[str, int] = {}
        for at, head in enumerate(self.header):
            key = keys.get(header_key(head))
            if key in found:
                raise duplicate_column_error(self.header[found[key]], head)
            if key is not None:
                found[key] = at
        for key in needed:
            if key not in found:
                raise missing_column_error(words[key][0])
        return found


def header_key(text: str) -> str:
    """Return a column's name normalised: no case, accents, underscores, colon, point."""
    return " ".join(name_key(text).replace("_", " ").rstrip(":.").split())


def missing_column_error(name: str) -> BadInput:
    """Return the error ``column_missing`` for a table without a required column."""
    return BadInput("column_missing", "Columns missing: %(columns)s.", columns=name)


def duplicate_column_error(first: str, second: str) -> BadInput:
    """Return the error ``column_twice`` for two columns of the same meaning."""
    return BadInput(
        "column_twice",
        "Two columns have the same meaning: %(first)s, %(column)s. Rename or delete one.",
        first=first,
        column=second,
    )


def read_table(content: bytes, name: str = "", limits: FileLimits = ONE_LIST) -> Table:
    """Return the table of a CSV file or of an .xlsx workbook's first sheet.

    The type follows from the content or ``name``. All cells are strings. Raises BadInput:
    ``file_too_large``, ``file_rejected``.
    """
    return table_from_rows(read_rows(content, name, limits))


def read_rows(
    content: bytes, name: str = "", limits: FileLimits = ONE_LIST
) -> Iterator[tuple[int, list[str]]]:
    """Return (row number from 1, cells) of a CSV file or .xlsx workbook's non-empty rows.

    ``name`` is the file's. Raises BadInput: ``file_too_large``, ``file_rejected``.
    """
    require_size(content, limits)
    if is_zip(content) or name.lower().endswith(".xlsx"):
        return workbook_rows(content, limits)
    text = decode_text(content)
    require_table(text)
    return delimited_rows(text, limits)


def require_table(text: str) -> None:
    """Raise BadInput ``file_rejected`` for a text that is no list or table, such as HTML."""
    if kind := recognise_text(text):
        raise wrong_kind_error(kind)


def table_from_rows(rows: Iterable[tuple[int, Sequence[str]]]) -> Table:
    """Build a table from (row number, cells); the first row is the header."""
    found: Iterator[Row] = (Row(number, tuple(cells)) for number, cells in rows)
    first = next(found, None)
    header = tuple(cell.strip() for cell in first.cells) if first else ()
    return Table(header=header, rows=tuple(found))


_FORMULA, _MARKUP = "=+-@", "<"


def write_text_cell(
    sheet: Worksheet, row: int, at: int, text: str, *, quoted: Format, style: Format | None = None
) -> None:
    """Write a non-empty text into a worksheet's cell as text, never as a formula or markup.

    row, at: 0-based row and column. style: of the cell. quoted: used instead for a text that looks
    like a formula, so that editing the cell doesn't make it one.
    """
    first = text[:1]
    if first in _FORMULA:
        sheet.write_string(row, at, text, quoted)
    elif first in _MARKUP and text.startswith("<r>") and text.endswith("</r>"):
        sheet.write_rich_string(row, at, first, quoted, text[1:])
    else:
        sheet.write_string(row, at, text, style)
