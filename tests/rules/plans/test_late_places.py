"""Places for players who come late: a seat more in a stage of Swiss rounds."""

from rules.formulas import FORMULAS
from rules.plans.places import late_holders, late_place, start_places


def test_a_late_entry_has_a_seat_of_their_own_in_the_swiss_stage() -> None:
    plan = FORMULAS.get("swiss-cut").plan(9)
    later = plan.with_late_entry(0, 12)
    assert later.players == 10
    (group,) = later.stages[0].groups
    assert group.seats == (*start_places(9), late_place(12))
    assert later.stages[0].rounds == plan.stages[0].rounds
    assert later.stages[1:] == plan.stages[1:]


def test_late_places_say_whose_they_are() -> None:
    assert late_holders(["S1", late_place(12), "A1", late_place(7)]) == {
        late_place(12): 12,
        late_place(7): 7,
    }
