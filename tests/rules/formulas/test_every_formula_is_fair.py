"""No formula looks at numbers: the same play under other numbers has the same outcome."""

from random import Random

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import Formula
from rules.plans import SWISS
from rules.results import PlayerId, Result, Winner, result_of_two
from rules.stages.base import Pairing
from tests.rules.formulas.test_every_formula import values_of
from tests.rules.play import PlayedEvent

SIZES = (3, 5, 8, 12, 17)
EVERY = pytest.mark.parametrize("formula", list(FORMULAS), ids=lambda formula: formula.key)


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
        return result_of_two(*pairing.seats, winner=Winner.A if a > b else Winner.B, score=score)

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
