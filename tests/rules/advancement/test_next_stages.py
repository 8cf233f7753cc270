"""Where each player goes when a stage closes: foretold by the plan, checked by who sits where."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.advancement.bracket_ranking import held_so_far
from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import Formula
from rules.formulas.custom import custom_formula, faults
from rules.formulas.examples import CONSOLATION, EXAMPLES, Example
from rules.plans import FormulaPlan
from rules.results import PlayerId, Result, Winner, result_of_two
from rules.stages.base import Pairing
from tests.effort import examples
from tests.rules.formulas.definitions import Data, definition, playable
from tests.rules.play import PlayedEvent, add_round, lower_wins, play_out

Foretold = list[dict[PlayerId, int]]


def played(plan: FormulaPlan, source: random.Random) -> tuple[PlayedEvent, Foretold]:
    """Return an event played to its end, and what was foretold whenever a stage was closed."""
    event = PlayedEvent(plan, list(range(1, plan.players + 1)))
    foretold: Foretold = []
    while True:
        event.state = play_out(event.state, lambda pairing: any_winner(pairing, source))
        event.draw_lots()
        if event.is_last:
            return event, foretold
        places = event.places | event.outcome.places
        foretold.append(plan.next_stages(event.index, places))
        event.advance()


def any_winner(pairing: Pairing, source: random.Random) -> Result:
    score = (source.randint(0, 1), source.randint(2, 3))
    first = source.random() < 0.5
    return result_of_two(
        *pairing.seats,
        winner=Winner.A if first else Winner.B,
        score=score[::-1] if first else score,
    )


def check(plan: FormulaPlan, source: random.Random) -> None:
    """Check that everybody goes where it was foretold, and nobody who was out plays again."""
    event, foretold = played(plan, source)
    for index, ahead in enumerate(foretold):
        for player in event.states[index].players:
            sat = [n for n in range(index + 1, len(event.states)) if _sits(event, n, player)]
            assert ahead.get(player) == (sat[0] if sat else None)


def _sits(event: PlayedEvent, index: int, player: PlayerId) -> bool:
    return player in event.states[index].players


@pytest.mark.parametrize("formula", list(FORMULAS), ids=FORMULAS.keys())
def test_every_shipped_formula_sends_everybody_where_it_says(formula: Formula) -> None:
    for players in range(max(formula.minimum, 2), 25):
        check(formula.plan(players), random.Random(players))


@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_every_example_does(example: Example) -> None:
    formula = custom_formula("custom_example", example.definition(str))
    for players in range(example.lowest, min(example.highest, example.lowest + 4) + 1):
        check(formula.plan(players), random.Random(players))


@examples(3)
@given(playable(), st.integers(0, 6), st.randoms(use_true_random=False))
def test_every_definition_does(data: Data, more: int, source: random.Random) -> None:
    read = definition(data)
    assume(not faults(read))
    try:
        plan = custom_formula("custom_any", read).plan(min(read.lowest + more, read.highest))
    except BadInput:
        assume(False)
    check(plan, source)


def test_the_holder_of_x_skips_the_repechage() -> None:
    plan = FORMULAS.get("mutant-chronicles").plan(12)
    event, foretold = played(plan, random.Random(1))
    ahead = foretold[1]
    assert ahead[event.places["X"]] == 3
    assert {ahead[event.places[name]] for name in "LMNP"} == {2}
    out = set(event.states[1].players) - ahead.keys()
    assert len(out) == 3


def test_a_quarter_final_loser_with_a_consolation_is_not_out() -> None:
    """The ranking of a running event lists who is out: not those who play on for places."""
    plan = custom_formula("custom_example", CONSOLATION.definition(str)).plan(12)
    event = PlayedEvent(plan, list(range(1, 13)))
    event.state = play_out(event.state, lower_wins)
    event.draw_lots()
    event.advance()
    halfway = add_round(event.state, lower_wins)
    ((first, result), *others) = halfway.rounds[0]
    still = [(pairing, result_of_two(*pairing.seats, round=1)) for pairing, _r in others]
    event.state = type(halfway)(
        plan=halfway.plan,
        seats=halfway.seats,
        legs=halfway.legs,
        rounds=(((first, result), *still),),
    )
    loser = result.seats[-1] if result.winner is Winner.A else result.seats[0]
    assert loser in held_so_far(event.state, plan.used_places(1)).values()
    assert loser not in {player for level in event.ranking() for player in level}
