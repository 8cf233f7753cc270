"""Names of people, as they come from a list or a spreadsheet."""

import time

import pytest

from rules.errors import BadInput
from rules.people.person_names import (
    MOST_AT_ONCE,
    Person,
    check_words,
    clean_club,
    clean_name,
    read_people,
)


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
        ("Ugo Rossi; Draghi; Lupi", ("Ugo Rossi", "Draghi; Lupi", "")),
    ],
)
def test_what_is_pasted_becomes_a_name(line: str, person: tuple[str, str, str]) -> None:
    assert read_people(f"\n{line}\n") == [Person(*person)]


def test_a_number_alone_is_no_name_left_out() -> None:
    with pytest.raises(BadInput):
        read_people("Ada\n7. ;Draghi")


def test_a_name_of_a_hundred_thousand_accents_is_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(BadInput):
        clean_name("Ada" + "\u0316\u0301" * 50_000)
    assert time.process_time() - began < 5
    assert clean_name("  A\u0301da \n") == "Áda"


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\x07"])
def test_a_club_holds_no_sign_that_cannot_be_seen(sign: str) -> None:
    with pytest.raises(BadInput) as refused:
        clean_club(f"Circolo{sign} Astro")
    assert refused.value.code == "bad_club"
    with pytest.raises(BadInput) as refused:
        read_people(f"Ada\nBea; Cir{sign}colo")
    assert refused.value.sentence.values["lines"] == ("2",)


def test_a_club_is_tidied_and_may_be_missing() -> None:
    assert clean_club(" Circolo \t A\u0301stro ") == "Circolo Ástro"
    assert clean_club("  ") == ""
    assert clean_club("C" * 100) == "C" * 80


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
        ("A" * 81, "at most 80 characters"),
        ("Ada\u202e", "invisible characters"),
        ("Ada\x07", "invisible characters"),
        ("", "at least one letter"),
        ("– ?", "at least one letter"),
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
    for text in ("", "\n \n", "Ada\n" * (MOST_AT_ONCE + 1)):
        with pytest.raises(BadInput, match="from 1 to 1000 names") as refused:
            read_people(text)
        assert refused.value.code == "bad_lines"
