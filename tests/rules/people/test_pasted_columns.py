"""Lists whose lines are divided by commas are read in columns once somebody says which."""

import pytest

from rules.people.pasted_columns import Columns, columns_offered, in_columns
from rules.people.person_names import Person, read_people

CLUBS = "Ada Rossi, Torre\nBruno Neri, Cavallo"


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (CLUBS, True),
        (CLUBS + "\n\n", True),
        ("Ada Rossi, Torre", False),
        (CLUBS + "\nCarla", True),
        (CLUBS + "\nCarla\nDora", False),
        ("Ada Rossi, Torre\nCarla", False),
        (CLUBS + "\nCarla; Torre", False),
        ("Ada, Bea, Carla\nDora, Elio, Fosca", False),
        ("Ada,\nBea,", False),
    ],
)
def test_columns_are_offered_where_one_comma_repeats_over_the_lines(text, offered):
    assert bool(columns_offered(text)) == offered


def test_the_parts_become_club_or_surname():
    assert read_people(in_columns(CLUBS, Columns.CLUB)) == [
        Person("Ada Rossi", "Torre"),
        Person("Bruno Neri", "Cavallo"),
    ]
    turned = read_people(in_columns("De Santis, Ada\nNeri, Bruno", Columns.SURNAME))
    assert turned == [Person("Ada De Santis", "", "De Santis"), Person("Bruno Neri", "", "Neri")]


def test_a_line_without_a_comma_stays_as_it_is():
    assert in_columns("Ada, Luna\nBea", Columns.CLUB) == "Ada; Luna\nBea"
