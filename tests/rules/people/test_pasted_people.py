"""Names of people, as they come from a list or a spreadsheet."""

import time

import pytest

from rules.errors import BadInput
from rules.people.person_names import (
    MOST_AT_ONCE,
    BadLines,
    Person,
    check_words,
    clean_club,
    clean_name,
    joined,
    read_lines,
    read_people,
)

CONTACT = (("e-mail", "ugo@example.org"), ("konami", "01"))


@pytest.mark.parametrize(
    ("line", "person"),
    [
        ("\tElsa", ("Elsa", "", "")),
        ("Elsa\tDraghi", ("Elsa", "Draghi", "")),
        ("3. Ugo", ("Ugo", "", "")),
        ("12) Ugo; Draghi", ("Ugo", "Draghi", "")),
        ("3 Ugo", ("3 Ugo", "", "")),
        ("R2.D2", ("R2.D2", "", "")),
        ("Ugo Rossi Bo; Draghi; Rossi Bo", ("Ugo Rossi Bo", "Draghi", "Rossi Bo")),
        ("Ugo Rossi Bo; ; Rossi Bo", ("Ugo Rossi Bo", "", "Rossi Bo")),
        ("Ugo Rossi Bo; Draghi; rossi bo; 2", ("Ugo Rossi Bo", "Draghi", "Rossi Bo", 2)),
        ("Ugo; ; ; 1,0", ("Ugo", "", "", 1)),
        ("Ugo;;;２", ("Ugo", "", "", 2)),
        ("Ugo\tDrago; 2; 3", ("Ugo", "Drago; 2; 3")),
        ("Ugo; Lupi: Roma", ("Ugo", "Lupi: Roma")),
        ("Ugo Rossi\t\t\t3", ("Ugo Rossi", "", "", 3)),
    ],
)
def test_what_is_pasted_becomes_a_name(line: str, person: tuple[str, ...]) -> None:
    assert read_people(f"\n{line}\n") == [Person(*person)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "contact"),
    [
        ("Ugo; ugo@example.org", (("e-mail", "ugo@example.org"),)),
        ("Ugo; Drago; ugo@example.org", (("e-mail", "ugo@example.org"),)),
        ("Ugo; Drago; ; ; e-mail: ugo@example.org; konami: 01", CONTACT),
        ("Ugo; Drago; ; ; ugo@example.org; konami: 01;", CONTACT),
        ("Ugo\tDrago\tugo@example.org\t\t\tkonami: 01", CONTACT),
    ],
)
def test_an_address_in_a_line_is_no_club(line: str, contact: tuple[tuple[str, str], ...]) -> None:
    (person,) = read_people(line)
    assert person.contact == contact
    assert person.club in ("Drago", "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("; Draghi", "The name is missing"),
        ("7. ;Draghi", "The name is missing"),
        ("Ugo Rossi; Draghi; Lupi", "“Lupi” neither begins nor ends"),
        ("Ugo; Drago; 2; 3", "“2” neither begins nor ends"),
        ("Ugo; ; ; 1.5", "byes must be a whole number from 0 to"),
        ("Ugo; ; ; 10", "byes must be a whole number from 0 to"),
        ("Ugo; ; ; ; what", "“what” is one part too many"),
        ("Ugo; a@b.org x", "The club holds an e-mail address"),
        ("ugo@example.org", "The name holds an e-mail address"),
        ("Ugo <ugo@example.org>; Drago", "The name holds an e-mail address"),
        ("#N/A; Drago", "“#N/A” is what a spreadsheet shows"),
        ("Ugo; 3.12E+08", "“3.12E+08” is what a spreadsheet shows"),
        ("Jos\ufffd", "stands for a lost letter"),
        ("In attesa:", "This is a heading"),
    ],
)
def test_a_line_that_is_no_player_says_why(line: str, words: str) -> None:
    people, faults = read_lines(f"Ada\n\n{line}\nBea")
    assert [person.name for person in people] == ["Ada", "Bea"]
    assert [fault.number for fault in faults] == [3]
    assert words in str(faults[0].reason)
    with pytest.raises(BadLines) as refused:
        read_people(f"Ada\n\n{line}\nBea")
    assert str(refused.value) == f"Row 3: {faults[0].reason}"
    assert refused.value.code == "bad_lines"


def test_all_lines_that_are_no_players_are_named() -> None:
    with pytest.raises(BadLines) as refused:
        read_people("---\nAda\n#REF!")
    assert str(refused.value) == (
        "Row 1: A name needs at least one letter or digit. Rows that can’t be read: 1, 3."
    )


@pytest.mark.parametrize(
    "lines",
    [
        *("1 {}\n2 {}", "1\t{}\n2\t{}", "7.{}\n8.{}", "#1 {}\n#2 {}", "1 - {}\n2 - {}"),
        *("(1) {}\n(2) {}", "01: {}\n02: {}", "１　{}\n２　{}", "１．{}\n２．{}", "1° {}\n2° {}"),
    ],
)
def test_numbers_before_the_lines_that_count_up_are_none_of_names(lines: str) -> None:
    people = read_people(lines.format("Ada Rossi", "Bea"))
    assert [person.name for person in people] == ["Ada Rossi", "Bea"]


@pytest.mark.parametrize("sign", ["-", "•", "*", "–"])
def test_one_sign_before_each_line_is_none_of_names(sign: str) -> None:
    assert read_people(f"{sign} Ada\n{sign}Bea") == [Person("Ada"), Person("Bea")]
    assert read_people(f"{sign} Ada\nBea")[0].name == f"{sign} Ada"


@pytest.mark.parametrize("lines", ["3 Ugo", "3 Ugo\n5 Bea", "3 Ugo\nBea", "Ada\n2 Bea", "1\n2"])
def test_numbers_that_do_not_count_up_stay(lines: str) -> None:
    assert [person.name for person in read_people(lines)] == lines.splitlines()


def test_a_name_of_a_hundred_thousand_accents_is_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(BadInput):
        clean_name("Ada" + "\u0316\u0301" * 50_000)
    assert time.process_time() - began < 5
    assert clean_name("  A\u0301da \n") == "Áda"


@pytest.mark.parametrize("sign", ["\u202e", "\u3164", "\u2800", "\x07"])
def test_a_club_holds_no_sign_that_cannot_be_seen(sign: str) -> None:
    with pytest.raises(BadInput) as refused:
        clean_club(f"Circolo{sign} Astro")
    assert refused.value.code == "bad_club"
    with pytest.raises(BadLines) as refused:
        read_people(f"Ada\nBea; Cir{sign}colo")
    assert [fault.number for fault in refused.value.faults] == [2]


@pytest.mark.parametrize(
    "club", ["anna@example.org", "Astro anna@example.org", " <Bea.Neri+x@mail.example.it>"]
)
def test_a_club_holds_no_address_unless_it_is_stored_already(club):
    with pytest.raises(BadInput) as refused:
        clean_club(club)
    assert refused.value.code == "bad_club"
    assert "public" in str(refused.value.sentence)
    assert clean_club(club, addresses=True) == club.strip()
    assert clean_club("Astro @ Roma") == "Astro @ Roma"


def test_a_club_is_tidied_and_may_be_missing() -> None:
    assert clean_club(" Circolo \t A\u0301stro ") == "Circolo Ástro"
    assert clean_club("  ") == ""
    assert clean_club("C" * 80) == "C" * 80
    with pytest.raises(BadInput, match="more than 80 characters") as refused:
        clean_club("C" * 81)
    assert refused.value.code == "bad_club"


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\x07", "\ud800"])
def test_words_for_others_hold_no_sign_that_cannot_be_seen(sign: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_words(f"Ruled{sign} so")
    assert refused.value.code == "hidden_signs"


def test_words_may_have_lines_and_any_letter() -> None:
    check_words("Riga\r\n\taltra: però 👩‍🔧 \U0001fae8 שלום")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("A" * 81, "more than 80 characters"),
        ("Ada\u202e", "invisible characters"),
        ("Ada\x07", "invisible characters"),
        ("", "at least one letter"),
        ("– ?", "at least one letter"),
        ("🐉🐉", "at least one letter"),
        ("\u200b\u200e", "at least one letter"),
        ("A\u0316\u0317\u0318\u0319\u031cda", "too many accents"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(name: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as refused:
        clean_name(name)
    assert refused.value.code == "bad_name"


def test_a_club_has_four_accents_on_a_letter_at_most() -> None:
    assert clean_club("A\u0316\u0317\u0318\u0319stro") == "A\u0316\u0317\u0318\u0319stro"
    with pytest.raises(BadInput, match="too many accents") as refused:
        clean_club("A\u0316\u0317\u0318\u0319\u031cstro")
    assert refused.value.code == "bad_club"


def test_from_one_to_a_thousand_people_are_read_at_once() -> None:
    assert len(read_people("Ada\n" * MOST_AT_ONCE)) == MOST_AT_ONCE
    for text in ("", "\n \n", "Ada\n" * (MOST_AT_ONCE + 1), "Ada\n---\n" * MOST_AT_ONCE):
        with pytest.raises(BadInput, match="from 1 to 1000 names") as refused:
            read_people(text)
        assert refused.value.code == "bad_lines"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("Ugo\n12", 2, "This is a number"),
        ("Torneo di prova\n1. Ugo\n2. Bea\n3. Ada", 1, "lines below are numbered"),
        ("Ugo 3331234567", 1, "The name holds a phone number"),
        ("https://example.org/players", 1, "This is a web address"),
        ("Ugo; Drago 3331234567", 1, "The club holds a phone number"),
    ],
)
def test_what_is_no_name_or_club_is_named_line_by_line(text: str, line: int, words: str) -> None:
    _people, (fault,) = read_lines(text)
    assert fault.number == line
    assert words in str(fault.reason)


def test_those_at_a_table_are_named_in_the_order_of_their_seats() -> None:
    assert joined(["Ada", "Bea", "Carla"]) == "Ada – Bea – Carla"
    assert joined([]) == ""
