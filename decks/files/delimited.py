"""CSV as rows of strings; comma, semicolon or tab; quoted cells may hold line breaks."""

import csv
import re
from collections.abc import Iterator
from io import StringIO

from decks.files.limits import (
    Limits,
    rejected,
    too_many_cells,
    too_many_columns,
    too_many_rows,
)

DELIMITERS = ",;\t"

FORMULA_SIGNS = "=+\\-@\t\r＝＋－＠"

_QUOTED = re.compile(r'"[^"]*"')
_ANNOUNCED = re.compile(r'"?sep=([,;\t])"?', re.IGNORECASE)
_GUARDED = re.compile(f"'+[{FORMULA_SIGNS}]")


def delimited_rows(
    text: str, limits: Limits, delimiter: str = ""
) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows with their number in a spreadsheet, from 1.

    The delimiter is by default that of the first line. The apostrophe that keeps a cell from being
    a formula is removed. Raises BadInput ``file_rejected``.
    """
    delimiter = delimiter or delimiter_of(text)
    kept = seen = 0
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if number == 1 and _ANNOUNCED.fullmatch(delimiter.join(cells)):
                continue
            cells = [_unguard_formula(cell) for cell in cells]
            seen += len(cells)
            if seen > limits.cells:
                raise too_many_cells(limits)
            if not any(map(str.strip, cells)):
                continue
            kept += 1
            if kept > limits.rows + 1:  # and the header
                raise too_many_rows(limits)
            if len(cells) > limits.columns and any(map(str.strip, cells[limits.columns :])):
                raise too_many_columns(limits)
            yield number, cells[: limits.columns]
    except csv.Error:
        raise rejected(
            "Row %(row)s of the table can't be read: its quotation marks don't match.",
            row=number + 1,
        ) from None


def delimiter_of(text: str) -> str:
    """Return the delimiter of the first non-empty line."""
    first = first_line(text)
    if announced := _ANNOUNCED.fullmatch(first):
        return announced[1]
    return max(DELIMITERS, key=_QUOTED.sub("", first).count)


def is_divided(line: str) -> bool:
    """Return whether a line has a delimiter outside of quotation marks, or announces one."""
    bare = _QUOTED.sub("", line)
    return bool(_ANNOUNCED.fullmatch(line)) or any(sign in bare for sign in DELIMITERS)


def head_line(text: str) -> str:
    """Return the first line that may name columns: not empty, and not that of the delimiter."""
    lines = (line.strip(" \r\n") for line in StringIO(text) if line.strip())
    return next((line for line in lines if not _ANNOUNCED.fullmatch(line)), "")


def first_line(text: str) -> str:
    """Return the first non-empty line."""
    return next((line.strip(" \r\n") for line in StringIO(text) if line.strip()), "")


def _unguard_formula(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell
