"""Groups of which everybody goes on are found."""

from rules.formulas.base import FORMULAS
from rules.formulas.single_group import groups_all_going_on
from rules.plans import FormulaPlan, StagePlan, groups_of, ranks_of
from rules.wording import Sentence


def plan(going):
    """Return two groups of two, of which these places go on to a knock-out."""
    groups = StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind="round_robin",
        groups=groups_of("AB", [("S1", "S4"), ("S2", "S3")]),
        places=(*ranks_of("A", ("A1", "A2")), *ranks_of("B", ("B1", "B2"))),
    )
    cup = StagePlan(
        key="cup", label=Sentence("Cup"), kind="knockout", groups=groups_of(["K"], [going])
    )
    return FormulaPlan(formula="x", players=4, stages=(groups, cup))


def test_two_of_two_are_found_and_one_of_two_is_not():
    (found,) = groups_all_going_on(plan(("A1", "B1", "B2", "A2")))
    assert (found[0].key, found[1]) == ("groups", 2)
    assert list(groups_all_going_on(plan(("A1", "B1")))) == []


def test_shipped_formulas_have_none_at_their_usual_size():
    for formula in FORMULAS:
        assert list(groups_all_going_on(formula.plan(max(16, formula.minimum)))) == []
