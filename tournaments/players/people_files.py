"""Tables of players, as CSV, workbook or pasted cells: what each column holds, and who is in it.

The columns are told by their names; what these do not say is given by hand (``Reading``).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from decks.files.limits import Limits, too_many_rows
from decks.files.tables import Row, read_rows, table_of
from rules.errors import BadInput
from rules.people.contacts import (
    EMAIL,
    EMAIL_KEYS,
    LONGEST_MEMBERSHIP,
    UNNAMED,
    key_of,
    membership_of,
)
from rules.people.person_names import MOST_AT_ONCE, Person, people_in
from rules.people.surnames import first_surname_of, surname_of

PEOPLE = Limits(rows=MOST_AT_ONCE)
COLUMNS = {
    "name": (
        *("name", "player", "players", "player name", "first name", "full name"),
        *("nome", "giocatore", "giocatori", "nome giocatore", "nominativo"),
        *("nome e cognome", "participant", "partecipante", "partecipanti", "iscritto", "iscritti"),
    ),
    "turned": ("cognome e nome", "cognome nome", "surname and name", "last name, first name"),
    "surname": ("surname", "last name", "family name", "cognome"),
    "byes": ("byes", "bye", "awarded byes", "riposi", "turni di riposo", "bye assegnati"),
    "club": ("club", "team", "squadra", "associazione", "circolo"),
}
NAMES = frozenset({"name", "turned", "surname"})
LEFT_OUT = ""
NUMBER = "number:"
"""Stands before the key of a membership that the event asks for; alone the column's name is it."""


@dataclass(frozen=True, slots=True)
class PeopleTable:
    """The rows of a table that hold something, with the numbers that a spreadsheet shows."""

    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return max((len(row.cells) for row in self.rows), default=0)

    def as_text(self) -> str:
        """Return the table as a text with a line a row and tabs between the cells."""
        lines = [""] * max((row.number for row in self.rows), default=0)
        for row in self.rows:
            lines[row.number - 1] = "\t".join(" ".join(cell.split()) for cell in row.cells)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table is read: whether its first row names the columns, and what each column holds.

    Meanings are those of :func:`meanings_offered`.
    """

    header: bool
    meanings: tuple[str, ...]

    def as_text(self) -> str:
        """Return the reading as a text for a form."""
        return ",".join(("names" if self.header else "", *self.meanings))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedColumn:
    """A column of which nothing is read: its name, "" without one, its place, its values."""

    name: str
    number: int
    values: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFile:
    """The people of a table as it was read, and the columns with values that were left out."""

    people: list[Person]
    unused: tuple[UnusedColumn, ...]
    table: PeopleTable
    reading: Reading


def read_people_file(
    content: bytes, name: str = "", *, memberships: Iterable[str] | None = None
) -> PeopleFile:
    """Return the person of each row with a player, and the columns that are not used.

    ``memberships`` are those that the event asks for; with None no contact is read.

    Raises BadInput ``bad_lines`` with the spreadsheet's number of each invalid row,
    ``file_too_large``, ``file_rejected``, ``column_twice``.
    """
    table = _table(read_rows(content, name, PEOPLE))
    return read_people_table(table, told_by_names(table, memberships))


def pasted_table(text: str, memberships: Iterable[str] | None = None) -> PeopleFile | None:
    """Return the people of a pasted text that is a table; None for a list with a line a player.

    A table has the names of its columns above it, or more than two columns with tabs between them.
    Raises BadInput as ``read_people_file``.
    """
    try:
        table = _table(read_rows(text.encode(), "", PEOPLE))
    except (BadInput, UnicodeEncodeError):
        return None
    if table.width < 2:
        return None
    reading = told_by_names(table, memberships)
    tabs = "\t" in text and any(len(row.cells) > 2 for row in table.rows)
    return read_people_table(table, reading) if reading.header or tabs else None


def table_of_text(text: str) -> PeopleTable:
    """Return the table of ``PeopleTable.as_text``; raises BadInput ``file_rejected``."""
    lines = enumerate(text.splitlines(), start=1)
    rows = tuple(Row(number, tuple(line.split("\t"))) for number, line in lines if line.strip())
    if len(rows) > PEOPLE.rows + 1:
        raise too_many_rows(PEOPLE)
    return PeopleTable(rows)


def reading_of_text(text: str, table: PeopleTable) -> Reading:
    """Return the reading of ``Reading.as_text``; columns that it lacks are left out."""
    header, *meanings = text.split(",")
    missing = [LEFT_OUT] * table.width
    return Reading(header == "names", tuple([*meanings, *missing][: table.width]))


def told_by_names(table: PeopleTable, memberships: Iterable[str] | None) -> Reading:
    """Return what the names of the columns say; without names there are a name and a club.

    Where two columns or more are known and none has names, the first unknown one has. Raises
    BadInput ``column_twice``.
    """
    header = table.rows[0].cells if table.rows else ()
    columns = table_of((row.number, row.cells) for row in table.rows).columns(COLUMNS)
    contacts = {} if memberships is None else _contact_columns(header, columns, memberships)
    if len(columns) + len(contacts) > 1 and not columns.keys() & NAMES:
        others = (at for at in range(len(header)) if at not in {*columns.values(), *contacts})
        if (first := next(others, None)) is not None:
            columns["name"] = first
    named = bool(columns.keys() & NAMES)
    if not named:
        columns, contacts = {"name": 0, "club": 1}, {}
    meanings = {at: key for key, at in columns.items()}
    offered = meanings_offered(memberships)
    for at, key in contacts.items():
        own = NUMBER + key
        meanings[at] = key if key == EMAIL else own if own in offered else NUMBER
    return Reading(named, tuple(meanings.get(at, LEFT_OUT) for at in range(table.width)))


def meanings_offered(memberships: Iterable[str] | None) -> dict[str, str]:
    """Return what a column may hold, with the name of a membership that the event asks for.

    "" where that follows from the meaning. With None columns hold no contact.
    """
    offered = dict.fromkeys((LEFT_OUT, *COLUMNS), "")
    if memberships is not None:
        offered |= {EMAIL: ""} | {NUMBER + key_of(name): name for name in memberships}
        offered[NUMBER] = ""
    return offered


def read_people_table(table: PeopleTable, reading: Reading) -> PeopleFile:
    """Return the people of a table as it is to be read, and the columns that are left out.

    Raises BadInput ``bad_lines``, ``column_twice`` for two columns with one meaning,
    ``column_missing`` if none has the names.
    """
    header = table.rows[0].cells if reading.header and table.rows else ()
    rows = table.rows[1:] if reading.header else table.rows
    held = [
        (NUMBER + _membership(header, at) if key == NUMBER else key, at)
        for at, key in enumerate(reading.meanings)
        if key != LEFT_OUT
    ]
    meanings = dict(held)
    if len(meanings) < len(held):
        raise BadInput(
            "column_twice",
            "Two columns can't hold the same. Nothing was changed: leave one of them out.",
        )
    if not meanings.keys() & NAMES:
        raise BadInput(
            "column_missing",
            "No column holds the names of the players. Nothing was changed: choose the one.",
        )
    columns = {key: at for key, at in meanings.items() if key in COLUMNS}
    others = meanings.keys() - columns.keys()
    contacts = {
        meanings[key]: key.removeprefix(NUMBER)
        for key in sorted(others, key=lambda one: meanings[one])
    }
    lines = ((row.number, _line(*_person(row, columns, contacts))) for row in rows)
    return PeopleFile(
        people=people_in(lines),
        unused=tuple(_unused(header, rows, meanings.values())),
        table=table,
        reading=reading,
    )


def _table(rows: Iterable[tuple[int, Sequence[str]]]) -> PeopleTable:
    return PeopleTable(tuple(Row(number, tuple(cells)) for number, cells in rows))


def _membership(header: Sequence[str], at: int) -> str:
    """Return the key of the membership that a column is called after."""
    key = key_of(header[at]) if at < len(header) else ""
    fits = 0 < len(key) <= LONGEST_MEMBERSHIP and key not in EMAIL_KEYS
    return key if fits else UNNAMED


def _contact_columns(
    header: Sequence[str], columns: Mapping[str, int], memberships: Iterable[str]
) -> dict[int, str]:
    """Return the places of columns with contacts, and what they are called; of two the first."""
    found: dict[int, str] = {}
    asked = tuple(memberships)
    for at, head in enumerate(header):
        key = EMAIL if key_of(head) in EMAIL_KEYS else membership_of(head, asked)
        if key and at not in columns.values() and key not in found.values():
            found[at] = key
    return found


def values_of_columns(rows: Iterable[Row]) -> Counter[int]:
    """Return how many values each column has, by its place."""
    return Counter(at for row in rows for at in range(len(row.cells)) if row.cell(at))


def _unused(
    header: Sequence[str], rows: Iterable[Row], used: Collection[int]
) -> Iterator[UnusedColumn]:
    """Yield the columns of a table with values, beside those that are read."""
    values = values_of_columns(rows)
    for at in sorted(values.keys() - set(used)):
        name = " ".join(header[at].split()) if at < len(header) else ""
        yield UnusedColumn(name=name, number=at + 1, values=values[at])


def as_lines(people: Iterable[Person]) -> str:
    """Return people as lines to paste."""
    return "\n".join(_line(person, str(person.byes or "")) for person in people)


def _person(
    row: Row, columns: Mapping[str, int], contacts: Mapping[int, str]
) -> tuple[Person, str]:
    """Return the person of a row and the cell with their byes.

    A column may hold the surname alone, or have it first.
    """
    cells = {key: " ".join(row.cell(at).split()) for key, at in columns.items()}
    parts = (cells.get(key, "") for key in ("turned", "name", "surname"))
    name, surname = " ".join(filter(None, parts)), cells.get("surname", "")
    if turned := cells.get("turned"):
        surname = first_surname_of(turned)
    written = (
        (key, " ".join(row.cell(at).replace(";", ",").split())) for at, key in contacts.items()
    )
    contact = tuple((key, text) for key, text in written if text)
    person = Person(name, cells.get("club", ""), surname, contact=contact)
    return person, cells.get("byes", "")


def _line(person: Person, byes: str) -> str:
    """Return a player as a line to paste; a surname only where it would be guessed wrongly."""
    name, club, surname, _byes, contact = person
    apart = surname if surname not in (surname_of(name), name) else ""
    if contact:
        written = "; ".join(f"{key}: {text}" for key, text in contact)
        return f"{name}; {club}; {apart}; {byes}; {written}"
    if byes:
        return f"{name}; {club}; {surname}; {byes}"
    if apart:
        return f"{name}; {club}; {surname}"
    return f"{name}; {club}" if club else name
