"""A play-in yields a fixed number of qualifiers, even if one of them withdraws."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.formulas import FORMULAS
from rules.results import EndedBy, PlayerId, Result, Winner, result_of_two
from rules.stages.base import Pairing
from tests.effort import examples
from tests.rules.play import PlayedEvent, add_round, judged, lower_wins, play_out


def played_in(
    players: int, *gone: int, judge: Callable[[Pairing], Result] = lower_wins
) -> PlayedEvent:
    """Return an event whose play-in is played; then these leave."""
    event = PlayedEvent(
        FORMULAS.get("mutant-chronicles").plan(players), list(range(1, players + 1))
    )
    event.state = replace(play_out(event.state, judge), withdrawn=frozenset(gone))
    return event


def closer(*losers: int) -> Callable[[Pairing], Result]:
    """Let the lower number win 2-0, but 2-1 against these."""

    def judge(pairing: Pairing) -> Result:
        result = lower_wins(pairing)
        return judged(result, Winner.A, score=(2, 1)) if pairing.seats[-1] in losers else result

    return judge


def seated(event: PlayedEvent) -> list[PlayerId | None]:
    return [player for seats in event.state.seats.values() for player in seats]


def test_the_loser_takes_the_place_of_a_seed_who_left_after_a_bye() -> None:
    event = played_in(13, 1)
    assert event.outcome.left_out == (1,)
    event.advance()
    assert event.state.seats == {"A": (13, 6, 7, 12), "B": (2, 5, 8, 11), "C": (3, 4, 9, 10)}
    assert event.ranking() == ((1,),), "a withdrawn qualifier keeps the rank before the losers"


def test_the_best_loser_moves_up_whoever_beat_them() -> None:
    event = played_in(14, 11, judge=closer(13))
    assert event.outcome.lots_needed == ()
    assert event.outcome.places["W11"] == 13
    event.advance()
    assert sorted(map(int, filter(None, seated(event)))) == [*range(1, 11), 12, 13]


def test_several_places_go_to_several_in_their_order() -> None:
    event = played_in(15, 3, 1, judge=closer(14))
    assert event.outcome.places["W1"] == 14
    assert [set(tied) for tied in event.outcome.lots_needed] == [{13, 15}]
    assert "W3" not in event.outcome.places


def test_later_losses_rank_before_earlier_ones() -> None:
    event = played_in(25, 1)
    assert event.outcome.places["W25"] == 24, "the only one of the last round who won a match"
    event = played_in(25, *range(1, 14))
    event.draw_lots()
    assert event.outcome.places["W25"] == 24
    assert event.outcome.places["W36"] == 25, "the only one who lost in the first round"


def test_lots_decide_between_level_players_and_those_are_not_out_until_then() -> None:
    event = played_in(15, 2)
    (tied,) = event.outcome.lots_needed
    assert set(tied) == {13, 14, 15}
    assert [set(table.tied[0]) for table in event.outcome.compared.values()] == [{13, 14, 15}]
    assert list(event.outcome.compared) == [13], "the thirteenth of twelve"
    assert event.ranking() == ()
    event.lots.append((14, 15, 13))
    assert event.outcome.lots_needed == ()
    assert event.outcome.places["W2"] == 14
    event.advance()
    assert event.ranking() == ((2,), (15,), (13,))


def test_no_lots_if_all_losers_move_up_or_no_place_is_vacant() -> None:
    assert played_in(15).outcome.lots_needed == ()
    assert played_in(15).outcome.compared == {}
    event = played_in(15, 2, 13, 14)
    assert (event.outcome.lots_needed, event.outcome.places["W2"]) == ((), 15)


def test_a_place_that_nobody_won_goes_to_the_best_loser() -> None:
    def judge(pairing: Pairing) -> Result:
        if pairing.seats[-1] != 13:
            return lower_wins(pairing)
        return result_of_two(*pairing.seats, winner=Winner.NONE, ended_by=EndedBy.DOUBLE_LOSS)

    event = played_in(14, judge=judge)
    assert event.outcome.places["W12"] == 14
    event.advance()
    assert event.ranking() == ((12, 13),)


def test_nobody_moves_up_before_all_matches_are_played() -> None:
    event = PlayedEvent(FORMULAS.get("mutant-chronicles").plan(14), list(range(1, 15)))
    event.state = replace(add_round(event.state), withdrawn=frozenset({1}))
    assert (event.outcome.places, event.outcome.lots_needed) == ({}, ())


def test_a_place_stays_vacant_if_nobody_is_left_to_take_it() -> None:
    event = played_in(13, 1, 2)
    assert event.outcome.places["W1"] == 13
    assert "W2" not in event.outcome.places


@pytest.mark.parametrize("players", [9, 11, 13, 17, 24, 25, 30])
@examples(0.25)
@given(data=st.data())
def test_the_number_of_qualifiers_is_fixed_while_enough_players_remain(
    players: int, data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.integers(1, players), max_size=players))

    def judge(pairing: Pairing) -> Result:
        winner = data.draw(st.sampled_from([Winner.A, Winner.B, Winner.NONE]))
        return result_of_two(*pairing.seats, winner=winner)

    event = played_in(players, *gone, judge=judge)
    event.draw_lots()
    event.advance()
    there = [player for player in seated(event) if player is not None]
    wanted = 12 if players > 12 else 8
    assert len(there) == len(set(there)) == min(wanted, players - len(gone))
    assert not gone.intersection(map(int, there))
