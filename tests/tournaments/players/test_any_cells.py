"""Whatever stands in the cells of a table of players is what is read, or its row is named.

And what the site exports comes back as it was.
"""

import csv
import unicodedata
from collections.abc import Iterator
from io import StringIO

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from decks.writers import guarded
from rules.people.person_names import clean_surname, without_marks
from rules.people.surnames import stored_surname
from tests.decks.readers.files import workbook
from tournaments.core.names import as_listed, marks_of, tell_apart
from tournaments.exports.api import HEADS, as_csv
from tournaments.models import Entry
from tournaments.players.api import player_json
from tournaments.players.people_files import (
    PeopleFile,
    read_paste,
    read_people_file,
    read_people_table,
    table_of_text,
)

SIGNS = st.sampled_from(
    [*"aAbZéßĐ李ツ0129 .,;:'’\"-–+=@|/\\#()<>&\t\n\r", "\u200e", "\u00a0", "\u2028", "🐉"]
)
MEANT = (
    *("Anna Rossi", "Rossi, Anna", "De Luca Ugo", "1. Anna", "2. Bea", "Drago; 2; 3", "=1+1"),
    *("'=x", "''-x", "'", '"', "a@b.it", "Drago; a@b.it", "#N/A", "3.12E+08", "name", "club", "…"),
)
CELLS = st.one_of(
    st.text(SIGNS, max_size=12),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6),
    st.sampled_from(MEANT),
)
HEADED = ("Player", "Club", "Byes", "Notes", "E-mail", "Konami ID")
ROW = st.tuples(CELLS, CELLS, st.sampled_from(["", "1", "2.0", "0"]), CELLS, CELLS, CELLS)
ROWS = st.lists(ROW, min_size=1, max_size=5).filter(
    lambda rows: any(cell.strip() for row in rows for cell in row)
)
Rows = list[tuple[str, ...]]


def written(rows: Rows, delimiter: str) -> str:
    out = StringIO(newline="")
    guard = [[guarded(cell) for cell in row] for row in rows]
    csv.writer(out, delimiter=delimiter).writerows(guard)
    return out.getvalue()


def tidied(cell: str) -> str:
    return unicodedata.normalize("NFC", " ".join(without_marks(cell).split()))


def ways_in(rows: Rows) -> Iterator[PeopleFile]:
    """Yield what is read of a table by each way in which it may come."""
    for delimiter in ",;\t":
        content = written(rows, delimiter).encode()
        yield read_people_file(content, "players.csv", memberships=["Konami ID"])
        yield read_paste(written(rows, delimiter), ["Konami ID"])
    yield read_people_file(workbook(rows), "players.xlsx", memberships=["Konami ID"])


@given(ROWS)
def test_any_cells_come_back_as_they_are_or_their_row_is_named(rows: Rows) -> None:
    filled = {at: row for at, row in enumerate(rows, start=2) if any(map(str.strip, row))}
    for found in ways_in([HEADED, *rows]):
        faults = {fault.number for fault in found.faults}
        assert faults <= filled.keys()
        whole = [row for at, row in filled.items() if at not in faults]
        for person, (name, club, byes, _notes, email, number) in zip(
            found.read, whole, strict=True
        ):
            assert (person.name, person.club) == (tidied(name), tidied(club))
            assert person.byes == float(byes or 0)
            contact = {key: tidied(text) for key, text in person.contact}
            cells = {"e-mail": tidied(email), "konami-id": tidied(number)}
            assert contact == {key: text for key, text in cells.items() if text or key in contact}
        assert found.table is not None
        assert found.reading is not None
        again = read_people_table(table_of_text(found.text), found.reading)
        assert (again.read, again.faults) == (
            tuple(one._replace(contact=tidy_contact(one.contact)) for one in found.read),
            found.faults,
        )


def tidy_contact(contact: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((key, " ".join(text.split())) for key, text in contact)


NAMES = st.one_of(
    st.sampled_from(
        ["Anna Rossi", "De Luca Ugo", "Rossi Anna", "Nora", "007", "2. Bea", "Ada (2)"]
    ),
    st.text(SIGNS, max_size=14),
)
"""Of names, clubs and surnames; what can't be one is left out below."""


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    """Return players of an event as they may be stored."""
    found = []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        name, club = tidied(draw(NAMES)), tidied(draw(NAMES))
        if not any(map(str.isalnum, name)) or "@" in name + club or name.startswith("#"):
            continue
        words = name.split()
        surname = clean_surname(" ".join(words[: draw(st.integers(0, len(words)))]), name)
        found.append(
            Entry(
                number=number,
                name=name,
                club=club,
                surname=stored_surname(name, surname),
                byes=draw(st.integers(0, 3)),
            )
        )
    return found or [Entry(number=1, name="Ada")]


@pytest.mark.parametrize("language", ["en", "it"])
@given(entries())
def test_what_the_site_exports_it_imports_without_a_change(
    language: str, players: list[Entry]
) -> None:
    tell_apart(players, marks_of(players))
    for one in players:
        one.departure = ""
    with translation.override(language):
        content = as_csv([player_json(one) for one in players], HEADS["players"])
    people = read_people_file(content, "players.csv").people
    assert [(one.name, one.club, one.byes) for one in people] == [
        (one.name, one.club, one.byes) for one in players
    ]
    for person, one in zip(people, players, strict=True):
        kept = Entry(name=person.name, surname=stored_surname(person.name, person.surname))
        assert as_listed(kept).surname == as_listed(one).surname
