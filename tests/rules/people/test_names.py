"""Card names: which spellings are one."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules import names
from rules.names import _folded_key, name_key, tidy


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
    assert tidy(" a\r\nb\x00c\ud800 \u202ed ") == "a bc d"


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
