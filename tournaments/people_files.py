"""Players out of a file: CSV, or the first sheet of a workbook, one row a player.

Tournament rules, Registration. A row says what a pasted line does: name, then club. A first row
that names its columns lets them stand in any order, with the surname in one of its own.
"""

from collections.abc import Iterable, Iterator

from decks.readers.limits import Limits
from decks.readers.tables import Row, read_rows, table_of
from rules.people.person_names import MOST_AT_ONCE, people_in

PEOPLE = Limits(rows=MOST_AT_ONCE)
COLUMNS = {
    "name": (
        *("name", "player", "players", "player name", "first name", "full name"),
        *("nome", "giocatore", "giocatori", "nome giocatore", "nominativo"),
        *("nome e cognome", "cognome e nome"),
    ),
    "surname": ("surname", "last name", "family name", "cognome"),
    "club": ("club", "team", "squadra", "associazione", "circolo"),
}


def read_people_file(content: bytes, name: str = "") -> list[tuple[str, str]]:
    """Return (name, club) of each row that holds one.

    Raises BadInput: ``bad_lines`` that names each row that can't be a player by the number a
    spreadsheet shows, ``file_too_large``, ``file_rejected``, ``column_twice``.
    """
    return people_in(_lines(read_rows(content, name, PEOPLE)))


def as_lines(people: Iterable[tuple[str, str]]) -> str:
    """Return people as they would be pasted."""
    return "\n".join(_line(name, club) for name, club in people)


def _lines(found: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, str]]:
    """Yield each row as a pasted line; white space in a cell never breaks it."""
    rows = [Row(number, tuple(cells)) for number, cells in found]
    columns = table_of((row.number, row.cells) for row in rows).columns(COLUMNS)
    if columns.keys() & {"name", "surname"}:
        rows = rows[1:]
    else:
        columns = {"name": 0, "club": 1}
    for row in rows:
        words = (row.cell(columns[key]) for key in ("name", "surname") if key in columns)
        name = " ".join(" ".join(words).split())
        club = " ".join(row.cell(columns.get("club")).split())
        yield row.number, _line(name, club)


def _line(name: str, club: str) -> str:
    """Return a player as a pasted line."""
    return f"{name}; {club}" if club else name
