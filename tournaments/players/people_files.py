"""Lists and tables of players, as a file or pasted: who is in them, and what can't be read.

A table stays a table: its cells are never divided. Only the lines of a pasted list are. What
columns hold is told in ``people_columns``, or by hand.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from decks.files.delimited import delimited_rows, delimiter_of, first_line, is_divided
from decks.files.encodings import decode, is_zip
from decks.files.limits import require_size, too_much_text
from decks.files.tables import Row, require_table
from decks.files.workbook import other_sheets, workbook_rows
from rules.errors import BadInput
from rules.people.pasted_columns import Columns, split_at_comma
from rules.people.person_names import read_lines
from rules.whole_numbers import whole_number
from tournaments.players.people_columns import (
    LEFT_OUT,
    MOST_ABOVE,
    PeopleTable,
    Reading,
    is_heading,
    told_by_names,
    unused_contacts,
    without_values,
)
from tournaments.players.people_rows import (
    LONGEST_TEXT,
    PEOPLE,
    PeopleFile,
    as_text,
    read_people_table,
    table_of_text,
)

_COUNT_BEHIND = re.compile(r"(?: ?\(\d{1,4}\)|: ?\d{0,4})$")
"""How many there are, behind a heading."""
_LINE_OF_TABLE = re.compile(r"[\s|:+-]+")
"""Between the names of the columns and the rows of a table of text."""


def read_people_file(
    content: bytes, name: str = "", *, memberships: Iterable[str] | None = None
) -> PeopleFile:
    """Return the people of a file, CSV, workbook or a list, and what of it is not used.

    ``memberships`` are those that the event asks for; with None no contact is read. Raises
    BadInput ``file_too_large``, ``file_rejected``, ``bad_lines`` for nobody or too many.
    """
    require_size(content, PEOPLE)
    if is_zip(content) or name.lower().endswith(".xlsx"):
        found = _told(_table(workbook_rows(content, PEOPLE)), memberships)
        return replace(found, sheets=tuple(other_sheets(content)))
    text = decode(content)
    table = _table_in(text, file=True)
    return _listed(text) if table is None else _told(table, memberships)


def read_paste(text: str, memberships: Iterable[str] | None = None) -> PeopleFile:
    """Return the people of a pasted text, a table or lines; raises as ``read_people_file``."""
    return pasted_table(text, memberships) or _listed(text)


def pasted_table(text: str, memberships: Iterable[str] | None = None) -> PeopleFile | None:
    """Return the people of a pasted text that is a table; None for a list with a line a player.

    A table has the names of its columns above it, tabs between its cells, quotation marks around
    them, or numbers before the names. Raises as ``read_people_file``.
    """
    table = _table_in(text, file=False)
    return None if table is None else _told(table, memberships)


def split_list(text: str, columns: Columns) -> PeopleFile:
    """Return the people of a list whose commas divide two columns; raises as above."""
    rows = split_at_comma(text)
    meanings = ("name", "club") if columns is Columns.CLUB else ("surname", "name")
    table = _table((number, cells) for number, cells in rows)
    return read_people_table(table, Reading(0, meanings))


def _told(table: PeopleTable, memberships: Iterable[str] | None) -> PeopleFile:
    """Return the people of a table as its columns tell it.

    Who may read no contacts gets a table without them, a huge table is without what is not used.
    """
    reading = told_by_names(table, memberships)
    if memberships is None:
        table = without_values(table, reading.header, unused_contacts(table, reading))
    if len(as_text(table.rows)) > LONGEST_TEXT:
        unused = [at for at, key in enumerate(reading.meanings) if key == LEFT_OUT]
        table = without_values(table, reading.header, unused)
    if len(as_text(table.rows)) > LONGEST_TEXT:
        raise too_much_text(PEOPLE)
    return read_people_table(table, reading)


def _listed(text: str) -> PeopleFile:
    """Return the people of a list with a line each; a heading above it is none of them."""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is not None and is_heading(_COUNT_BEHIND.sub("", lines[first])):
        lines[first] = ""
    text = "\n".join(lines)
    people, faults = read_lines(text)
    return PeopleFile(text=text, read=tuple(people), faults=tuple(faults))


def _table(rows: Iterable[tuple[int, Sequence[str]]], *, divided: bool = False) -> PeopleTable:
    return PeopleTable(tuple(Row(number, tuple(cells)) for number, cells in rows), divided)


def _table_in(text: str, *, file: bool) -> PeopleTable | None:
    """Return the table that a text is; None for a list. Raises BadInput ``file_rejected``."""
    require_table(text)
    if piped := _piped(text):
        return piped
    lead = _lead(text)
    if not is_divided(lead):
        lines = text.splitlines()
        if file and any(line.startswith('"') for line in lines):
            return _table(delimited_rows(text, PEOPLE))
        column = is_heading(lead) and not any(";" in one or one.endswith(":") for one in lines[1:])
        return table_of_text(text) if column else None
    delimiter = delimiter_of(lead)
    is_list = delimiter != "\t" and lead.count(delimiter) == lead.count(f"{delimiter} ")
    try:
        table = _table(delimited_rows(text, PEOPLE, delimiter), divided=delimiter != "\t")
    except BadInput:
        if delimiter == "\t":
            table = table_of_text(text)  # quotation marks are signs of names
        elif file and not is_list:
            raise
        else:
            return None
    quoted = lead.startswith('"') or f'{delimiter}"' in lead
    if quoted or told_by_names(table, ()).header or _is_numbered(table.rows):
        return table
    if delimiter == "\t":
        return table if all(len(row.cells) > 1 for row in table.rows) else None
    return table if file and not is_list else None


def _lead(text: str) -> str:
    """Return the line that tells what divides a text: the first, or one that names columns."""
    first = [line for line in text.splitlines()[:MOST_ABOVE] if line.strip()]
    divided = filter(is_divided, first)
    named = (one for one in divided if any(map(is_heading, one.split(delimiter_of(one)))))
    return next(named, first_line(text))


def _piped(text: str) -> PeopleTable | None:
    """Return a table whose cells stand between strokes, below the names of its columns.

    Without these a stroke is a sign of names.
    """
    cells = [
        (number, line.strip().removeprefix("|").removesuffix("|").split("|"))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not _LINE_OF_TABLE.fullmatch(line)
    ]
    headed = len(cells) > 1 and len(cells[0][1]) > 1 and any(map(is_heading, cells[0][1]))
    return _table(cells) if headed else None


def _is_numbered(rows: Sequence[Row]) -> bool:
    """Return whether numbers stand before the names of a table."""
    numbers = (whole_number(row.cell(0)) is not None and bool(row.cell(1)) for row in rows)
    return len(rows) > 1 and all(numbers)
