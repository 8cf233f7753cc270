"""Finals of a series: the first-round byes that a formula has room for."""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, TABLE_FORMULAS
from rules.formulas.custom import custom_formula, read_definition
from rules.series.finals import check_final_formula, possible_byes
from tests.rules.formulas.definitions import formula as definition
from tests.rules.formulas.definitions import group, stage, winner


@pytest.mark.parametrize("key", ["single-elimination", "double-elimination"])
def test_a_bracket_has_the_byes_that_fill_it_up(key: str) -> None:
    found = {first: possible_byes(key, first) for first in (2, 3, 4, 5, 6, 7, 8, 12)}
    assert found == {2: (0,), 3: (1,), 4: (0,), 5: (3,), 6: (2,), 7: (1,), 8: (0,), 12: (4,)}


def test_swiss_rounds_take_any_number_that_leaves_a_match() -> None:
    assert possible_byes("swiss-cut", 3) == (0, 1)
    assert possible_byes("swiss-cut", 6) == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("key", ["groups-knockout", "single-group", "tables-cut"])
def test_groups_and_tables_have_no_byes(key: str) -> None:
    assert {possible_byes(key, first) for first in range(3, 17)} == {(0,)}


def test_options_may_change_what_fits() -> None:
    swiss, groups = ({"preliminary": kind} for kind in (1, 2))
    assert possible_byes("mutant-chronicles", 9) == (7,)  # a play-in for eight places
    assert possible_byes("mutant-chronicles", 13, swiss) == tuple(range(12))
    assert possible_byes("mutant-chronicles", 13, groups) == (0,)


@pytest.mark.parametrize("formula", [*FORMULAS, *TABLE_FORMULAS], ids=lambda one: one.key)
def test_every_formula_gives_its_byes_to_the_best_seeds(formula) -> None:
    assert all(possible_byes(formula, first) for first in range(formula.minimum, 41))


@pytest.mark.parametrize(("later", "byes"), [((1, 2), (2,)), ((1, 3), ())])
def test_whoever_enters_a_formula_of_ones_own_later_has_a_bye(later, byes) -> None:
    semifinals = [{"start": later[0]}, {"start": later[1]}, winner(1, 1), winner(1, 2)]
    ladder = definition(
        stage("First round", "knockout", group("A"), survivors=2),
        stage("Semi-finals", "knockout", group("B", *semifinals)),
        lowest=6,
    )
    made = custom_formula("custom_1", read_definition(ladder))
    assert possible_byes(made, 6) == byes


@pytest.mark.parametrize(
    ("key", "first", "byes"),
    [
        ("single-elimination", 6, 2),
        ("single-elimination", 8, 0),
        ("double-elimination", 5, 3),
        ("swiss-cut", 8, 4),
        ("single-group", 6, 0),
    ],
)
def test_what_fits_is_accepted(key: str, first: int, byes: int) -> None:
    check_final_formula(key, {}, first, byes)
    assert byes in possible_byes(key, first)


@pytest.mark.parametrize(
    ("key", "first", "byes", "possible", "sizes"),
    [
        ("single-elimination", 8, 4, (0,), (12, 28, 60)),
        ("single-elimination", 7, 2, (1,), (6, 14, 30, 62)),
        ("single-elimination", 6, 0, (2,), (2, 4, 8, 16, 32)),
        ("swiss-cut", 6, 7, (0, 1, 2, 3, 4), (9, 10, 11, 12, 13)),
        ("swiss-cut", 6, -1, (0, 1, 2, 3, 4), "–"),
        ("single-group", 6, 2, (0,), "–"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_does(
    key: str, first: int, byes: int, possible: object, sizes: object
) -> None:
    with pytest.raises(BadInput) as refused:
        check_final_formula(key, {}, first, byes)
    values = refused.value.sentence.values
    assert refused.value.code == "invalid_final"
    assert values["path"] == "first_round_byes"
    assert (values["possible"], values["sizes"]) == (possible, sizes)


def test_the_refusal_reads_as_a_sentence() -> None:
    with pytest.raises(BadInput) as refused:
        check_final_formula("single-elimination", {}, 7, 2)
    assert str(refused.value) == (
        "Possible byes for 7 players: 1. Possible sizes with these byes: 6, 14, 30, 62."
    )


@pytest.mark.parametrize(
    ("key", "first", "said"),
    [
        ("groups-knockout", 2, "Too few players: 2 (at least 3)."),
        ("single-elimination", 1, "Too few players: 1 (at least 2)."),
        ("single-elimination", 10**9, f"Too many players: {10**9} (at most 256)."),
    ],
)
def test_a_size_that_the_formula_can_not_have_is_refused(key: str, first: int, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_final_formula(key, {}, first, 0)
    assert refused.value.code == "invalid_final"
    assert refused.value.sentence.values["path"] == "first"
    assert str(refused.value) == said


def test_a_wrong_option_is_named_as_everywhere() -> None:
    with pytest.raises(BadInput) as refused:
        check_final_formula("single-elimination", {"third_place": 3}, 6, 2)
    assert refused.value.code == "bad_option"
