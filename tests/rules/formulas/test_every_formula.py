"""What every formula promises, for every number of players up to 40 and every option."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, describe
from rules.formulas.base import DefaultGames, Formula, Option
from rules.plans import FormulaPlan, start_places
from rules.results import Result, Winner, result_of_two
from rules.stages import STAGE_KINDS
from rules.stages.base import Pairing
from tests.rules.play import PlayedEvent

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
def test_a_plan_survives_being_stored(formula: Formula) -> None:
    for plan in plans(formula):
        stored = json.loads(json.dumps(plan.to_json()))
        assert FormulaPlan.from_json(stored) == plan


@EVERY
def test_every_seat_is_a_place_of_an_earlier_stage(formula: Formula) -> None:
    for plan in plans(formula):
        known = set(start_places(plan.players))
        seated: Counter[str] = Counter()
        for stage in plan.stages:
            seats = [name for group in stage.groups for name in group.seats]
            assert set(seats) <= known
            seated.update(seats)
            offered = [place.name for place in stage.places]
            assert len(offered) == len(set(offered))
            known |= set(offered)
        assert set(seated.values()) == {1}
        assert set(start_places(plan.players)) <= set(seated)


@EVERY
def test_stages_have_known_kinds_rounds_and_words(formula: Formula) -> None:
    for plan in plans(formula):
        assert all(stage.kind in STAGE_KINDS for stage in plan.stages)
        assert all(str(sentence) for sentence in describe(plan))


@EVERY
@pytest.mark.parametrize("players", range(2, 41))
def test_it_accepts_its_range_of_players_and_ranks_all(formula: Formula, players: int) -> None:
    if players < formula.minimum:
        with pytest.raises(BadInput, match="needs at least"):
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
    return result_of_two(*pairing.seats, winner=winner, score=score)


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
