"""Plans of formulas of one's own, and points that players begin with."""

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.formulas import FORMULAS, describe_plan
from rules.formulas.base import DefaultGames, Formula, Options
from rules.formulas.custom import (
    custom_formula,
    definition_to_json,
    formula_faults,
    read_definition,
)
from rules.formulas.custom.definition import MatchWinner
from rules.formulas.starting_points import CONSOLATION, can_customise, definition_from_formula
from rules.plans import FormulaPlan, start_places
from rules.results import Result, Winner, two_player_result, two_seats
from rules.stages.base import Pairing
from tests.effort import examples
from tests.rules.formulas import definitions as make
from tests.rules.formulas.definitions import Data
from tests.rules.play import PlayedEvent, lower_wins

GAMES = DefaultGames(match=1, final=1)


def plan_of(data: Data, players: int, games: DefaultGames = GAMES) -> FormulaPlan:
    return custom_formula("custom_prova", read_definition(data)).plan(players, games=games)


def chance(seed: int) -> Any:
    """Return a judge who lets chance decide, the same for the same two players."""

    def judge(pairing: Pairing) -> Result:
        a, b = int(pairing.seats[0]), int(two_seats(pairing.seats, None)[1] or 0)
        lot = Random(f"{seed} {min(a, b)} {max(a, b)}")
        best = lot.choice(sorted([a, b]))
        drawn = pairing.draws and lot.random() < 0.2
        score = lot.randint(0, 3)
        if drawn:
            return two_player_result(a=a, b=b, winner=Winner.DRAW, score=(score, score))
        made = (score + 1, score) if best == a else (score, score + 1)
        return two_player_result(a=a, b=b, winner=Winner.A if best == a else Winner.B, score=made)

    return judge


def played(plan: FormulaPlan, seed: int) -> PlayedEvent:
    event = PlayedEvent(plan, list(range(1, plan.players + 1)))
    event.play(chance(seed))
    return event


@given(make.playable(), st.integers(0, 10**6), st.data())
@settings(
    examples(1.5),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_whatever_has_no_fault_is_played_to_a_ranking_of_everybody(
    data: Data, seed: int, more: st.DataObject
) -> None:
    definition = read_definition(data)
    assume(not formula_faults(definition))
    for players in range(definition.lowest, definition.highest + 1):
        plan = plan_of(data, players)
        _hangs_together(plan)
    players = more.draw(st.integers(definition.lowest, definition.highest))
    event = played(plan_of(data, players), seed)
    assert all(None not in seats for state in event.states for seats in state.seats.values())
    assert sorted(player for level in event.ranking() for player in level) == list(event.order)


def _hangs_together(plan: FormulaPlan) -> None:
    """Ask what test_every_formula asks of a plan."""
    stored = json.loads(json.dumps(plan.to_json()))
    assert FormulaPlan.from_json(stored) == plan
    known, seated = set(start_places(plan.players)), Counter[str]()
    names: set[str] = set()
    for stage in plan.stages:
        seats = [name for each in stage.groups for name in each.seats]
        assert set(seats) <= known
        seated.update(seats)
        offered = {place.name for place in stage.places}
        assert len(offered) == len(stage.places)
        assert not offered & (known | names)
        known |= offered
    assert set(seated.values()) == {1}
    assert set(start_places(plan.players)) <= set(seated)
    assert all(str(sentence) for sentence in describe_plan(plan))


@given(make.playable())
def test_a_definition_survives_a_round_trip(data: Data) -> None:
    definition = read_definition(data)
    written = json.loads(json.dumps(definition_to_json(definition)))
    assert read_definition(written) == definition
    assert definition_to_json(read_definition(written)) == written


WITH_THIRD = {"third_place": True}
SAME = [
    (make.mutant_chronicles(), "mutant-chronicles", 12, {}),
    (make.groups_knockout(), "groups-knockout", 8, WITH_THIRD),
    *((make.swiss_cut(), "swiss-cut", players, WITH_THIRD) for players in (9, 12, 16)),
]


@pytest.mark.parametrize(("data", "shipped", "players", "options"), SAME)
@pytest.mark.parametrize("seed", range(5))
def test_a_shipped_formula_made_by_hand_plays_the_same(
    data: Data, shipped: str, players: int, options: dict[str, Any], seed: int
) -> None:
    assert formula_faults(read_definition(data)) == ()
    own = played(plan_of(data, players), seed)
    theirs = played(FORMULAS.get(shipped).plan(players, options, GAMES), seed)
    assert [_met(state) for state in own.states] == [_met(state) for state in theirs.states]
    assert own.ranking() == theirs.ranking()
    for one, other in zip(own.plan.stages, theirs.plan.stages, strict=True):
        assert (one.kind, one.timed, one.rounds, one.third_place, one.apart) == (
            *(other.kind, other.timed, other.rounds, other.third_place, other.apart),
        )


def _met(state: Any) -> list[Counter[frozenset[Any]]]:
    """Return who met whom in each round, whoever is named first."""
    return [
        Counter(frozenset(two_seats(p.seats, None)) for p, _result in played)
        for played in state.rounds
    ]


def test_only_the_last_stage_has_the_games_of_a_final_by_itself() -> None:
    """A bracket of losers, or one that seeds the final stage, is no final of the event."""
    games = DefaultGames(match=1, final=3)
    plan = custom_formula("custom_x", CONSOLATION.definition(str)).plan(8, games=games)
    assert [stage.best_of for stage in plan.stages] == [(1,), (1,), (1, 1), (3, 1)]


def test_too_few_and_too_many_players_are_refused() -> None:
    formula = custom_formula("custom_prova", read_definition(make.swiss_cut()))
    with pytest.raises(BadInput, match="at least 9"):
        formula.plan(8)
    with pytest.raises(BadInput, match="at most 16") as many:
        formula.plan(17)
    assert many.value.code == "too_many_players"


def test_games_are_those_of_the_game_unless_the_formula_says() -> None:
    data = make.swiss_cut()
    games = DefaultGames(match=1, final=5)
    assert plan_of(data, 12, games).stages[0].best_of == (1,)
    assert plan_of(data, 12, games).stages[1].best_of == (5, 1)
    data["stages"][1]["best_of"] = [0, 3]
    assert plan_of(data, 12, games).stages[1].best_of == (5, 3)
    data["stages"][1]["best_of"] = [7]
    assert plan_of(data, 12, games).stages[1].best_of == (7,)


def test_places_have_names_that_people_can_read() -> None:
    names = [
        {place.name for place in stage.places}
        for stage in plan_of(make.mutant_chronicles(), 12).stages
    ]
    assert names[0] == {"A1", "A2", "B1", "B2", "C1", "C2", "best 3rd", "2nd best 3rd"}
    assert names[1] == {"best 1st", "2nd best 1st", "I2", "II2", "2:best 3rd"}
    assert names[4] == {"W1", "L1"}


@pytest.mark.parametrize("name", ["S", "late", "W", "best", "2:A", "A1"])
def test_no_name_of_a_group_makes_two_places_one(name: str) -> None:
    data = make.formula(
        make.stage("One", "round_robin", make.group(name), make.group("A")),
        make.stage(
            "Two", "round_robin", make.group("A", make.rank(1, name, 1), make.rank(1, "A", 1))
        ),
        make.stage(
            "Three", "knockout", make.group("W", make.rank(2, "A", 1), make.rank(2, "A", 2))
        ),
        lowest=6,
    )
    assert formula_faults(read_definition(data)) == ()
    plan = plan_of(data, 6)
    _hangs_together(plan)
    assert played(plan, 1).ranking()


def test_the_two_of_a_final_need_no_lots() -> None:
    event = PlayedEvent(plan_of(make.mutant_chronicles(), 12), list(range(1, 13)))
    assert event.plan.stages[3].interchangeable == (("T1", "T2"),)


BY_FORMULA = {
    "mutant-chronicles": 12,
    "groups-knockout": 8,
    "swiss-cut": 12,
    "single-elimination": 6,
    "double-elimination": 6,
    "single-group": 5,
}


def played_with_points(plan: FormulaPlan) -> PlayedEvent:
    event = PlayedEvent(plan, list(range(1, plan.players + 1)))
    event.play(lower_wins)
    return event


@pytest.mark.parametrize("key", BY_FORMULA)
def test_a_starting_point_plays_as_the_shipped_formula(key: str) -> None:
    shipped, players = FORMULAS.get(key), BY_FORMULA[key]
    assert can_customise(shipped)
    definition = definition_from_formula(shipped, players, str)
    assert formula_faults(definition) == ()
    assert (definition.highest, definition.name) == (players, str(shipped.label))
    assert 2 <= definition.lowest <= players
    own = played_with_points(custom_formula("custom_own", definition).plan(players))
    theirs = played_with_points(shipped.plan(players))
    assert own.ranking() == theirs.ranking()
    assert [(stage.kind, stage.size, stage.rounds) for stage in own.plan.stages] == [
        (stage.kind, stage.size, stage.rounds) for stage in theirs.plan.stages
    ]


def test_the_winners_of_a_preliminary_round_are_named_by_their_matches() -> None:
    definition = definition_from_formula(FORMULAS.get("mutant-chronicles"), 14, str)
    assert formula_faults(definition) == ()
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
    assert not can_customise(relay)
    with pytest.raises(BadInput) as refused:
        definition_from_formula(relay, 8, str)
    assert refused.value.code == "no_starting_point"
