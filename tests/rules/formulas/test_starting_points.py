"""A shipped formula as the beginning of one of one's own: the same event, stage by stage."""

from dataclasses import replace

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import DefaultGames, Formula, Options
from rules.formulas.custom import custom_formula, faults
from rules.formulas.custom.definition import MatchWinner
from rules.formulas.starting_points import can_begin, starting_point
from rules.plans import FormulaPlan
from tests.rules.play import PlayedEvent, lower_wins

BY_FORMULA = {
    "mutant-chronicles": 12,
    "groups-knockout": 8,
    "swiss-cut": 12,
    "single-elimination": 6,
    "double-elimination": 6,
    "single-group": 5,
}


def played(plan: FormulaPlan) -> PlayedEvent:
    event = PlayedEvent(plan, list(range(1, plan.players + 1)))
    event.play(lower_wins)
    return event


@pytest.mark.parametrize("key", BY_FORMULA)
def test_a_starting_point_plays_as_the_shipped_formula(key: str) -> None:
    shipped, players = FORMULAS.get(key), BY_FORMULA[key]
    assert can_begin(shipped)
    definition = starting_point(shipped, players, str)
    assert faults(definition) == ()
    assert (definition.highest, definition.name) == (players, str(shipped.label))
    assert 2 <= definition.lowest <= players
    own = played(custom_formula("custom_own", definition).plan(players))
    theirs = played(shipped.plan(players))
    assert own.ranking() == theirs.ranking()
    assert [(stage.kind, stage.size, stage.rounds) for stage in own.plan.stages] == [
        (stage.kind, stage.size, stage.rounds) for stage in theirs.plan.stages
    ]


def test_the_winners_of_a_preliminary_round_are_named_by_their_matches() -> None:
    definition = starting_point(FORMULAS.get("mutant-chronicles"), 14, str)
    assert faults(definition) == ()
    play_in, groups = definition.stages[:2]
    assert (play_in.kind, play_in.survivors) == ("knockout", 12)
    winners = {MatchWinner(stage=1, winner=match) for match in range(1, 13)}
    assert {source for _group, source in groups.sources} == winners


def test_a_formula_with_a_stage_that_the_builder_lacks_is_no_starting_point() -> None:
    shipped = FORMULAS.get("single-elimination")

    def build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
        plan = shipped.build(players, options, games)
        (stage,) = plan.stages
        return replace(plan, stages=(replace(stage, kind="relay"),))

    relay = Formula(
        key="relay",
        label=shipped.label,
        about=shipped.about,
        minimum=shipped.minimum,
        options=shipped.options,
        build=build,
    )
    assert not can_begin(relay)
    with pytest.raises(BadInput) as refused:
        starting_point(relay, 8, str)
    assert refused.value.code == "no_starting_point"
