"""Swiss rounds and a knock-out of any number of the best."""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.swiss_cut import recommended_rounds
from rules.results import Result, Winner, of_two, result_of_two
from rules.stages.base import Pairing
from tests.rules.play import PlayedEvent

SWISS_CUT = FORMULAS.get("swiss-cut")


def lower_wins(pairing: Pairing) -> Result:
    winner = (
        Winner.A if int(pairing.seats[0]) < int(of_two(pairing.seats, None)[1] or 0) else Winner.B
    )
    return result_of_two(*pairing.seats, winner=winner)


@pytest.mark.parametrize(
    ("players", "rounds"), [(3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6), (65, 7), (1024, 10)]
)
def test_one_at_most_can_have_won_every_recommended_round(players: int, rounds: int) -> None:
    assert recommended_rounds(players) == rounds


@pytest.mark.parametrize("cut", [2, 3, 5, 6, 8, 12, 20])
def test_any_number_of_the_best_plays_the_knock_out(cut: int) -> None:
    plan = SWISS_CUT.plan(20, {"rounds": 4, "cut": cut})
    assert plan.stages[1].size == cut
    event = PlayedEvent(plan, tuple(range(1, 21)))
    event.play(lower_wins)
    ranked = [player for level in event.ranking() for player in level]
    assert sorted(ranked) == list(range(1, 21))
    assert set(ranked[:cut]) == set(event.state.players)
    assert ranked[0] == 1


def test_a_knock_out_of_more_than_there_are_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        SWISS_CUT.plan(8, {"cut": 12})
    assert refused.value.code == "cut_too_large"
    assert str(refused.value.sentence) == "The knock-out would take 12 players; there are 8."
