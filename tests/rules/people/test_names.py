"""Names of people: how they are tidied, sorted, told apart and doubted."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules import names
from rules.errors import BadInput
from rules.names import _folded_key, clean_line, name_key
from rules.people.contacts import clean_email, clean_memberships
from rules.people.person_names import (
    Person,
    clean_club,
    clean_name,
    has_email_address,
    has_hidden_signs,
    is_spreadsheet_error,
    strip_zero_width,
)
from rules.people.surnames import (
    assign_leading_surnames,
    clean_surname,
    full_name,
    guess_leading_surname,
    guess_surname,
    move_surname_border,
    split_name,
    stored_surname,
    surname_words,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("METTI GIU'", "METTI GIÚ"),
        ("METTI GIU'", "metti giu"),
        ("METTI GIU´", "metti giù"),
        ("METTI GIU`", "metti giu"),
        ("L’ORO DEGLI SCIOCCHI", "l'oro degli sciocchi"),
        ("L´ORO DEGLI SCIOCCHI", "l`oro degli sciocchi"),
        ("Lorraine Kovan – Visioni", "LORRAINE KOVAN - VISIONI"),
        ("Lorraine Kovan − Visioni", "LORRAINE KOVAN ‑ VISIONI"),
        ("  Lupo\tdi \u00a0Sabbia ", "lupo di sabbia"),
        ("Ｆｕｌｍｉｎａｒａ", "fulminara"),
        ("Straße", "STRASSE"),
        ("Perche' no", "perché no"),
        ("Ful\u200bmi\u00adnara", "Fulminara"),
        ("“Fulmine”", '"Fulmine"'),
    ],
)
def test_two_spellings_are_one_card(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("L'oro", "Loro"),
        ("Lupo", "Lupi"),
        ("Ala-Nera", "Ala Nera"),
        ("Aspetta!", "Aspetta"),
        ("'Ndrangheta", "Ndrangheta"),
    ],
)
def test_two_cards_stay_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
@example("\"GIU'\" e' `SU`  ' x'' '")
def test_a_name_in_ascii_has_the_key_that_any_name_has(name: str) -> None:
    assert name_key(name) == _folded_key(name)


@given(st.text())
def test_the_key_of_a_key_is_that_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_case_makes_no_difference_within_ascii(name: str) -> None:
    plain = name.encode("ascii", "ignore").decode()
    assert name_key(plain.upper()) == name_key(plain.lower())


def test_tidy_leaves_no_line_breaks_and_nothing_that_cannot_be_stored() -> None:
    assert clean_line(" a\r\nb\x00c\ud800 \u202ed ") == "a bc d"


def test_a_tower_of_accents_takes_no_time() -> None:
    tower = "Lupo" + "\u0316\u0301" * 200_000
    began = time.process_time()
    assert name_key(tower) == "lupo"
    assert name_key(name_key(tower)) == "lupo"
    assert time.process_time() - began < 2


def test_long_texts_are_no_keys_of_the_cache() -> None:
    assert name_key("Anna") == name_key("ANNA")
    before = names._cached_key_of.cache_info().currsize
    assert name_key("A" * names.LONGEST_CACHED) == "a" * names.LONGEST_CACHED
    assert names._cached_key_of.cache_info().currsize == before


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
    assert guess_surname(name) == surname


def test_a_whole_list_is_turned() -> None:
    people = [
        Person("Rossi Mario", "Drago"),
        Person("De Luca Anna"),
        Person("Neri, Ugo"),
        Person("Ada VERDI"),
        Person("Maria Rosa Blu", "", "Rosa Blu"),
        Person("Cher"),
    ]
    assert [one.surname for one in assign_leading_surnames(people)] == [
        *("Rossi", "De Luca", "Neri", "VERDI", "Rosa Blu", "Cher")
    ]
    assert [one[:2] for one in assign_leading_surnames(people)] == [one[:2] for one in people]


def test_a_column_with_the_surname_first() -> None:
    assert guess_leading_surname("De Luca Anna") == "De Luca"
    assert guess_leading_surname("Rossi Ada Maria") == "Rossi"
    assert guess_leading_surname("Cher") == "Cher"


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
    assert full_name("Anna", "De Luca") == "Anna De Luca"
    assert full_name("Anna De Luca", "de luca") == "Anna De Luca"  # written in both
    assert full_name("Anna De Luca", "") == "Anna De Luca"
    with pytest.raises(BadInput):
        full_name("", "Rossi\u202e")


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
    assert move_surname_border(name, surname, word) == moved
    own = [each for each, is_own in surname_words(name, moved) if is_own]
    assert " ".join(own).strip(",") == moved


MARKS = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200b\u2060\ufeff\u00ad"


@pytest.mark.parametrize("mark", MARKS)
def test_direction_marks_around_what_was_copied_are_taken_off(mark: str) -> None:
    assert strip_zero_width(f"{mark}a{mark}") == "a"
    assert clean_name(f"{mark}Ada{mark} Rossi {mark}") == "Ada Rossi"
    assert clean_club(f"{mark} Drago{mark}") == "Drago"
    assert clean_email(f" {mark}ada@example.org{mark} ") == "ada@example.org"
    assert clean_memberships({"dci": f"{mark}0123{mark}"}) == {"dci": "0123"}


@pytest.mark.parametrize(
    "sign",
    [
        *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u034f", "\u17b4", "\u180e"),
        *("\u2063", "\ufffb", "\U0001d159", "\U0001d173", "\U0001bca0", "\U000e0001"),
        *("\x07", "\ud800", "\ue000", "\ufffe", "\ufdd0", "\U0001ffff", "\u202e"),
    ],
)
def test_signs_that_cannot_be_seen_are_refused(sign: str) -> None:
    assert has_hidden_signs(f"a{sign}b")
    for name in (sign, f"Ada {sign}", f"Ada{sign}Bo"):
        with pytest.raises(BadInput) as refused:
            clean_name(name)
        assert refused.value.code == "bad_name"
    with pytest.raises(BadInput):
        clean_email(f"a{sign}da@example.org")
    with pytest.raises(BadInput):
        clean_memberships({"dci": f"01{sign}"})


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ada 🐉",
            "Ada \U0001fae9",
            "Ada \U0001fbca",
            "Ada \U0001f9d1\u200d\U0001f680",
            "Ada ❤\ufe0f",
        ),
        *(
            "Ada \U0001f3f4\U000e0067\U000e0062\U000e007f",
            "1\ufe0f\u20e3",
            "می\u200cخواهم",
            "葛\U000e0100",
        ),
        *("ツ", "Đặng", "李小龍", "محمد"),
    ],
)
def test_pictures_old_and_new_and_letters_of_the_world_are_kept(name: str) -> None:
    assert clean_name(name) == name


def test_names_of_earlier_archives_may_be_pictures_alone() -> None:
    assert clean_name("🐉", letters=False) == "🐉"
    for nothing in ("", "\u200b"):
        with pytest.raises(BadInput):
            clean_name(nothing, letters=False)


@pytest.mark.parametrize(
    "text",
    [
        *("#N/A", "#n/a", "#N/D", "#REF!", "#RIF!", "#VALUE!", "#VALORE!", "#DIV/0!", "#NAME?"),
        *("#NOME?", "#NUM!", "#NULL!", "#SPILL!", "####", "Err:502", "3.12E+08", "3,12e+08"),
        *("1E+15", "1.5E-05"),
    ],
)
def test_what_a_spreadsheet_shows_instead_of_a_text(text: str) -> None:
    assert is_spreadsheet_error(f" {text} ")
    with pytest.raises(BadInput):
        clean_memberships({"dci": text})


@pytest.mark.parametrize("text", ["#1", "N/A", "Ada #N/A", "1E5", "E+08", "12E34", "3.12", "#", ""])
def test_what_may_be_a_text(text: str) -> None:
    assert not is_spreadsheet_error(text)


@pytest.mark.parametrize(
    "text", ["a@b.it", "Ada <a@b.it>", "mailto:a@b.it.", "(a@b.it)", "Drago; a.b@c.d.org, x"]
)
def test_an_address_in_a_text(text: str) -> None:
    assert has_email_address(text)


@pytest.mark.parametrize("text", ["", "Ada @ home", "@ada", "a@b", "a@@b.it", "@" * 100_000])
def test_texts_without_an_address(text: str) -> None:
    assert not has_email_address(text)
