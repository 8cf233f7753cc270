"""Surnames: guessed from one field, given apart, corrected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.people.person_names import Person
from rules.people.surnames import (
    clean_surname,
    first_surname_of,
    moved_border,
    split_name,
    stored_surname,
    surname_of,
    surnames_first,
    whole_name,
    words_of,
)


@pytest.mark.parametrize(
    ("name", "surname"),
    [
        ("Ada Rossi", "Rossi"),
        ("Gaia D’Amico", "D’Amico"),
        ("Diego De Luca", "De Luca"),
        ("Anna Maria De’ Angelis", "De’ Angelis"),
        ("Maria Chiara Della Valle", "Della Valle"),
        ("Jan van der Berg", "van der Berg"),
        ("Juan Carlos de la Cruz", "de la Cruz"),
        ("Ben Smith", "Smith"),  # the first word is never a particle
        ("Al Pacino", "Pacino"),
        ("John Smith Jr.", "Smith Jr."),
        ("Mario ROSSI", "ROSSI"),
        ("DE LUCA Anna", "DE LUCA"),
        ("Rossi, Mario", "Rossi"),
        ("MARIO ROSSI", "ROSSI"),
        ("Đorđe Petrović", "Petrović"),
        ("Ronaldo", "Ronaldo"),
        ("Player 7", "Player 7"),
        ("R2 D2", "D2"),
        ("De Luca Antonio", "De Luca"),  # a particle in front: the surname comes first
        ("Lo Presti Salvo", "Lo Presti"),
        ("Di Maria Anna Rosa", "Di Maria"),
        ("Van der Berg Jan", "Van der Berg"),
        ("DELLA VALLE CHIARA", "DELLA VALLE"),
        ("Ben Carlo Rossi", "Rossi"),  # Ben, Al, Mac are given names too
        ("Van Morrison", "Morrison"),
        ("Giuseppe Di Maio Ferrante", "Di Maio Ferrante"),
        ("Maria de Jesús López", "López"),
        ("Maria De Los Angeles Garcia", "Garcia"),
        ("Di Blasio De Luca", "De Luca"),  # at both ends: the last word decides
    ],
)
def test_the_surname_is_guessed(name: str, surname: str) -> None:
    assert surname_of(name) == surname


def test_a_whole_list_is_turned() -> None:
    people = [
        Person("Rossi Mario", "Drago"),
        Person("De Luca Anna"),
        Person("Neri, Ugo"),
        Person("Ada VERDI"),
        Person("Maria Rosa Blu", "", "Rosa Blu"),
        Person("Cher"),
    ]
    assert [one.surname for one in surnames_first(people)] == [
        *("Rossi", "De Luca", "Neri", "VERDI", "Rosa Blu", "Cher")
    ]
    assert [one[:2] for one in surnames_first(people)] == [one[:2] for one in people]


def test_a_column_with_the_surname_first() -> None:
    assert first_surname_of("De Luca Anna") == "De Luca"
    assert first_surname_of("Rossi Ada Maria") == "Rossi"
    assert first_surname_of("Cher") == "Cher"


def test_a_name_is_split_where_the_surname_stands() -> None:
    assert split_name("Anna De Luca") == ("De Luca", "Anna")
    assert split_name("Rossi, Mario") == ("Rossi", "Mario")
    assert split_name("Mario Rossi Bianchi", "Rossi Bianchi") == ("Rossi Bianchi", "Mario")
    assert split_name("Rossi Mario", "Rossi") == ("Rossi", "Mario")
    assert split_name("Mario Rossi", "Verdi") == ("Rossi", "Mario")  # no part of the name
    assert split_name("Marossi Rossi", "ossi") == ("Rossi", "Marossi")  # no whole word
    assert split_name("Cher") == ("Cher", "")
    assert split_name("", "Rossi") == ("", "")


def test_only_what_the_guess_does_not_say_is_kept() -> None:
    assert stored_surname("Mario Rossi", "Rossi") == ""
    assert stored_surname("Mario Rossi Bianchi", "Rossi Bianchi") == "Rossi Bianchi"
    assert stored_surname("Mario Rossi", "Verdi") == ""
    assert stored_surname("Mario Rossi", "") == ""


def test_a_surname_takes_the_spelling_of_the_name() -> None:
    assert clean_surname(" de  luca ", "Anna De Luca") == "De Luca"
    assert clean_surname("D'AMICO", "Gaia D’Amico") == "D’Amico"
    assert clean_surname("rossi", "Rossi, Mario") == "Rossi"
    assert clean_surname("", "Mario Rossi") == ""


@pytest.mark.parametrize("surname", ["Verdi", "Luca", "Anna De", "De Luc"])
def test_a_surname_that_is_no_part_is_refused(surname: str) -> None:
    with pytest.raises(BadInput) as refused:
        clean_surname(surname, "Anna Maria De Luca Bo")
    assert refused.value.code == "bad_surname"


def test_two_fields_make_one_name() -> None:
    assert whole_name("Anna", "De Luca") == "Anna De Luca"
    assert whole_name("Anna De Luca", "de luca") == "Anna De Luca"  # written in both
    assert whole_name("Anna De Luca", "") == "Anna De Luca"
    with pytest.raises(BadInput):
        whole_name("", "Rossi\u202e")


@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_is_written_nothing_of_a_name_is_lost(name: str, surname: str) -> None:
    name = " ".join(name.split())
    own, rest = split_name(name, surname)
    assert sorted("".join((own + rest).split()).replace(",", "")) == sorted(
        "".join(name.split()).replace(",", "")
    )
    assert own or not name


@pytest.mark.parametrize(
    ("name", "surname", "word", "moved"),
    [
        ("Rossi Mario", "Mario", 0, "Rossi"),
        ("Rossi Mario", "Mario", 1, "Rossi"),
        ("Rossi Mario", "Rossi", 0, "Mario"),
        ("Anna Maria Rossi", "Rossi", 1, "Maria Rossi"),
        ("Anna Maria Rossi", "Maria Rossi", 1, "Rossi"),
        ("Rossi Bianchi Ada", "Rossi", 1, "Rossi Bianchi"),
        ("De Luca Anna Maria", "Maria", 3, "De Luca"),
        ("Rossi, Ada", "Rossi", 1, "Ada"),
        ("Player 7", "Player 7", 0, "7"),
        ("Cher", "Cher", 0, "Cher"),
    ],
)
def test_a_word_changes_its_side_of_the_border(name, surname, word, moved):
    assert moved_border(name, surname, word) == moved
    own = [each for each, is_own in words_of(name, moved) if is_own]
    assert " ".join(own).strip(",") == moved
