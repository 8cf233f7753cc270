"""Tables and lists as programs, chats and the documentation write them: read, or asked about."""

import re
from pathlib import Path

import pytest

from rules.errors import BadInput
from rules.people.person_names import Person, read_lines, strip_numbering
from tests.decks.readers.files import workbook
from tournaments.players.people_files import PeopleFile, read_pasted_people, read_people_file

ANNA_UGO = ["Anna Rossi", "Ugo Bo"]
CLUBS = [("Anna Rossi", "Drago"), ("Ugo Bo", "")]


def of_file(text: str) -> PeopleFile:
    return read_people_file(text.encode(), "players.csv", memberships=["Play! ID"])


def names(found: PeopleFile) -> list[str]:
    return [person.name for person in found.people]


def clubs(found: PeopleFile) -> list[tuple[str, str]]:
    return [(person.name, person.club) for person in found.people]


@pytest.mark.parametrize(
    "text",
    [
        "first_name,last_name\nAnna,Rossi\nUgo,Bo\n",
        "firstName;lastName;GamerTag\nAnna;Rossi;Zed\nUgo;Bo;K\n",
        "Nome,Cognome\nAnna Rossi,Rossi\nUgo,Bo\n",
        "Name;Surname\nAnna Rossi;Rossi\nUgo Bo;Bo\n",
        "Rank\tName\tPoints\tOMW%\n1\tAnna Rossi\t9\t66.7\n2\tUgo Bo\t6\t55\n",
        "stage,rank,player,name,points\n1,1,7,Anna Rossi,9\n1,2,3,Ugo Bo,6\n",
        "Iscritti di maggio;;\n;;\nNome;Club;Pagato\nAnna Rossi;;si\nUgo Bo;;no\n",
        "Iscritti di maggio\n\nNome,Pagato\nAnna Rossi,si\nUgo Bo,no\n",
        "Nome\nAnna Rossi\nUgo Bo\n",
        'Name\n"Anna Rossi"\nUgo Bo\n',
        "| Name | Paid |\n|:--|--:|\n| Anna Rossi | |\n| Ugo Bo | x |\n",
        "1;Anna Rossi\n2;Ugo Bo\n",
        "anna@example.org;Anna Rossi\nugo@example.org;Ugo Bo\n",
        "Name,Email,E-mail\nAnna Rossi,,a@example.org\nUgo Bo,,\n",
        "Player;Name\n4;Anna Rossi\n9;Ugo Bo\n",
        "Full Name,Player\nAnna Rossi,Anna Rossi\nUgo Bo,Ugo Bo\n",
        "GamerTag,Id,Email\nAnna Rossi,1,a@example.org\nUgo Bo,2,\n",
        "Id,Concorrente,E-mail,Club\n1,Anna Rossi,a@example.org,\n2,Ugo Bo,,\n",
    ],
)
def test_names_are_found_in_any_table(text):
    assert names(of_file(text)) == ANNA_UGO


@pytest.mark.parametrize(
    "text",
    [
        "1\tAnna Rossi\tDrago\n2\tUgo Bo\t\n",
        "１\tAnna Rossi\tDrago\n２\tUgo Bo\t\n",
        "1,Anna Rossi,Drago\n2,Ugo Bo,\n",
        "1; Anna Rossi; Drago\n2; Ugo Bo;\n",
        "1. Anna Rossi; Drago\n2. Ugo Bo\n",
        "- Anna Rossi; Drago\n- Ugo Bo\n",
        "Anna Rossi\tDrago\nUgo Bo\n",
        '"Anna Rossi","Drago"\n"Ugo Bo",""\n',
        "Name,Team\nAnna Rossi,Drago\nUgo Bo\n",
        "Name|Club\nAnna Rossi|Drago\nUgo Bo\n",
        "\tAnna Rossi\tDrago\n\tUgo Bo\t\n",
    ],
)
def test_a_paste_is_read_as_it_is_meant(text):
    assert clubs(read_pasted_people(text)) == CLUBS


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Name,Club\nAnna,Drago; 2; 3\n", ("Anna", "Drago; 2; 3", 0)),
        ('Name,Club\n"Rossi; Anna","Drago"\n', ("Rossi; Anna", "Drago", 0)),
        ("Anna\tDrago; 2; 3\n", ("Anna", "Drago; 2; 3", 0)),
        ("Anna\tDrago; anna\tx\n", ("Anna", "Drago; anna", 0)),
        ('Anna Rossi,"Drago; ; ; 3"\n', ("Anna Rossi", "Drago; ; ; 3", 0)),
        ("Name\tClub\tByes\nAnna\tDrago; e-mail: x\t2\n", ("Anna", "Drago; e-mail: x", 2)),
    ],
)
@pytest.mark.parametrize("read", [of_file, read_pasted_people])
def test_a_semicolon_in_a_cell_divides_nothing(read, text, person):
    (found,) = read(text).people
    assert (found.name, found.club, found.byes) == person
    assert found.contact == ()


@pytest.mark.parametrize(
    ("text", "row", "words"),
    [
        (
            "Name,Club,Email\nAnna,Drago, Blu,anna@example.org\n",
            2,
            "This row has more cells than the first",
        ),
        ("Name,Club\nAnna,a@example.org\n", 2, "Leave out email addresses"),
        ("Name\nanna@example.org\n", 2, "Leave out email addresses"),
        (
            "Id,First Name,Last Name,GamerTag\n1,Ugo,Bo,U\n\n2,,,Kroete\n",
            4,
            "A name needs at least one",
        ),
        ("Name;Paid\nAnna;1\n;1\n", 3, "A name needs at least one"),
        ("Name\nAnna\n#N/A\n", 3, "“#N/A” means that text was lost"),
        ("Name;Club\nAnna;3,12E+08\n", 2, "“3,12E+08” means that text was lost"),
        ("Name;Bye\nAnna;two\n", 2, "Enter a whole number from 0"),
        (f"Name;Club\nAnna;{'x' * 81}\n", 2, "Write at most 80 characters"),
        ("Name\nJos\ufffd\n", 2, "means that text was lost"),
        ("Name\n\u3164\n", 2, "invisible characters"),
    ],
)
def test_a_row_that_is_no_player_is_named_with_the_reason(text, row, words):
    found = of_file(text)
    assert [fault.number for fault in found.faults] == [row]
    assert words in str(found.faults[0].reason)
    with pytest.raises(BadInput) as refused:
        found.people  # noqa: B018
    assert refused.value.code == "bad_lines"
    rows = len([line for line in text.splitlines() if line.strip()]) - 1
    assert len(found.read) + len(found.faults) == rows


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Name,Team,Club\nAnna Rossi,Red,Drago\n", "Team"),
        ("Name;First Name\nRossi;Anna\n", "First Name"),
        ("Name;Vorname;Verein\nRossi;Anna;Drago\n", "Vorname"),
        ("Name,Club,Club\nAnna,Drago,Lupo\n", "Club"),
        ("Name,Byes,Bye\nAnna,1,2\n", "Bye"),
        ("Name,First Name,Last Name\nZed,Anna,Rossi\n", "Name"),
        ("Cognome e nome,Nome\nRossi Anna,Anna\n", "Nome"),
        ("Name,Email,E-mail address\nAnna,a@example.org,b@example.org\n", "E-mail address"),
        ("Rossi;Anna\nDe Luca;Ugo\nBianchi;Lia\nNeri;Bo\n", "column 2"),
        ("Rossi\tAnna\nNeri\tUgo\nBianchi\tLia\n", "column 2"),
    ],
)
def test_what_may_be_two_things_is_asked(text, column):
    for found in (of_file(text), read_pasted_people(text, ()) if "\t" in text else of_file(text)):
        assert "?" in found.reading.meanings
        with pytest.raises(BadInput, match=f"Choose what .*{column}") as refused:
            found.people  # noqa: B018
        assert refused.value.code == "column_unclear"


def test_of_columns_that_tell_the_same_the_best_named_is_read():
    found = of_file("Name,Team,Club\nAnna Rossi,Red,Drago\n")
    assert [(one.name, one.club) for one in found.read] == [("Anna Rossi", "Drago")]
    same = of_file("Name,Team,Club\nAnna Rossi,Drago,Drago\n")
    assert clubs(same) == [("Anna Rossi", "Drago")]
    empty = of_file("Name,Club,Team\nAnna Rossi,,Drago\n")
    assert clubs(empty) == [("Anna Rossi", "Drago")]


def test_columns_without_a_name_of_players_wait_for_it():
    with pytest.raises(BadInput, match="Choose the column that contains the names") as refused:
        of_file("Concorrente;Club\nAnna;Drago\n").people  # noqa: B018
    assert refused.value.code == "column_missing"
    row = "Swiss\t1\tAnna Rossi\tUgo Bo\t2-0\tDrago\n"
    found = read_pasted_people(row * 2)
    assert (found.read, found.reading.meanings) == ((), ("?", "", "", "", "", ""))
    assert clubs(read_pasted_people("1\tAnna\tDrago\tx\n")) == [("Anna", "Drago")]


def test_rows_above_the_names_of_columns_are_told():
    found = of_file("Iscritti;;\n;;\nNome;Club;Pagato\nAnna;Drago;si\n")
    assert found.above == (1,)
    assert (found.head_row, found.reading.header) == (3, 2)
    assert clubs(found) == [("Anna", "Drago")]


@pytest.mark.parametrize("columns", [51, 130, 250])
def test_a_wide_table_is_read_for_the_columns_that_are_used(columns):
    heads = [f"Question {number}" for number in range(columns)]
    heads[3], heads[-1] = "Name", "Club"
    rows = [[f"{name} {at}" for at in range(columns)] for name in ("Ada", "Bo")]
    found = read_people_file(workbook([heads, *rows]))
    assert clubs(found) == [("Ada 3", f"Ada {columns - 1}"), ("Bo 3", f"Bo {columns - 1}")]
    assert len(found.unused) == columns - 2


def test_a_wide_table_of_a_thousand_is_read():
    heads = ["Name", *(f"Question {number}" for number in range(60))]
    text = "\n".join([",".join(heads), *(f"Ada {row}{',yes' * 60}" for row in range(1000))])
    found = of_file(text)
    assert len(found.people) == 1000
    assert {unused["values"] for unused in found.unused} == {1000}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<?xml version="1.0"?>\n<tournament type="2" gametype="T">\n<players>', "TOM (.tdf)"),
        ("<tournament><players/></tournament>", "TOM (.tdf)"),
        ("<!DOCTYPE html>\n<html><body>Anna", "HTML"),
        ("<table><tr><td>Anna</td></tr></table>", "HTML"),
        ('<?xml version="1.0"?><players/>', "XML"),
        ("BEGIN:VCARD\nVERSION:3.0\nFN:Anna\nEND:VCARD\n", "vCard"),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "iCalendar"),
        ('[{"name": "Anna"}]', "JSON"),
        ('{"players": ["Anna"]}\n', "JSON"),
        (
            "012 Open\n001    1  m    Rossi, Anna                      2000 ITA     800000 1990",
            "TRF",
        ),
        ("%PDF-1.7\n", "PDF"),
        ("{\\rtf1\\ansi Anna}", "RTF"),
    ],
)
def test_a_file_of_another_kind_is_named(text, kind):
    for read in (of_file, read_pasted_people):
        if kind in ("PDF", "RTF") and read is read_pasted_people:
            continue
        with pytest.raises(BadInput) as refused:
            read(text)
        assert refused.value.code == "file_rejected"
        assert str(refused.value).startswith(f"{kind} files can’t be read.")


@pytest.mark.parametrize(
    "text", ["<3 Anna\n<3 Ugo", "{Zed}\nUgo", "[TSM] Zed\n[FNC] K", "001 Zed\nK"]
)
def test_signs_in_names_are_no_other_kind_of_file(text):
    assert names(read_pasted_people(text)) == text.splitlines()


def test_headings_and_empty_numbers_of_a_pasted_list_are_no_names() -> None:
    found = read_pasted_people("Confermati:\n1) Anna\n2) Ugo\n\nIn attesa:\n1) Lia")
    assert [fault.number for fault in found.faults] == [1, 5]
    assert [person.name for person in found.read] == ["Anna", "Ugo", "Lia"]
    people, faults = read_lines("1. Ada Neri\n2. Bea Po\n3.")
    assert ([person.name for person in people], [fault.number for fault in faults]) == (
        ["Ada Neri", "Bea Po"],
        [3],
    )


LONG = ["333 1234567", "+39 333 123 45 67", "0123456789", "333-1234567", "27.11.1990"]


@pytest.mark.parametrize("number", LONG)
def test_long_numbers_are_of_no_name_and_no_club(number: str) -> None:
    for text in (
        f"Ada Neri {number}",
        f"{number}, Ada",
        f"Ada Neri; {number}",
        f"Ada; Lupi {number}",
    ):
        people, faults = read_lines(f"Bea Po\n{text}")
        assert people == [Person("Bea Po")]
        assert [fault.number for fault in faults] == [2]
    in_table = read_pasted_people(f"Nome\tClub\nAda Neri\t{number}\nBea Po\tLupi", ())
    assert [fault.number for fault in in_table.faults] == [2]


@pytest.mark.parametrize("name", ["Ada 123456", "Mr1234567x", "Ada 2", "R2-D2", "1000 Lupi"])
def test_short_numbers_may_be_of_a_name(name: str) -> None:
    assert read_lines(f"Bea Po\n{name}")[0] == [Person("Bea Po"), Person(name)]


@pytest.mark.parametrize(
    "numbers",
    [
        ["1.", "2.", "3."],
        ["1)", "2)", "3-"],
        ["1-", "2-", "3 -"],
        ["#1", "2", "(3)"],
        ["7.", "8 ", "9°"],
    ],
)
def test_a_line_over_numbered_ones_is_no_player(numbers: list[str]) -> None:
    names = ["Ada Neri", "Bea Po", "Ugo Re"]
    lines = [f"{number} {name}" for number, name in zip(numbers, names, strict=True)]
    people, faults = read_lines("\n".join(["", "Torneo di maggio", *lines]))
    assert [person.name for person in people if not person.doubt] == names
    assert (people[0].name, faults) == ("Torneo di maggio", [])
    assert strip_numbering(lines) == names


@pytest.mark.parametrize("head", ["Players (3)", "Iscritti: 12", "Partecipanti:", "giocatori (2)"])
def test_a_heading_may_say_how_many_there_are(head: str) -> None:
    found = read_pasted_people(f"{head}\nAda Neri\nBea Po", ())
    assert [person.name for person in found.people] == ["Ada Neri", "Bea Po"]


HEAD = "Posto,Concorrente,Email,Note"


def test_a_column_of_addresses_tells_the_row_that_names_the_columns() -> None:
    table = f"{HEAD}\n1,Ada Neri,ada@example.org,\n2,Bea Po,bea@example.org,x"
    for found in (read_pasted_people(table, ()), read_people_file(table.encode(), memberships=())):
        assert found.reading is not None
        assert (found.reading.header, found.reading.meanings[1]) == (1, "?")
        assert found.read == ()
    without = read_people_file(table.replace("@", "").encode(), memberships=())
    assert without.reading is not None
    assert without.reading.header == 0


@pytest.mark.parametrize(
    ("head", "team", "clubs"),
    [
        ("Team", "{0}", ["", ""]),
        ("Team Name", "{0}", ["", ""]),
        ("Team", "Lupi", ["Lupi", "Lupi"]),
        ("Club", "{0}", ["Ada Neri", "Bea Po"]),
    ],
)
def test_a_team_called_as_its_player_is_no_club(head: str, team: str, clubs: list[str]) -> None:
    rows = [f"{team.format(name)},{name} (lei)" for name in ("Ada Neri", "Bea Po")]
    found = read_pasted_people("\n".join([f"{head},Player Name", *rows]), ())
    assert [person.club for person in found.people] == clubs
    assert [column["name"] for column in found.unused] == ([head] if clubs == ["", ""] else [])


@pytest.mark.parametrize("line", ["#4421", "7", "007", "https://ada.example", "Ada; www://x"])
def test_a_number_or_an_address_alone_is_no_name(line: str) -> None:
    people, faults = read_lines(f"Bea Po\n{line}\nUgo Re")
    assert people == [Person("Bea Po"), Person("Ugo Re")]
    assert [fault.number for fault in faults] == [2]


LANGUAGES = [
    "Nombre;Apellidos;Correo electrónico",
    "Nombre;Apellido;Correo",
    "Prénom;Nom;Adresse e-mail",
    "Prénom;Nom de famille;Courriel",
    "Vorname;Nachname;E-Mail-Adresse",
    "VORNAME;Familienname;E-Mail",
    "Nome;Cognome;Indirizzo e-mail",
    "First Name;Last Name;Email Address",
]


@pytest.mark.parametrize("heads", LANGUAGES)
def test_heads_are_known_in_several_languages(heads: str) -> None:
    ada, ugo = ("e-mail", "ada@example.org"), ("e-mail", "ugo@example.org")
    table = f"{heads}\nAda;Neri Po;{ada[1]}\nUgo;Re;{ugo[1]}"
    people = read_pasted_people(table, ()).people
    assert [(person.name, person.contact) for person in people] == [
        ("Ada Neri Po", (ada,)),
        ("Ugo Re", (ugo,)),
    ]
    turned = "\n".join(";".join(line.split(";")[::-1]) for line in table.split("\n"))
    assert [person.name for person in read_pasted_people(turned, ()).people] == [
        "Ada Neri Po",
        "Ugo Re",
    ]


@pytest.mark.parametrize("head", ["Nom", "Nom et prénom", "Vor- und Nachname", "Nombre", "Spieler"])
def test_one_column_of_names_has_all_of_them(head: str) -> None:
    people = read_pasted_people(f"{head};Club\nAda Neri Po;Lupi\nUgo Re;", ()).people
    assert people == [Person("Ada Neri Po", "Lupi"), Person("Ugo Re")]


def test_surnames_alone_are_asked_about() -> None:
    found = read_pasted_people("Battesimo;Cognome;Club\nAda;Neri;Lupi\nUgo;Re;", ())
    assert found.reading is not None
    assert found.reading.meanings == ("?", "surname", "club")
    assert found.unclear is not None
    alone = read_pasted_people("Cognome;Club\nNeri;Lupi\nRe;", ())
    assert [person.name for person in alone.people] == ["Neri", "Re"]


DOCS = (Path(__file__).parents[3] / "docs" / "players.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(.+?)`(.*?) \| (.+) \|$", re.MULTILINE)


def examples(heading: str) -> list[tuple[str, bool, str]]:
    """Return what is written, whether in a file, and what is said of it."""
    section = DOCS.partition(f"## {heading}")[2].partition("\n## ")[0]
    found = ROW.findall(section)
    assert len(found) == len(re.findall(r"^\| `", section, re.MULTILINE)) > 5
    plain = (
        (text.replace("⇥", "\t").replace("⏎", "\n"), where, said) for text, where, said in found
    )
    return [(text, "file" in where, said) for text, where, said in plain]


def told(person: Person) -> str:
    byes = f"{person.byes} byes" if person.byes else ""
    surname = f"surname {person.surname}" if person.surname else ""
    contact = (f"{key} {value}" for key, value in person.contact)
    return ", ".join(filter(None, (person.name, person.club, surname, byes, *contact)))


READ = [*examples("Tables"), *examples("Lists with a player a line")]


@pytest.mark.parametrize(("text", "file", "said"), READ, ids=[text for text, _f, _s in READ])
def test_what_is_written_is_read_as_it_says(text: str, file: bool, said: str) -> None:
    found = (
        read_people_file(text.encode(), memberships=()) if file else read_pasted_people(text, ())
    )
    assert " · ".join(map(told, found.people)) == said.partition("; the page")[0]


ASKED = examples("What is asked")


@pytest.mark.parametrize("text", [text for text, _file, _said in ASKED])
def test_what_is_asked_is_not_read(text: str) -> None:
    with pytest.raises(BadInput):
        read_pasted_people(text, ()).people  # noqa: B018
