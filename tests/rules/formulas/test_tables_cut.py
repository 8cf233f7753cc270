"""The formula of rounds at tables and a cut: what fits the players, and what does not go together.

Source: tables, 6 (formula tables-cut).
"""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, shipped_formula
from rules.formulas.tables_cut import (
    TABLES_CUT,
    fitting_cut,
    fitting_knockout,
    fitting_rounds,
)

SIZES = ((4, 3), (4, 5, 3), (3, 4), (4,), (4, 3, 2), (3,), (5, 4))


def test_rounds_and_cut_fit_the_players():
    wanted = {5: (2, 4), 16: (2, 4), 17: (3, 4), 34: (3, 4), 35: (4, 10), 64: (4, 10)}
    wanted |= {65: (5, 16), 128: (5, 16), 129: (6, 16), 208: (6, 16), 209: (7, 16), 304: (7, 16)}
    wanted |= {305: (8, 40), 3: (2, 0), 4: (2, 0)}
    assert {n: (fitting_rounds(n), fitting_cut(n, 4)) for n in wanted} == wanted
    for sizes in SIZES:
        for players in range(3, 400, 7):
            for ending in ("tables", "two"):
                TABLES_CUT.plan(players, {"sizes": list(sizes), "ending": ending})
    wanted = {3: 0, 4: 0, 5: 4, 34: 4, 35: 8, 65: 16, 305: 32}
    assert {n: fitting_knockout(n, 4) for n in wanted} == wanted


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"sizes": [4, 4]}, "invalid_sizes"),
        ({"sizes": []}, "invalid_sizes"),
        ({"sizes": [6]}, "invalid_sizes"),
        ({"sizes": [5, 2]}, "invalid_sizes"),
        ({"sizes": "43"}, "bad_option"),
        ({"small": "most"}, "bad_option"),
        ({"small": True}, "bad_option"),
        ({"cut": 8}, "invalid_cut"),
        ({"cut": 4, "sizes": [3, 4]}, "invalid_cut"),
        ({"cut": 65}, "bad_option"),
        ({"ending": "threes"}, "bad_option"),
    ],
)
def test_options_that_cannot_be_are_refused_whatever_the_players(options, code):
    with pytest.raises(BadInput) as refused:
        TABLES_CUT.checked(options)
    assert refused.value.code == code


def test_a_formula_of_the_program_is_found_by_its_key_whatever_the_size_of_its_tables():
    assert shipped_formula("tables-cut") is TABLES_CUT
    for formula in FORMULAS:
        assert shipped_formula(formula.key) is formula
        usual = formula.always is None
        assert formula.beside_plan == ((formula.about,) if usual else formula.always)
    with pytest.raises(BadInput):
        shipped_formula("go")
