"""Names of people, as they come from a list or a spreadsheet."""

import time

import pytest

from rules.errors import BadInput
from rules.person_names import clean_name, read_people


@pytest.mark.parametrize(
    ("line", "person"),
    [
        ("\tElsa", ("Elsa", "")),
        ("Elsa\tDraghi", ("Elsa", "Draghi")),
        ("3. Ugo", ("Ugo", "")),
        ("12) Ugo; Draghi", ("Ugo", "Draghi")),
        ("3 Ugo", ("3 Ugo", "")),
        ("R2.D2", ("R2.D2", "")),
    ],
)
def test_what_is_pasted_becomes_a_name(line: str, person: tuple[str, str]) -> None:
    assert read_people(f"\n{line}\n") == [person]


def test_a_number_alone_is_no_name_left_out() -> None:
    with pytest.raises(BadInput):
        read_people("Ada\n7. ;Draghi")


def test_a_name_of_a_hundred_thousand_accents_is_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(BadInput):
        clean_name("Ada" + "\u0316\u0301" * 50_000)
    assert time.process_time() - began < 1
    assert clean_name("  A\u0301da \n") == "Áda"
