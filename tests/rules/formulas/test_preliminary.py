"""Preliminaries of the Mutant Chronicles formula: exactly 12 or 8 go on, whatever the kind."""

import pytest

from rules.formulas import FORMULAS
from rules.formulas.mutant_chronicles import GROUPS, PLAY_IN, SWISS_ROUNDS
from rules.results import EndedBy, Result, Winner, result_of_two
from rules.stages.base import Pairing
from tests.rules.play import PlayedEvent

FORMULA = FORMULAS.get("mutant-chronicles")
KINDS = pytest.mark.parametrize("kind", [PLAY_IN, SWISS_ROUNDS, GROUPS])


def better_wins(pairing: Pairing) -> Result:
    assert len(pairing.seats) == 2
    a, b = int(pairing.seats[0]), int(pairing.seats[-1])
    winner = Winner.A if a < b else Winner.B
    score = (100 - a, 0) if a < b else (0, 100 - b)
    return result_of_two(a=a, b=b, winner=winner, score=score, ended_by=EndedBy.PLAYED)


@KINDS
@pytest.mark.parametrize("players", [9, 10, 11, 13, 14, 15, 16, 23, 31, 48, 64])
def test_the_number_of_qualifiers_matches_the_groups(kind: int, players: int) -> None:
    plan = FORMULA.plan(players, {"preliminary": kind})
    survivors = 12 if players > 12 else 8
    event = PlayedEvent(plan, list(range(1, players + 1)))
    event.play(better_wins)
    following = event.states[1]
    assert len(following.players) == len(set(following.players)) == survivors
    ranking = event.ranking()
    assert sorted(player for level in ranking for player in level) == [*range(1, players + 1)]
    assert ranking[0] == (1,)


@pytest.mark.parametrize("players", [12, 8, 7, 4])
def test_a_number_that_fits_needs_no_preliminary(players: int) -> None:
    plan = FORMULA.plan(players, {"preliminary": SWISS_ROUNDS})
    assert all(stage.key != "preliminary" for stage in plan.stages)


def test_swiss_rounds_may_be_chosen() -> None:
    (first, *_rest) = FORMULA.plan(
        20, {"preliminary": SWISS_ROUNDS, "preliminary_rounds": 3}
    ).stages
    assert (first.kind, first.rounds, len(first.places)) == ("swiss", 3, 12)


def test_groups_send_firsts_then_seconds_then_the_best_of_a_place() -> None:
    (first, *_rest) = FORMULA.plan(20, {"preliminary": GROUPS}).stages
    assert [(place.rank, place.nth) for place in first.places] == [  # type: ignore[union-attr]
        *((1, nth) for nth in range(1, 6)),
        *((2, nth) for nth in range(1, 6)),
        (3, 1),
        (3, 2),
    ]
