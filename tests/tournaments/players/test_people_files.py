"""Players out of a file: looked over like pasted ones, all of them or nobody."""

import csv
import unicodedata
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from decks.writers import escape_formula
from rules.errors import BadInput
from rules.people.person_names import (
    MOST_AT_ONCE,
    BadLines,
    Person,
    clean_surname,
    strip_zero_width,
)
from rules.people.surnames import stored_surname
from tests import factories as make
from tests.browsers import url
from tests.decks.readers.files import saved, with_sheet, workbook
from tests.decks.readers.nasty import BOMB, SMALL, encrypted, one_huge_cell, repeated_text
from tournaments.core.names import attach_name_marks, compute_name_marks, listed_name
from tournaments.exports.api import HEADS, rows_to_csv
from tournaments.models import Entry
from tournaments.players.api import player_json
from tournaments.players.people_files import (
    LONGEST_TEXT,
    PEOPLE,
    PeopleFile,
    parse_tab_separated,
    read_pasted_people,
    read_people_file,
    read_people_table,
)

ADA, BEA, UGO = Person("Ada", "Draghi"), Person("Bea"), Person("Ugo Rossi", "Lupi")
ALL = [ADA, BEA, UGO]
PLAIN = [["Ada", "Draghi"], ["Bea"], ["Ugo Rossi", "Lupi"]]
NAMED = [["Club", "N.", "Nome"], ["Draghi", 1, "Ada"], ["", 2, "Bea"], ["Lupi", 3, "Ugo Rossi"]]
SPLIT = [
    ["Cognome", "Nome", "Squadra"],
    ["", "Ada", "Draghi"],
    ["Bea", "", None],
    ["Rossi", "Ugo", "Lupi"],
]


def people_of(content: bytes, name: str = "") -> list[Person]:
    return read_people_file(content, name).people


@pytest.mark.parametrize("rows", [PLAIN, NAMED, SPLIT], ids=["plain", "named", "split"])
def test_a_workbook_says_the_same_as_a_paste(rows):
    assert people_of(workbook(rows), "people.xlsx") == ALL
    assert people_of(workbook(rows), "people.csv") == ALL  # the content tells


@pytest.mark.parametrize(
    "text",
    [
        "Ada; Draghi\nBea\nUgo Rossi; Lupi",
        'Ada,Draghi\r\nBea,\r\n"Ugo\n Rossi",Lupi\r\n',
        "sep=;\nAda;Draghi\n\n;\nBea;\nUgo Rossi;Lupi;more",
        "1. Ada\tDraghi\n2. Bea\n3) Ugo Rossi\tLupi",
        "Player:,Team\nAda,Draghi\nBea\nUgo Rossi,Lupi",
        "NOME E COGNOME\nAda; Draghi\nBea\nUgo Rossi; Lupi",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_says_the_same_as_a_paste(text, encoding):
    assert people_of(text.encode(encoding), "people.csv") == ALL


@pytest.mark.deep
def test_bad_rows_go_by_the_number_that_a_spreadsheet_shows():
    rows = '<row r="1"><c t="inlineStr"><is><t>Nome</t></is></c></row>' + "".join(
        f'<row r="{number}"><c t="inlineStr"><is><t>{name}</t></is></c></row>'
        for number, name in ((4, "Ada"), (7, "---"), (9, "x" * 81), (1_000_000, "\u202eada"))
    )
    with pytest.raises(BadLines) as refused:
        people_of(with_sheet(rows))
    assert [fault.number for fault in refused.value.faults] == [7, 9, 1_000_000]
    with pytest.raises(BadLines, match="Row 4: A name needs at least one") as refused:
        people_of(b"nome,club\n\nAda,\n,Draghi\nBea,\n")
    assert [fault.number for fault in refused.value.faults] == [4]


RUBBISH = {
    "empty": b"",
    "blank": b" \n\n ; \n",
    "header alone": b"nome;club\n",
    "zero": b"Ada\x00Bea",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "old workbook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 500,
    "half a workbook": SMALL[: len(SMALL) // 2],
    "only its beginning": b"PK\x03\x04",
    "quotation mark": b'"Ada\nBea',
    "too many columns": ("Ada," * PEOPLE.columns + "x").encode(),
    "too many tabs": b"Ada\t" * (PEOPLE.columns + 1),
    "delimiters alone": b";" * 9000,
    "too many rows": b"Ada\n" * (MOST_AT_ONCE + 1),
    "far too many rows": b"Ada\n" * 200_000,
    "too large": b"A" * (PEOPLE.size + 1),
    "one long line": b"A" * PEOPLE.size,
    "xml": BOMB.encode(),
    "markup": b"<html>" * 100,
}
MADE = {"encrypted": encrypted, "huge cell": one_huge_cell, "repeated": repeated_text}


@pytest.mark.deep
@pytest.mark.parametrize("what", [*RUBBISH, *MADE])
def test_a_file_of_rubbish_is_refused_with_a_sentence(what):
    content = RUBBISH[what] if what in RUBBISH else MADE[what]()
    with pytest.raises(BadInput) as refused:
        people_of(content, f"{what}.csv")
    assert str(refused.value)


def again(content: bytes) -> list[Person]:
    """Return the people of a file as its page sends them back."""
    found = read_people_file(content, memberships=())
    assert found.reading is not None
    return read_people_table(parse_tab_separated(found.text), found.reading).people


@pytest.mark.deep
def test_what_was_read_is_read_again_the_same_and_is_never_too_long():
    cells = [["3. Ada", "a;b"], ["Bea; x", ""], ["Ugo\n\u2028Re", "c\td"], ["4.", "= 1"]]
    people = people_of(workbook(cells))
    found = [("3. Ada", "a;b"), ("Bea; x", ""), ("Ugo Re", "c d"), ("4.", "= 1")]
    assert people == [Person(*pair) for pair in found]
    assert again(workbook(cells)) == people
    heads = ["Nome", "Club", *(f"Domanda {number}" for number in range(20))]
    longest = workbook([heads, *[["é" * 80, "o" * 80, *["x" * 60] * 20]] * MOST_AT_ONCE])
    most = read_people_file(longest)
    assert len(most.text) <= LONGEST_TEXT
    assert [unused["values"] for unused in most.unused] == [MOST_AT_ONCE] * 20
    assert read_people_table(parse_tab_separated(most.text), most.reading) == most
    refused = make.refusal(people_of, (f"{'é' * 300};{'o' * 800}\n" * 945).encode("cp1252"))
    assert refused == "file_rejected"


def test_a_column_of_surnames_is_kept_where_the_guess_would_be_wrong():
    rows = [["Nome", "Cognome"], ["Mario", "Rossi Bo"], ["Ada", "De Luca"]]
    people = people_of(workbook(rows))
    assert people == [Person("Mario Rossi Bo", "", "Rossi Bo"), Person("Ada De Luca")]
    assert again(workbook(rows)) == people
    turned = people_of(b"Cognome e nome\nRossi Ada\nDe Luca Bea Maria")
    assert turned == [Person("Rossi Ada", "", "Rossi"), Person("De Luca Bea Maria")]


def test_a_column_of_byes_is_read_and_pasted():
    rows = [["Name", "Byes", "Club"], ["Ada", 2, ""], ["Bea Verdi", "", "Lupi"], ["Ugo", "0", ""]]
    people = people_of(workbook(rows))
    assert people == [Person("Ada", byes=2), Person("Bea Verdi", "Lupi"), Person("Ugo")]
    assert again(workbook(rows)) == people
    for wrong in ("10", "two", "-1", "1.5", "1.000"):
        with pytest.raises(BadLines, match="Row 3: Enter a whole number from 0"):
            people_of(workbook([["Name", "Byes"], ["Ada", ""], ["Bea", wrong]]))


@pytest.mark.parametrize("written", [2, 2.0, "2.0", "2,0", "2,00", " 2 ", "２", "+2"])
def test_byes_in_the_notation_of_any_spreadsheet(written):
    rows = [["Name", "Byes"], ["Ada", written], ["Bea", None]]
    assert people_of(workbook(rows)) == [Person("Ada", byes=2), Person("Bea")]


def test_columns_that_are_not_used_are_known():
    rows = [
        ["Nome", "Taglia  maglietta", "Club", "", "Vuota"],
        ["Ada", "M", "Lupi", "x", ""],
        ["Bea", "", "", "", ""],
        ["Ugo", "L", "", "", None],
    ]
    assert read_people_file(workbook(rows)).unused == (
        {"name": "Taglia maglietta", "number": 2, "values": 2},
        {"name": "", "number": 4, "values": 1},
    )
    assert read_people_file(workbook(NAMED)).unused == ({"name": "N.", "number": 2, "values": 3},)
    assert read_people_file(b"Ada;Draghi;more\nBea\n").unused == (
        {"name": "", "number": 3, "values": 1},
    )
    assert read_people_file(workbook(SPLIT)).unused == ()


# --- The organiser's page ----------------------------------------------------------------
@pytest.fixture
def event(by):
    return make.open_event(by, capacity=3)


def paste_address(event):
    return url("manage-players-paste", event)


def sent(client, event, content, name="people.xlsx", **more):
    return client.post(paste_address(event), {"file": SimpleUploadedFile(name, content), **more})


def sent_back(answer):
    """Return what the page of a table sends back as it stands."""
    found = answer.context["found"]
    return {"text": found.text, "was": found.reading.as_text()}


@pytest.mark.django_db
def test_the_players_of_a_file_are_looked_over_before_they_are_added(signed, event, by):
    make.players(event, 1, by)  # Ada
    seen = sent(signed, event, workbook(NAMED))
    page = seen.content.decode()
    assert seen.status_code == 200
    assert "Already registered?" in page
    assert "\nClub\tN.\tNome\nDraghi\t1\tAda\n\t2\tBea\nLupi\t3\tUgo Rossi</textarea>" in page
    assert event.entries.count() == 1
    said = sent_back(seen) | {"sure": "on", "who:ada 1": "other"}
    answer = signed.post(paste_address(event), said, follow=True)
    assert "Players added: 3" in answer.content.decode()
    stored = event.entries.order_by("number").values_list("name", "club", "status")
    assert list(stored)[1:] == [
        ("Ada", "Draghi", "registered"),
        ("Bea", "", "registered"),
        ("Ugo Rossi", "Lupi", "waiting"),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("sure", [{}, {"sure": "on"}])
def test_a_bad_row_is_named_and_left_out_once_it_was_seen(signed, event, sure):
    rows = [["Nome"], ["Ada"], ["---"], ["Bea"]]
    answer = sent(signed, event, workbook(rows), **sure)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<li>Row 3: A name needs at least one letter or digit.</li>" in page
    assert "Players: 2" in " ".join(page.split())
    assert not Entry.objects.exists()
    still = signed.post(paste_address(event), sent_back(answer) | {"sure": "on"})
    assert "<li>Row 3: A name" in " ".join(still.content.decode().split())
    assert not Entry.objects.exists()
    signed.post(paste_address(event), sent_back(answer) | {"sure": "on", "left_out": "1"})
    assert list(event.entries.values_list("name", flat=True)) == ["Ada", "Bea"]


@pytest.mark.django_db
def test_a_list_from_a_chat_is_ticked_but_for_what_is_doubtful(signed, event):
    text = (
        "Draft di venerdì\n1) Rossi, Anna - pagato\n2) Ugo Bo 👍\n3) Lia (forse)\n4)\n"
        "[21:04, 27/11/2026] Beppe: 5) Marco Neri"
    )
    seen = signed.post(paste_address(event), {"text": text})
    page = " ".join(seen.content.decode().split())
    assert "Players: 5" in page
    assert "Left out: <bdi>pagato</bdi>" in page
    rows = seen.context["pasted"].rows
    assert [row.name for row in rows if not row.ticked] == ["Draft di venerdì"]
    assert "This doesn’t look like a name." in page
    assert "Add (4)" in page
    said = {"text": text, "sure": "on", "left_out": "1", "row:Lia 1": "out"}
    signed.post(paste_address(event), said)
    stored = event.entries.order_by("number").values_list("name", "surname")
    assert list(stored) == [("Anna Rossi", ""), ("Ugo Bo", ""), ("Marco Neri", "")]
    titled = {"text": text, "sure": "on", "left_out": "1", "row:Draft di venerdì 1": "in"}
    signed.post(paste_address(event), titled)
    assert event.entries.filter(name="Draft di venerdì").exists()


@pytest.mark.django_db
def test_ticks_follow_the_lines_as_they_are_read_now(signed, event):
    doubtful = signed.post(paste_address(event), {"text": "Bea\nUgo Bo: chi viene\nAda"})
    page = doubtful.content.decode()
    assert 'name="row:Ada 1" value="out"' in page
    assert 'name="row:Ugo Bo: chi viene 1" value=""' in page
    sent = {"row:Bea 1": ["out"], "row:Ada 1": ["out", ""], "row:Ugo Bo 1": [""]}
    seen = signed.post(paste_address(event), {"text": "Bea\nUgo Bo\nAda"} | sent)
    assert [row.ticked for row in seen.context["pasted"].rows] == [False, True, True]


@pytest.mark.django_db
def test_a_row_that_is_not_ticked_is_no_namesake(signed, event):
    text = {"text": "Ada\nAda\nAda"}
    seen = signed.post(paste_address(event), text | {"row:Ada 1": "out", "row:Ada 3": "out"})
    assert [bool(row.namesake) for row in seen.context["pasted"].rows] == [False] * 3
    assert seen.context["pasted"].added == 1
    two = signed.post(paste_address(event), text | {"row:Ada 1": "out"})
    assert [row.namesake and row.namesake.line for row in two.context["pasted"].rows] == [
        None,
        None,
        2,
    ]
    none = {f"row:Ada {number}": "out" for number in (1, 2, 3)}
    answer = signed.post(paste_address(event), text | none | {"sure": "on"})
    assert answer.status_code == 200
    assert 'name="sure"' not in answer.content.decode()
    assert not Entry.objects.exists()


@pytest.mark.django_db
def test_sheets_that_are_not_read_are_named_until_the_end(signed, event):
    book = Workbook()
    book.active.append(["Nome"])
    book.active.append(["Ada"])
    book.create_sheet("In attesa").append(["Bea"])
    book.create_sheet("Vuoto")
    told = "<bdi>In attesa</bdi>"
    seen = sent(signed, event, saved(book))
    assert told in seen.content.decode()
    kept = sent_back(seen) | {"sheets": seen.context["sheets"]}
    assert told in signed.post(paste_address(event), kept).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["empty", "header alone", "too large", "half a workbook"])
def test_rubbish_on_the_page_is_refused_and_nobody_is_added(signed, event, what):
    answer = sent(signed, event, RUBBISH[what], sure="on")
    assert answer.status_code == 400
    assert list(answer.context["paste"].errors) == ["file"]
    assert not Entry.objects.exists()


@pytest.mark.deep
@pytest.mark.django_db
def test_a_file_beside_a_list_of_somebody_else_or_too_late_is_refused(signed, event, client, by):
    both = sent(signed, event, b"Ada", "people.csv", text="Bea")
    assert list(both.context["paste"].errors) == ["file"]
    neither = signed.post(paste_address(event), {"text": " \n "})
    assert list(neither.context["paste"].errors) == ["text"]
    assert [answer.status_code for answer in (both, neither)] == [400, 400]
    assert sent(client, event, b"Ada", "people.csv").status_code == 403
    client.force_login(make.staff(event, "judge").user)
    assert sent(client, event, b"Ada", "people.csv").status_code == 403
    event = make.started(by, 4, formula="single-group")
    answer = sent(signed, event, b"Zita", "people.csv", sure="on")
    assert answer.status_code == 409
    assert event.entries.count() == 4


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
    guard = [[escape_formula(cell) for cell in row] for row in rows]
    csv.writer(out, delimiter=delimiter).writerows(guard)
    return out.getvalue()


def tidied(cell: str) -> str:
    return unicodedata.normalize("NFC", " ".join(strip_zero_width(cell).split()))


def ways_in(rows: Rows) -> Iterator[PeopleFile]:
    """Yield what is read of a table by each way in which it may come."""
    for delimiter in ",;\t":
        content = written(rows, delimiter).encode()
        yield read_people_file(content, "players.csv", memberships=["Konami ID"])
        yield read_pasted_people(written(rows, delimiter), ["Konami ID"])
    yield read_people_file(workbook(rows), "players.xlsx", memberships=["Konami ID"])


@pytest.mark.deep
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
        again = read_people_table(parse_tab_separated(found.text), found.reading)
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
    attach_name_marks(players, compute_name_marks(players))
    for one in players:
        one.departure = ""
    with translation.override(language):
        content = rows_to_csv([player_json(one) for one in players], HEADS["players"])
    people = read_people_file(content, "players.csv").people
    assert [(one.name, one.club, one.byes) for one in people] == [
        (one.name, one.club, one.byes) for one in players
    ]
    for person, one in zip(people, players, strict=True):
        kept = Entry(name=person.name, surname=stored_surname(person.name, person.surname))
        assert listed_name(kept).surname == listed_name(one).surname
