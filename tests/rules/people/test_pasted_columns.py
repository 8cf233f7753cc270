"""Lists whose lines are divided by commas are read in columns once somebody says which."""

import pytest

from rules.people.person_names import columns_offered, split_at_comma

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


def test_a_comma_divides_two_cells_and_a_line_without_one_has_one():
    assert split_at_comma(f"\n{CLUBS}\nCarla") == [
        (2, ("Ada Rossi", "Torre")),
        (3, ("Bruno Neri", "Cavallo")),
        (4, ("Carla", "")),
    ]
    assert split_at_comma("1. Rossi, Ada; x\n2. Neri, Bruno") == [
        (1, ("Rossi", "Ada; x")),
        (2, ("Neri", "Bruno")),
    ]
