"""What holds for every formula, shipped, documented or shown as an example."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, describe_plan
from rules.formulas.base import DefaultGames, Formula, Option
from rules.formulas.custom import (
    custom_formula,
    definition_to_json,
    formula_faults,
    read_definition,
)
from rules.formulas.custom.definition import GroupDefinition, MatchWinner, StageDefinition
from rules.formulas.starting_points import CONSOLATION, EXAMPLES, TWO_GROUPS, FormulaExample
from rules.plans import SWISS, FormulaPlan, start_places
from rules.results import PlayerId, Result, Winner, two_player_result, two_seats
from rules.stages import STAGE_KINDS
from rules.stages.base import Pairing, bracket_matches
from rules.stages.knockout import KNOCKOUT, match_label
from tests.rules.play import PlayedEvent, lower_wins, play_out

EVERY = pytest.mark.parametrize("formula", list(FORMULAS), ids=lambda formula: formula.key)


def values_of(option: Option) -> list[Any]:
    allowed = [choice.value for choice in option.choices]
    match option.kind:
        case "yes_no":
            return [True, False]
        case "number":
            return list(range(option.lowest, min(option.highest, option.lowest + 10) + 1))
        case "choices":
            count = len(option.items)
            return [[allowed[0]] * count, [allowed[-1]] * count, [*allowed, *allowed][:count]]
        case _:
            return allowed


def plans(formula: Formula) -> Iterator[FormulaPlan]:
    keys = [option.key for option in formula.options]
    combinations = list(product(*(values_of(option) for option in formula.options)))
    step = max(1, len(combinations) // 40)
    for players in range(formula.minimum, 41):
        for chosen in combinations[players % step :: step]:
            options = dict(zip(keys, chosen, strict=True))
            with suppress(BadInput):  # some options do not fit some numbers of players
                yield formula.plan(players, options, DefaultGames(match=3, final=5))
        yield formula.plan(players)


@EVERY
def test_a_plan_is_sound_and_survives_being_stored(formula: Formula) -> None:
    """Every seat is a place of an earlier stage, once; kinds are known, all is told in words."""
    for plan in plans(formula):
        stored = json.loads(json.dumps(plan.to_json()))
        assert FormulaPlan.from_json(stored) == plan
        known = set(start_places(plan.players))
        seated: Counter[str] = Counter()
        for stage in plan.stages:
            assert stage.kind in STAGE_KINDS
            seats = [name for group in stage.groups for name in group.seats]
            assert set(seats) <= known
            seated.update(seats)
            offered = [place.name for place in stage.places]
            assert len(offered) == len(set(offered))
            known |= set(offered)
        assert set(seated.values()) == {1}
        assert set(start_places(plan.players)) <= set(seated)
        assert all(str(sentence) for sentence in describe_plan(plan))


@EVERY
@pytest.mark.parametrize("players", range(2, 41))
def test_it_accepts_its_range_of_players_and_ranks_all(formula: Formula, players: int) -> None:
    if players < formula.minimum:
        with pytest.raises(BadInput, match="at least "):
            formula.plan(players)
        return
    event = PlayedEvent(formula.plan(players), list(range(1, players + 1)))
    event.play(better_wins)
    assert all(None not in seats for state in event.states for seats in state.seats.values())
    assert sorted(player for level in event.ranking() for player in level) == list(event.order)
    assert event.ranking()[0] == (1,)


def better_wins(pairing: Pairing) -> Result:
    assert len(pairing.seats) == 2
    a, b = int(pairing.seats[0]), int(pairing.seats[-1])
    score = (100 - a, 0) if a < b else (0, 100 - b)
    winner = Winner.A if a < b else Winner.B
    return two_player_result(*pairing.seats, winner=winner, score=score)


@EVERY
def test_options_are_checked(formula: Formula) -> None:
    with pytest.raises(BadInput) as unknown:
        formula.plan(formula.minimum, {"nonsense": 1})
    assert unknown.value.code == "bad_option"
    for option in formula.options:
        for value in ("nonsense", 999, None, [1, 999, 1], 1.5):
            with pytest.raises(BadInput) as wrong:
                formula.plan(formula.minimum, {option.key: value})  # type: ignore[dict-item]
            assert wrong.value.code == "bad_option"
        assert formula.checked({})[option.key] == option.default


SIZES = (3, 5, 8, 12, 17)


def by_strength(order: list[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Return how strong each player is, by their place in the order of the start."""
    chance = Random(seed)
    strengths = list(range(len(order)))
    chance.shuffle(strengths)
    return dict(zip(order, strengths, strict=True))


def played(formula: Formula, options: dict[str, object], order: list[PlayerId]) -> PlayedEvent:
    """Return an event in which the stronger always wins, by as much as they are stronger."""
    strength = by_strength(order, len(order))

    def judge(pairing: Pairing) -> Result:
        assert len(pairing.seats) == 2
        a, b = strength[pairing.seats[0]], strength[pairing.seats[-1]]
        score = (40, 39 - (a - b)) if a > b else (39 - (b - a), 40)
        return two_player_result(
            *pairing.seats, winner=Winner.A if a > b else Winner.B, score=score
        )

    event = PlayedEvent(formula.plan(len(order), options), order)
    event.play(judge)
    return event


def chosen(formula: Formula, chance: Random) -> dict[str, object]:
    """Return options, each by chance at its default or at another value."""
    return {
        option.key: chance.choice([option.default, *values_of(option)])
        for option in formula.options
    }


@EVERY
@pytest.mark.parametrize("players", SIZES)
def test_other_numbers_give_the_same_ranking(formula: Formula, players: int) -> None:
    plan = formula.plan(players)
    if any(stage.kind == SWISS for stage in plan.stages):
        pytest.skip("Swiss rounds draw by numbers what the table leaves open.")
    order: list[PlayerId] = list(range(1, players + 1))
    names: list[PlayerId] = [f"n{1000 - number}" for number in order]
    one, other = played(formula, {}, order), played(formula, {}, names)
    name = dict(zip(order, names, strict=True))
    assert [[name[p] for p in level] for level in one.ranking()] == list(map(list, other.ranking()))
    assert {place: name[p] for place, p in one.places.items()} == other.places


@EVERY
@pytest.mark.parametrize("players", SIZES)
def test_the_strongest_is_never_behind_whom_they_always_beat(
    formula: Formula, players: int
) -> None:
    order: list[PlayerId] = list(range(1, players + 1))
    event = played(formula, {}, order)
    strength = by_strength(order, players)
    assert event.ranking()[0] == (max(order, key=strength.__getitem__),)


@EVERY
def test_the_same_play_twice_gives_the_same_event(formula: Formula) -> None:
    chance = Random(formula.key)
    for players in SIZES:
        options = chosen(formula, chance)
        order: list[PlayerId] = list(range(1, players + 1))
        try:
            one = played(formula, options, order)
        except BadInput:  # some options do not fit some numbers of players
            continue
        other = played(formula, options, order)
        assert (one.states, one.ranking()) == (other.states, other.ranking())


def played_example(example: FormulaExample, players: int) -> PlayedEvent:
    plan = custom_formula("custom_example", example.definition(str)).plan(players)
    event = PlayedEvent(plan, list(range(1, players + 1)))
    event.play(lower_wins)
    return event


@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_an_example_has_no_fault_and_survives_a_round_trip(example: FormulaExample) -> None:
    definition = example.definition(str)
    assert formula_faults(definition) == ()
    assert read_definition(definition_to_json(definition)) == definition
    assert example.key not in FORMULAS


@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_an_example_is_played_to_a_ranking_of_everybody(example: FormulaExample) -> None:
    for players in {example.lowest, example.lowest + 1, example.highest}:
        ranking = played_example(example, players).ranking()
        assert sorted(p for level in ranking for p in level) == list(range(1, players + 1))
        assert ranking[0] == (1,)


def test_the_losers_of_quarter_finals_play_for_the_fifth_place() -> None:
    event = played_example(CONSOLATION, 12)
    assert list(event.ranking()[:8]) == [(place,) for place in range(1, 9)]
    quarters, losers, finals = event.states[1:]
    assert losers.players == tuple(
        result.seats[-1] if result.winner is Winner.A else result.seats[0]
        for _pairing, result in sorted(quarters.rounds[0], key=lambda each: each[0].number)
    )
    assert set(finals.players).isdisjoint(losers.players)


def test_matches_for_the_fifth_and_the_seventh_place_are_called_so() -> None:
    plan = custom_formula("custom_example", CONSOLATION.definition(str)).plan(12)
    assert FormulaPlan.from_json(plan.to_json()) == plan
    assert [stage.ranks_from for stage in plan.stages] == [1, 1, 5, 1]
    assert "ranks_from" not in plan.to_json()["stages"][3]
    event = played_example(CONSOLATION, 12)
    losers, finals = event.states[2:]
    assert str(KNOCKOUT.describe_round(losers, 2)) == "Matches for places 5 and 7"
    assert str(KNOCKOUT.describe_round(finals, 2)) == "Final and third place"
    labels = [str(match_label(losers.plan, match)) for match in bracket_matches(losers.plan)]
    assert labels == ["Match 1", "Match 2", "For place 7", "Match 4"]
    told = [str(sentence) for sentence in describe_plan(plan)]
    assert "For place 5: One game" in told
    assert "For place 7" in told


def test_a_bracket_whose_winner_plays_on_has_a_final() -> None:
    definition = CONSOLATION.definition(str)
    semis = replace(
        definition.stages[3],
        groups=(
            GroupDefinition(
                name="F",
                entrants=(
                    MatchWinner(stage=3, winner=4),
                    *(MatchWinner(stage=2, winner=match) for match in (1, 2, 3, 4)),
                ),
            ),
        ),
    )
    changed = replace(definition, stages=(*definition.stages[:3], semis))
    plan = custom_formula("custom_example", changed).plan(12)
    assert [stage.ranks_from for stage in plan.stages] == [1, 1, 1, 1]


def test_nobody_sits_twice_when_the_winner_of_a_quarter_final_leaves() -> None:
    """Their loser has a place already, so the semi-final of the free one is not played."""
    plan = custom_formula("custom_example", CONSOLATION.definition(str)).plan(12)
    event = PlayedEvent(plan, list(range(1, 13)))
    event.state = play_out(event.state, lower_wins)
    event.draw_lots()
    event.advance()
    event.state = replace(play_out(event.state, lower_wins), withdrawn=frozenset({1}))
    assert event.outcome.left_out == (1,)
    event.play(lower_wins)
    seated = [{p for seats in state.seats.values() for p in seats} for state in event.states[2:]]
    assert seated[0] & seated[1] == set()
    assert [None in seats for seats in seated] == [False, True]
    ranking = event.ranking()
    assert sorted(p for level in ranking for p in level) == list(range(1, 13))
    assert ranking[0] == (2,)


def test_firsts_meet_the_seconds_of_the_other_group() -> None:
    plan = custom_formula("custom_example", TWO_GROUPS.definition(str)).plan(8)
    event = PlayedEvent(plan, list(range(1, 9)))
    event.play(lower_wins)
    tables = event.outcome_of(0).standings
    a, b = ([row.player for row in tables[group].rows] for group in "AB")
    first = {frozenset(two_seats(p.seats, None)) for p, _result in event.states[1].rounds[0]}
    assert first == {frozenset((a[0], b[1])), frozenset((b[0], a[1]))}


PAGE = (Path(__file__).parents[3] / "docs" / "formulas.md").read_text()
(EXAMPLE,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("players", range(9, 14))
def test_the_documented_example_can_be_played(players: int) -> None:
    definition = read_definition(json.loads(EXAMPLE))
    assert formula_faults(definition) == ()
    plan = custom_formula("custom_cup", definition).plan(players)
    event = PlayedEvent(plan, list(range(1, players + 1)))
    event.play(lower_wins)
    assert event.ranking()[0] == (1,)
    assert sorted(p for level in event.ranking() for p in level) == list(event.order)


def test_every_kind_and_setting_is_described() -> None:
    settings = set(StageDefinition.__slots__) - {"name", "kind", "groups", "own"}
    described = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert settings == described
    assert all(f"`{kind.key}`" in PAGE for kind in STAGE_KINDS)
