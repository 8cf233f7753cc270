"""Lists and tables as chats and tournament programs write them: read, or named with the reason."""

import pytest

from rules.people.person_names import Person, doubts, read_lines, without_numbering
from tournaments.players.people_files import read_paste, read_people_file

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
    in_table = read_paste(f"Nome\tClub\nAda Neri\t{number}\nBea Po\tLupi", ())
    assert [fault.number for fault in in_table.faults] == [2]
    assert len(list(doubts(f"Ada {number}", ""))) == len(list(doubts("Ada", number))) == 1


@pytest.mark.parametrize("name", ["Ada 123456", "Mr1234567x", "Ada 2", "R2-D2", "1000 Lupi"])
def test_short_numbers_may_be_of_a_name(name: str) -> None:
    assert read_lines(f"Bea Po\n{name}")[0] == [Person("Bea Po"), Person(name)]
    assert list(doubts(name, name)) == []


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
    assert [person.name for person in people] == names
    assert [fault.number for fault in faults] == [2]
    assert without_numbering(lines) == names


def test_a_numbered_line_may_be_empty() -> None:
    people, faults = read_lines("1. Ada Neri\n2. Bea Po\n3.")
    assert ([person.name for person in people], [fault.number for fault in faults]) == (
        ["Ada Neri", "Bea Po"],
        [3],
    )


@pytest.mark.parametrize("head", ["Players (3)", "Iscritti: 12", "Partecipanti:", "giocatori (2)"])
def test_a_heading_may_say_how_many_there_are(head: str) -> None:
    found = read_paste(f"{head}\nAda Neri\nBea Po", ())
    assert [person.name for person in found.people] == ["Ada Neri", "Bea Po"]


HEAD = "Posto,Concorrente,Email,Note"


def test_a_column_of_addresses_tells_the_row_that_names_the_columns() -> None:
    table = f"{HEAD}\n1,Ada Neri,ada@example.org,\n2,Bea Po,bea@example.org,x"
    for found in (read_paste(table, ()), read_people_file(table.encode(), memberships=())):
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
    found = read_paste("\n".join([f"{head},Player Name", *rows]), ())
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
    people = read_paste(table, ()).people
    assert [(person.name, person.contact) for person in people] == [
        ("Ada Neri Po", (ada,)),
        ("Ugo Re", (ugo,)),
    ]
    turned = "\n".join(";".join(line.split(";")[::-1]) for line in table.split("\n"))
    assert [person.name for person in read_paste(turned, ()).people] == ["Ada Neri Po", "Ugo Re"]


@pytest.mark.parametrize("head", ["Nom", "Nom et prénom", "Vor- und Nachname", "Nombre", "Spieler"])
def test_one_column_of_names_has_all_of_them(head: str) -> None:
    people = read_paste(f"{head};Club\nAda Neri Po;Lupi\nUgo Re;", ()).people
    assert people == [Person("Ada Neri Po", "Lupi"), Person("Ugo Re")]


def test_surnames_alone_are_asked_about() -> None:
    found = read_paste("Battesimo;Cognome;Club\nAda;Neri;Lupi\nUgo;Re;", ())
    assert found.reading is not None
    assert found.reading.meanings == ("?", "surname", "club")
    assert found.unclear is not None
    alone = read_paste("Cognome;Club\nNeri;Lupi\nRe;", ())
    assert [person.name for person in alone.people] == ["Neri", "Re"]
