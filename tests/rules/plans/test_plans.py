"""Late places and shares of a plan."""

from fractions import Fraction

import pytest

from rules.formulas import FORMULAS
from rules.json_reader import WrongValue
from rules.plans import (
    FormulaPlan,
    late_entries_by_place,
    late_entry_place,
    read_percentage_settings,
    start_places,
)


def test_a_late_entry_has_a_seat_of_their_own_in_the_swiss_stage() -> None:
    plan = FORMULAS.get("swiss-cut").plan(9)
    later = plan.with_late_entry(0, 12)
    assert later.players == 10
    (group,) = later.stages[0].groups
    assert group.seats == (*start_places(9), late_entry_place(12))
    assert later.stages[0].rounds == plan.stages[0].rounds
    assert later.stages[1:] == plan.stages[1:]


def test_byes_are_of_the_first_stage_and_come_with_a_late_entry() -> None:
    plan = FORMULAS.get("swiss-cut").plan(9)
    awarded = plan.with_byes({4: 2, 7: 0, 1: 1})
    assert awarded.stages[0].byes == ((1, 1), (4, 2))
    assert awarded.stages[1:] == plan.stages[1:]
    assert FormulaPlan.from_json(awarded.to_json()) == awarded
    assert "byes" not in plan.to_json()["stages"][0]
    assert awarded.with_late_entry(0, 12, 3).stages[0].byes == ((1, 1), (4, 2), (12, 3))
    assert awarded.with_late_entry(0, 12).stages[0].byes == awarded.stages[0].byes


def test_a_setting_of_the_first_stage_is_of_it_alone() -> None:
    plan = FORMULAS.get("swiss-cut").plan(9)
    set_so = plan.with_first("sizes", (4, 3)).with_first("a", 1).with_first("sizes", (4,))
    assert set_so.stages[0].own == (("a", 1), ("sizes", (4,)))
    assert set_so.stages[1:] == plan.stages[1:]
    assert FormulaPlan.from_json({**set_so.to_json(), "shares": {"floor": "1/4"}})


def test_late_places_say_whose_they_are() -> None:
    assert late_entries_by_place(["S1", late_entry_place(12), "A1", late_entry_place(7)]) == {
        late_entry_place(12): 12,
        late_entry_place(7): 7,
    }


def test_shares_are_numbers_from_0_to_1():
    assert read_percentage_settings({"floor": "1/3", "draw": "1", "bye_games": "2"}) == {
        "floor": Fraction(1, 3),
        "draw": Fraction(1),
        "bye_games": Fraction(2),
    }


@pytest.mark.parametrize("text", ["", "-1", "½", "1/0", "1/2/3", "4/3", "1000", "1/1000"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(WrongValue, match="floor"):
        read_percentage_settings({"floor": text})


@pytest.mark.parametrize("text", ["10", "1/2"])
def test_games_of_a_bye_are_whole_and_few(text):
    with pytest.raises(WrongValue, match="bye_games"):
        read_percentage_settings({"bye_games": text})
