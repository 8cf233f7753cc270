"""Tables of players, as CSV or workbook: which columns they have, and which of them are used."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from decks.files.limits import Limits
from decks.files.tables import Row, read_rows, table_of
from rules.people.contacts import EMAIL, EMAIL_KEYS, key_of, membership_of
from rules.people.person_names import MOST_AT_ONCE, Person, people_in
from rules.people.surnames import first_surname_of, surname_of

PEOPLE = Limits(rows=MOST_AT_ONCE)
COLUMNS = {
    "name": (
        *("name", "player", "players", "player name", "first name", "full name"),
        *("nome", "giocatore", "giocatori", "nome giocatore", "nominativo"),
        "nome e cognome",
    ),
    "turned": ("cognome e nome", "cognome nome", "surname and name", "last name, first name"),
    "surname": ("surname", "last name", "family name", "cognome"),
    "byes": ("byes", "bye", "awarded byes", "riposi", "turni di riposo", "bye assegnati"),
    "club": ("club", "team", "squadra", "associazione", "circolo"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedColumn:
    """A column of which nothing is read: its name, "" without one, its place, its values."""

    name: str
    number: int
    values: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFile:
    """The people of a table, and the columns with values of which nothing was read."""

    people: list[Person]
    unused: tuple[UnusedColumn, ...]


def read_people_file(
    content: bytes, name: str = "", *, memberships: Iterable[str] | None = None
) -> PeopleFile:
    """Return the person of each row with a player, and the columns that are not used.

    ``memberships`` are those that the event asks for; with None no contact is read.

    Raises BadInput ``bad_lines`` with the spreadsheet's number of each invalid row,
    ``file_too_large``, ``file_rejected``, ``column_twice``.
    """
    rows = [Row(number, tuple(cells)) for number, cells in read_rows(content, name, PEOPLE)]
    columns = table_of((row.number, row.cells) for row in rows).columns(COLUMNS)
    header: tuple[str, ...] = ()
    if columns.keys() & {"name", "surname", "turned"}:
        header, rows = rows[0].cells, rows[1:]
    else:
        columns = {"name": 0, "club": 1}
    contacts = {} if memberships is None else _contact_columns(header, columns, memberships)
    lines = ((row.number, _line(*_person(row, columns, contacts))) for row in rows)
    used = {*columns.values(), *contacts}
    return PeopleFile(people=people_in(lines), unused=tuple(_unused(header, rows, used)))


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


def _unused(
    header: Sequence[str], rows: Iterable[Row], used: Collection[int]
) -> Iterator[UnusedColumn]:
    """Yield the columns of a table with values, beside those that are read."""
    values = Counter(at for row in rows for at in range(len(row.cells)) if row.cell(at))
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
