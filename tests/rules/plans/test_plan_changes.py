"""Changes of a plan in play: docs/changing-the-plan.md."""

from dataclasses import replace

import pytest

from rules.errors import BadInput, RuleError
from rules.formulas import shipped_formula
from rules.formulas.base import DefaultGames
from rules.plan_changes import CurrentStage
from rules.plans import FormulaPlan, StagePlan
from rules.results import two_player_result
from rules.stages.base import Pairing, StageState


def in_play(formula, players, *, index=0, made=0, drawn=False, withdrawn=(), **options):
    """Return a stage in play with as many rounds made, everybody seated by number."""
    known = shipped_formula(formula)
    chosen = known.checked(options)
    plan = known.plan(players, chosen)
    stage = plan.stages[index]
    numbers = iter(range(1, players + 1))
    seats = {g.name: tuple(next(numbers) for _seat in g.seats) for g in stage.groups}
    pairing = Pairing(group=stage.groups[0].name, number=1, seats=(1, 2), best_of=1)
    rounds = tuple(((pairing, two_player_result(1, 2)),) for _round in range(made))
    return CurrentStage(
        plan=plan,
        index=index,
        state=StageState(plan=stage, seats=seats, rounds=rounds, withdrawn=frozenset(withdrawn)),
        made=made,
        drawn=drawn,
        formula=known,
        options=chosen,
        games=DefaultGames(),
    )


def swiss(players=16, **more):
    return in_play("swiss-cut", players, **{"rounds": 4, "cut": 8, "third_place": True, **more})


def test_four_rounds_and_top_8_become_three_and_top_4():
    before = swiss()
    plan = before.changed({"rounds": 3, "cut": 4})
    first, final = plan.stages
    assert (first.rounds, [place.name for place in first.places]) == (
        3,
        ["seed 1", "seed 2", "seed 3", "seed 4"],
    )
    assert (final.groups[0].seats, final.third_place) == (
        ("seed 1", "seed 2", "seed 3", "seed 4"),
        True,
    )
    assert dict(first.began) == {"rounds": 4, "cut": 8}
    assert FormulaPlan.from_json(plan.to_json()) == plan
    assert plan.stages[0].groups == before.plan.stages[0].groups


def test_a_plan_changed_to_another_is_the_one_that_begins_so_but_for_what_it_remembers():
    wanted = swiss(rounds=3, cut=4).plan
    plan = swiss().changed({"rounds": 3, "cut": 4})
    assert replace(plan, stages=tuple(replace(s, began=()) for s in plan.stages)) == wanted


def test_what_is_changed_back_is_as_if_nothing_had_been():
    before = swiss()
    there = replace(before, plan=before.changed({"rounds": 6, "cut": 2, "minutes": 4}))
    assert there.changed({"rounds": 4, "cut": 8}) == before.plan


def test_no_cut_takes_the_stage_to_come_away_and_a_cut_brings_one():
    none = replace(swiss(), plan=swiss().changed({"cut": 0}))
    assert len(none.plan.stages) == 1
    assert none.settings() == {"rounds": 4, "cut": 0}
    again = none.changed({"cut": 4, "third_place": False})
    assert [stage.size for stage in again.stages] == [16, 4]
    assert not again.stages[1].third_place


def test_a_larger_cut_keeps_games_and_third_place():
    before = swiss(cut=4, third_place=False, best_of=[5, 3, 1])
    final = before.changed({"cut": 8}).stages[1]
    assert (final.best_of, final.third_place) == ((5, 3, 1), False)


def test_a_cut_without_semi_finals_takes_third_place_from_the_options():
    final = swiss(cut=2).changed({"cut": 4}).stages[1]
    assert final.third_place
    assert "third_place" not in swiss(cut=2).settings()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rounds": 1}, "bad_rounds"),
        ({"rounds": 21}, "bad_rounds"),
        ({"cut": 1}, "bad_cut"),
        ({"cut": 17}, "cut_too_large"),
        ({"cut": 15}, "cut_too_large"),
        ({"rounds": 4, "cut": 8}, "nothing_changed"),
        ({}, "nothing_changed"),
    ],
)
def test_values_out_of_bounds_are_refused(change, code):
    with pytest.raises(BadInput) as refused:
        swiss(made=2, withdrawn=(3, 4)).changed(change)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("stage", "key"),
    [
        (in_play("single-group", 6), "rounds"),
        (in_play("single-group", 6), "cut"),
        (in_play("single-group", 6), "third_place"),
        (swiss(drawn=True), "cut"),
        (swiss(cut=2), "third_place"),
        (in_play("groups-knockout", 16), "cut"),
        (in_play("swiss-cut", 8, index=1, cut=8), "cut"),
        (in_play("swiss-cut", 8, index=1, cut=8), "rounds"),
        (in_play("swiss-cut", 8, index=1, cut=8, made=3), "third_place"),
    ],
)
def test_what_can_not_change_is_not_offered(stage, key):
    assert key not in stage.settings()
    with pytest.raises(RuleError) as refused:
        stage.changed({key: 5})
    assert refused.value.code == "plan_fixed"


def test_a_format_that_says_who_advances_keeps_its_cut():
    before = swiss()
    first, final = before.plan.stages
    elsewhere = replace(
        final, groups=(replace(final.groups[0], seats=final.groups[0].seats[::-1]),)
    )
    other = replace(before, plan=replace(before.plan, stages=(first, elsewhere)))
    assert other.settings() == {"rounds": 4, "third_place": True}


def test_third_place_may_change_until_the_last_round_is_drafted():
    before = swiss(8, index=1, made=2)
    plan = before.changed({"third_place": False})
    assert plan.stages[1] == replace(
        shipped_formula("swiss-cut")
        .plan(8, {"rounds": 4, "cut": 8, "third_place": False})
        .stages[1],
        began=(("third_place", True),),
    )


@pytest.mark.parametrize("places", ["others", "later"])
def test_third_place_stays_where_later_matches_depend_on_it(places):
    before = swiss()
    first, final = before.plan.stages
    stages = [first, replace(final, places=final.places[:1])]
    if places == "later":
        after = StagePlan(
            key="after",
            label=final.label,
            kind="knockout",
            groups=(replace(final.groups[0], seats=("L7", "L8")),),
        )
        stages = [first, final, after]
    other = replace(before, plan=replace(before.plan, stages=tuple(stages)))
    assert "third_place" not in other.settings()


def test_rounds_at_tables_take_only_cuts_that_make_full_tables():
    before = in_play("tables-cut", 24, rounds=3, cut=4)
    plan = before.changed({"rounds": 2, "cut": 10})
    assert [(stage.kind, stage.size) for stage in plan.stages] == [
        ("table_swiss", 24),
        ("table_cut", 10),
    ]
    with pytest.raises(BadInput) as refused:
        before.changed({"cut": 5})
    assert refused.value.code == "invalid_cut"
