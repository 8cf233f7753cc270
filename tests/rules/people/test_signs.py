"""Signs of names that cannot be seen, and what a spreadsheet shows instead of a text."""

import pytest

from rules.errors import BadInput
from rules.people.contacts import clean_email, clean_memberships
from rules.people.person_names import (
    clean_club,
    clean_name,
    hides,
    holds_address,
    is_spreadsheet_error,
    without_marks,
)

MARKS = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200b\u2060\ufeff\u00ad"


@pytest.mark.parametrize("mark", MARKS)
def test_direction_marks_around_what_was_copied_are_taken_off(mark: str) -> None:
    assert without_marks(f"{mark}a{mark}") == "a"
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
    assert hides(f"a{sign}b")
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
    assert holds_address(text)


@pytest.mark.parametrize("text", ["", "Ada @ home", "@ada", "a@b", "a@@b.it", "@" * 100_000])
def test_texts_without_an_address(text: str) -> None:
    assert not holds_address(text)
