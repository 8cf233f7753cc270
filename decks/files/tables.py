"""Read a table from CSV or the first sheet of a workbook, told apart by content."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from decks.files.delimited import delimited_rows
from decks.files.encodings import decode, is_zip
from decks.files.kinds import kind_of_text, of_other_kind
from decks.files.limits import ONE_LIST, Limits, require_size
from decks.files.workbook import workbook_rows
from rules.errors import BadInput
from rules.names import name_key


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row; ``number`` is the one that a spreadsheet shows, from 1."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """Return a cell stripped of white space; empty if the row or the table lacks it."""
        if column is None or column >= len(self.cells):
            return ""
        return self.cells[column].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header and the non-empty rows below it.

    A row may have fewer or more cells than the header.
    """

    header: tuple[str, ...]
    rows: tuple[Row, ...]

    def columns(self, words: Mapping[str, Sequence[str]], *needed: str) -> dict[str, int]:
        """Return the index of each column by its key; ``words`` maps names of columns to keys.

        Names are compared as ``head_key`` does. Raises BadInput ``column_missing`` for a
        required column, ``column_twice`` for two columns with one key.
        """
        keys = {head_key(word): key for key, known in words.items() for word in known}
        found: dict[str, int] = {}
        for at, head in enumerate(self.header):
            key = keys.get(head_key(head))
            if key in found:
                raise column_twice(self.header[found[key]], head)
            if key is not None:
                found[key] = at
        for key in needed:
            if key not in found:
                raise column_missing(words[key][0])
        return found


def head_key(text: str) -> str:
    """Return the key of a column's name: no case, accents, underscores, colon or point."""
    return " ".join(name_key(text).replace("_", " ").rstrip(":.").split())


def column_missing(name: str) -> BadInput:
    """Return the error for a table without a column."""
    return BadInput(
        "column_missing",
        "The first row must name a column: %(column)s. Nothing was stored.",
        column=name,
    )


def column_twice(first: str, second: str) -> BadInput:
    """Return the error for a table with two columns that are read as the same."""
    return BadInput(
        "column_twice",
        "Two columns are read as the same: %(first)s, %(column)s. Nothing was stored: call one of "
        "them otherwise, or take it out.",
        first=first,
        column=second,
    )


def read_table(content: bytes, name: str = "", limits: Limits = ONE_LIST) -> Table:
    """Return the table of a CSV file or of the first sheet of an .xlsx workbook.

    The type follows from the content, not from the name. All cells are strings. Raises
    BadInput: ``file_too_large``, ``file_rejected``.
    """
    return table_of(read_rows(content, name, limits))


def read_rows(
    content: bytes, name: str = "", limits: Limits = ONE_LIST
) -> Iterator[tuple[int, list[str]]]:
    """Return the non-empty rows of a CSV file or workbook with their numbers, from 1."""
    require_size(content, limits)
    if is_zip(content) or name.lower().endswith(".xlsx"):
        return workbook_rows(content, limits)
    text = decode(content)
    require_table(text)
    return delimited_rows(text, limits)


def require_table(text: str) -> None:
    """Raise BadInput ``file_rejected`` for a text of another kind than lists and tables."""
    if kind := kind_of_text(text):
        raise of_other_kind(kind)


def table_of(rows: Iterable[tuple[int, Sequence[str]]]) -> Table:
    """Return the table of numbered rows; the first row is the header."""
    found: Iterator[Row] = (Row(number, tuple(cells)) for number, cells in rows)
    first = next(found, None)
    header = tuple(cell.strip() for cell in first.cells) if first else ()
    return Table(header=header, rows=tuple(found))
