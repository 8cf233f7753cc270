"""The rows of a table of players as people, and what of them can't be read or is not used.

A table stays a table: its cells are never divided. Only the lines of a pasted list are. What
columns hold is told in ``people_columns``, or by hand.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from decks.files.encodings import decode_text, is_zip
from decks.files.limits import (
    FileLimits,
    require_size,
    too_many_columns_error,
    too_many_rows_error,
    too_much_text_error,
)
from decks.files.tables import (
    Row,
    delimited_rows,
    detect_delimiter,
    first_line,
    has_delimiter,
    require_table,
)
from decks.files.workbook import other_sheet_names, workbook_rows
from rules.errors import BadInput
from rules.numbers import parse_whole_number
from rules.people.contacts import EMAIL_KEYS, LONGEST_MEMBERSHIP, UNNAMED, membership_key
from rules.people.person_names import (
    MOST_AT_ONCE,
    BadLines,
    CommaMeaning,
    LineFault,
    Person,
    clean_person,
    read_lines,
    read_numbered_lines,
    split_at_comma,
    strip_numbering,
)
from rules.people.surnames import guess_leading_surname, guess_surname, has_surname
from tournaments.players.people_columns import (
    CHOOSE,
    COLUMNS,
    LEFT_OUT,
    MOST_ABOVE,
    NAMES,
    NUMBER,
    ColumnMapping,
    PeopleTable,
    guess_column_mapping,
    is_heading,
    mask_columns,
    unused_contact_columns,
)

PEOPLE = FileLimits(rows=MOST_AT_ONCE, columns=256, elements=400_000)
LONGEST_TEXT = 1_000_000
"""Characters of a list or a table as it is sent back: the most players, each with all cells."""
MOST_LINES = 20_000
"""Lines up to which rows keep the numbers of their spreadsheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFile:
    """The players read from a list or table, and what was left out.

    ``text`` is the source to show and edit: lines, or cells separated by tabs. ``read`` are the
    people, ``faults`` the errors of other rows. ``unused`` are columns with values left out,
    ``above`` the numbers of rows above the header, ``sheets`` unread sheets; ``unclear`` is the
    error if the user must choose a column.
    """

    text: str
    read: tuple[Person, ...]
    faults: tuple[LineFault, ...]
    unused: tuple[dict[str, Any], ...] = ()
    above: tuple[int, ...] = ()
    sheets: tuple[str, ...] = ()
    table: PeopleTable | None = None
    reading: ColumnMapping | None = None
    unclear: BadInput | None = None

    @property
    def head_row(self) -> int:
        """Return the number of the row that names the columns, or would: the first."""
        if self.table is None or self.reading is None:
            return 0
        return self.table.rows[max(self.reading.header - 1, 0)].number

    @property
    def people(self) -> list[Person]:
        """Return all of the people; raises what is ``unclear``, BadLines for ``faults``."""
        if self.unclear is not None:
            raise self.unclear
        if self.faults:
            raise BadLines(self.faults)
        return list(self.read)


def parse_tab_separated(text: str) -> PeopleTable:
    """Return tab-separated text as a table; row numbers are line numbers.

    Raises BadInput ``file_rejected`` for too many rows or columns.
    """
    lines = enumerate(text.splitlines(), start=1)
    rows = tuple(Row(number, tuple(line.split("\t"))) for number, line in lines if line.strip())
    if len(rows) > PEOPLE.rows + 1:
        raise too_many_rows_error(PEOPLE)
    table = PeopleTable(rows)
    if table.width > PEOPLE.columns:
        raise too_many_columns_error(PEOPLE)
    return table


def read_people_table(table: PeopleTable, reading: ColumnMapping) -> PeopleFile:
    """Return the players of a table, with the columns that ``reading`` says.

    Raises BadInput ``column_twice`` for two columns with one meaning, ``bad_lines`` for no or too
    many players.
    """
    reading = replace(reading, header=min(reading.header, len(table.rows)))
    heads = table.rows[reading.header - 1].cells if reading.header else ()
    rows = table.rows[reading.header :]
    held = [
        (NUMBER + _membership(heads, at) if key == NUMBER else key, at)
        for at, key in enumerate(reading.meanings)
        if key not in (LEFT_OUT, CHOOSE)
    ]
    columns = dict(held)
    if len(columns) < len(held) or {"name", "turned"} <= columns.keys():
        raise BadInput("column_twice", "Two columns have the same meaning. Change one of them.")
    unclear = _unclear(heads, reading)
    people, faults = list[Person](), list[LineFault]()
    if rows and not columns.keys() & NAMES:
        unclear = BadInput("column_missing", "Choose the column that contains the names.")
    else:
        width = len(heads) if heads and reading.divided else None
        people, faults = _people(rows, columns, width, numbered=not heads or table.width == 1)
    return PeopleFile(
        text=format_tab_separated(table.rows),
        read=tuple(people),
        faults=tuple(faults),
        unused=tuple(_unused(heads, rows, columns.values())),
        above=tuple(row.number for row in table.rows[: max(reading.header - 1, 0)]),
        table=table,
        reading=reading,
        unclear=unclear,
    )


def count_values_by_column(rows: Iterable[Row]) -> Counter[int]:
    """Return {column index: number of non-empty cells}."""
    return Counter(at for row in rows for at in range(len(row.cells)) if row.cell(at))


def format_tab_separated(rows: Sequence[Row]) -> str:
    """Return rows as tab-separated text, each on the line of its row number.

    If row numbers exceed ``MOST_LINES``, without lines for the missing rows.
    """
    lines = ["\t".join(" ".join(cell.split()) for cell in row.cells) for row in rows]
    last = rows[-1].number if rows else 0
    if last > MOST_LINES:
        return "\n".join(lines)
    placed = [""] * last
    for row, line in zip(rows, lines, strict=True):
        placed[row.number - 1] = line
    return "\n".join(placed)


def _unclear(heads: Sequence[str], reading: ColumnMapping) -> BadInput | None:
    """Return the error for a column of which has to be chosen what it holds."""
    if CHOOSE not in reading.meanings:
        return None
    at = reading.meanings.index(CHOOSE)
    name = " ".join(heads[at].split()) if at < len(heads) else ""
    if name:
        return BadInput("column_unclear", "Choose what column %(column)s contains.", column=name)
    return BadInput(
        "column_unclear", "Choose what column %(column)s contains.", column=at + 1, number=at + 1
    )


def _membership(header: Sequence[str], at: int) -> str:
    key = membership_key(header[at]) if at < len(header) else ""
    fits = 0 < len(key) <= LONGEST_MEMBERSHIP and key not in EMAIL_KEYS
    return key if fits else UNNAMED


def _people(
    rows: Sequence[Row], columns: Mapping[str, int], width: int | None, *, numbered: bool
) -> tuple[list[Person], list[LineFault]]:
    """Return the people of rows, and the rows that are none; raises BadInput ``bad_lines``.

    A row must not be wider than ``width``; ``numbered`` names may have numbers before them. A
    column may hold the surname alone, or have it first.
    """
    at_name = columns.get("turned", columns.get("name"))
    names = [row.cell(at_name) for row in rows]
    names = strip_numbering(names) if numbered else names
    surnames = [row.cell(columns.get("surname")) for row in rows]
    both = [pair for pair in zip(names, surnames, strict=True) if all(pair)]
    apart = any(not has_surname(*pair) for pair in both)
    contacts = sorted(
        (at, key.removeprefix(NUMBER)) for key, at in columns.items() if key not in COLUMNS
    )

    def person(cells: tuple[Row, str, str]) -> Person:
        row, name, surname = cells
        if width is not None and any(map(str.strip, row.cells[width:])):
            raise BadInput(
                "row_too_wide",
                "This row has more cells than the first. "
                "Put cells that contain commas in quotation marks.",
            )
        if (
            name
            and surname
            and (
                not has_surname(name, surname) or (apart and name.casefold() == surname.casefold())
            )
        ):
            name = f"{name} {surname}"
        elif "turned" in columns and not surname:
            surname = guess_leading_surname(name)
        found = clean_person(
            name or surname,
            row.cell(columns.get("club")),
            surname,
            row.cell(columns.get("byes")),
            tuple((key, row.cell(at)) for at, key in contacts if row.cell(at)),
        )
        guessed = guess_surname(found.name) in (found.surname, surname)
        return found._replace(surname="") if guessed else found

    cells = zip(rows, names, surnames, strict=True)
    return read_numbered_lines(((each[0].number, each) for each in cells), person)


def _unused(
    heads: Sequence[str], rows: Iterable[Row], used: Collection[int]
) -> Iterator[dict[str, Any]]:
    """Yield the columns of a table with values, beside those that are read."""
    values = count_values_by_column(rows)
    for at in sorted(values.keys() - set(used)):
        name = " ".join(heads[at].split()) if at < len(heads) else ""
        yield {"name": name, "number": at + 1, "values": values[at]}


_COUNT_BEHIND = re.compile(r"(?: ?\(\d{1,4}\)|: ?\d{0,4})$")
"""How many there are, behind a heading."""
_LINE_OF_TABLE = re.compile(r"[\s|:+-]+")
"""Between the names of the columns and the rows of a table of text."""


def read_people_file(
    content: bytes, name: str = "", *, memberships: Iterable[str] | None = None
) -> PeopleFile:
    """Return the players in a file: CSV, .xlsx or a list.

    ``name`` is the file's name. ``memberships``: names that the event asks for; None reads no
    contacts. Raises BadInput ``file_too_large``, ``file_rejected``, ``bad_lines`` for no or too
    many players.
    """
    require_size(content, PEOPLE)
    if is_zip(content) or name.lower().endswith(".xlsx"):
        found = _told(_table(workbook_rows(content, PEOPLE)), memberships)
        return replace(found, sheets=tuple(other_sheet_names(content)))
    text = decode_text(content)
    table = _table_in(text, file=True)
    return _listed(text) if table is None else _told(table, memberships)


def read_pasted_people(text: str, memberships: Iterable[str] | None = None) -> PeopleFile:
    """Return the players in a pasted table or list.

    ``memberships`` and errors are those of ``read_people_file``.
    """
    return read_pasted_table(text, memberships) or _listed(text)


def read_pasted_table(text: str, memberships: Iterable[str] | None = None) -> PeopleFile | None:
    """Return the players of a pasted table, None if the text is a list.

    A table has a header, tabs, quoted cells, or numbers before the names. ``memberships`` and
    errors are those of ``read_people_file``.
    """
    table = _table_in(text, file=False)
    return None if table is None else _told(table, memberships)


def read_comma_list(text: str, columns: CommaMeaning) -> PeopleFile:
    """Return the players of a list in which a comma divides each line.

    ``columns`` says what the comma separates: name and club, or surname and name. Raises as
    ``read_people_table``.
    """
    rows = split_at_comma(text)
    meanings = ("name", "club") if columns is CommaMeaning.CLUB else ("surname", "name")
    table = _table((number, cells) for number, cells in rows)
    return read_people_table(table, ColumnMapping(0, meanings))


def _told(table: PeopleTable, memberships: Iterable[str] | None) -> PeopleFile:
    """Return the people of a table as its columns tell it.

    Who may read no contacts gets a table without them, a huge table is without what is not used.
    """
    reading = guess_column_mapping(table, memberships)
    if memberships is None:
        table = mask_columns(table, reading.header, unused_contact_columns(table, reading))
    if len(format_tab_separated(table.rows)) > LONGEST_TEXT:
        unused = [at for at, key in enumerate(reading.meanings) if key == LEFT_OUT]
        table = mask_columns(table, reading.header, unused)
    if len(format_tab_separated(table.rows)) > LONGEST_TEXT:
        raise too_much_text_error(PEOPLE)
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
    if not has_delimiter(lead):
        lines = text.splitlines()
        if file and any(line.startswith('"') for line in lines):
            return _table(delimited_rows(text, PEOPLE))
        column = is_heading(lead) and not any(";" in one or one.endswith(":") for one in lines[1:])
        return parse_tab_separated(text) if column else None
    delimiter = detect_delimiter(lead)
    is_list = delimiter != "\t" and lead.count(delimiter) == lead.count(f"{delimiter} ")
    try:
        table = _table(delimited_rows(text, PEOPLE, delimiter), divided=delimiter != "\t")
    except BadInput:
        if delimiter == "\t":
            table = parse_tab_separated(text)  # quotation marks are signs of names
        elif file and not is_list:
            raise
        else:
            return None
    quoted = lead.startswith('"') or f'{delimiter}"' in lead
    if quoted or guess_column_mapping(table, ()).header or _is_numbered(table.rows):
        return table
    if delimiter == "\t":
        return table if all(len(row.cells) > 1 for row in table.rows) else None
    return table if file and not is_list else None


def _lead(text: str) -> str:
    """Return the line that tells what divides a text: the first, or one that names columns."""
    first = [line for line in text.splitlines()[:MOST_ABOVE] if line.strip()]
    divided = filter(has_delimiter, first)
    named = (one for one in divided if any(map(is_heading, one.split(detect_delimiter(one)))))
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
    numbers = (parse_whole_number(row.cell(0)) is not None and bool(row.cell(1)) for row in rows)
    return len(rows) > 1 and all(numbers)
