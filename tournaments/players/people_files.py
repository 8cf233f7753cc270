"""Tables of players, as CSV or workbook: which columns they have, and which of them are used."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from decks.files.limits import Limits
from decks.files.tables import Row, read_rows, table_of
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


def read_people_file(content: bytes, name: str = "") -> PeopleFile:
    """Return the person of each row with a player, and the columns that are not used.

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
    lines = ((row.number, _line(*_person(row, columns))) for row in rows)
    return PeopleFile(people=people_in(lines), unused=tuple(_unused(header, rows, columns)))


def _unused(
    header: Sequence[str], rows: Iterable[Row], columns: Mapping[str, int]
) -> Iterator[UnusedColumn]:
    """Yield the columns of a table with values, beside those that are read."""
    values = Counter(at for row in rows for at in range(len(row.cells)) if row.cell(at))
    for at in sorted(values.keys() - set(columns.values())):
        name = " ".join(header[at].split()) if at < len(header) else ""
        yield UnusedColumn(name=name, number=at + 1, values=values[at])


def as_lines(people: Iterable[Person]) -> str:
    """Return people as lines to paste."""
    return "\n".join(_line(person, str(person.byes or "")) for person in people)


def _person(row: Row, columns: Mapping[str, int]) -> tuple[Person, str]:
    """Return the person of a row and the cell with their byes.

    A column may hold the surname alone, or have it first.
    """
    cells = {key: " ".join(row.cell(at).split()) for key, at in columns.items()}
    parts = (cells.get(key, "") for key in ("turned", "name", "surname"))
    name, surname = " ".join(filter(None, parts)), cells.get("surname", "")
    if turned := cells.get("turned"):
        surname = first_surname_of(turned)
    return Person(name, cells.get("club", ""), surname), cells.get("byes", "")


def _line(person: Person, byes: str) -> str:
    """Return a player as a line to paste; a surname only where it would be guessed wrongly."""
    name, club, surname, _byes = person
    if byes:
        return f"{name}; {club}; {surname}; {byes}"
    if surname and surname != surname_of(name) and surname != name:
        return f"{name}; {club}; {surname}"
    return f"{name}; {club}" if club else name
