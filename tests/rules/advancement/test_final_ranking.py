"""Final rankings, of whole events and of events that are still running."""

from dataclasses import replace

import pytest

from rules.formulas import FORMULAS
from rules.plans import (
    DOUBLE_ELIMINATION,
    KNOCKOUT,
    FormulaPlan,
    GroupPlan,
    LoserOf,
    StagePlan,
    start_places,
)
from rules.results import EndedBy, Result, Winner, result_of_two
from rules.stages.base import Pairing
from rules.wording import Sentence
from tests.rules.play import PlayedEvent, add_round, judged, lower_wins, play_out


def event(formula: str, players: int, **options: int | bool) -> PlayedEvent:
    return PlayedEvent(FORMULAS.get(formula).plan(players, options), list(range(1, players + 1)))


def test_losers_of_one_round_share_a_rank() -> None:
    played = event("groups-knockout", 16, third_place=False)
    played.play(lower_wins)
    sizes = [len(level) for level in played.ranking()]
    assert sizes[:4] == [1, 1, 2, 4]
    assert sum(sizes) == 16


def test_the_match_for_third_place_decides_it() -> None:
    played = event("groups-knockout", 16)
    played.play(lower_wins)
    assert [len(level) for level in played.ranking()][:5] == [1, 1, 1, 1, 4]
    assert played.ranking()[0] == (1,)


def test_a_running_event_ranks_only_eliminated_players() -> None:
    played = event("groups-knockout", 16)
    assert played.ranking() == ()
    played.state = play_out(played.state, lower_wins)
    played.draw_lots()
    out = {player for level in played.ranking() for player in level}
    assert len(out) == 8
    played.advance()
    assert {player for level in played.ranking() for player in level} == out
    played.state = add_round(played.state, lower_wins)
    assert len(played.ranking()[0]) == 4
    played.state = add_round(played.state, lower_wins)
    assert sum(len(level) for level in played.ranking()) == 12, "semi-finalists play for third"


def test_the_winner_of_the_second_groups_waits_and_is_not_out() -> None:
    played = event("mutant-chronicles", 8)
    played.state = play_out(played.state, lower_wins)
    played.draw_lots()
    played.advance()
    assert played.state.plan.key == "repechage"
    waiting = played.places["X"]
    assert waiting not in {player for level in played.ranking() for player in level}
    assert sum(len(level) for level in played.ranking()) == 3


def test_losers_of_a_play_in_stand_last_by_criteria() -> None:
    played = event("mutant-chronicles", 14)

    def judge(pairing: Pairing) -> Result:
        result = lower_wins(pairing)
        return judged(result, Winner.A, score=(2, 1)) if pairing.seats[-1] == 13 else result

    played.play(judge)
    assert played.ranking()[-2:] == ((13,), (14,))


def test_losers_of_one_round_share_a_rank_while_their_play_in_runs() -> None:
    played = event("mutant-chronicles", 26)

    def judge(pairing: Pairing) -> Result:
        result = lower_wins(pairing)
        if pairing.seats[-1] == 24:
            return judged(result, Winner.B, score=(0, 2))
        return judged(result, Winner.A, score=(2, 1)) if pairing.seats[-1] == 26 else result

    played.state = add_round(played.state, judge)
    assert [set(level) for level in played.ranking()] == [{25, 26}]
    played.state = play_out(played.state, judge)
    assert played.ranking()[-2:] == ((25,), (26,)), "24 beat 25, and won once more"


def test_a_withdrawn_player_keeps_the_earned_place_in_the_group() -> None:
    played = event("mutant-chronicles", 8)
    played.state = play_out(played.state, lower_wins)
    played.state = replace(played.state, withdrawn=frozenset({1}))
    played.draw_lots()
    played.advance()
    played.play(lower_wins)
    ranking = played.ranking()
    assert ranking[5] == (1,), "first among those out in the second groups"
    assert sorted(player for level in ranking for player in level) == list(range(1, 9))


def test_two_players_who_both_lose_the_final_share_first_place() -> None:
    played = event("single-group", 4, final=3)

    def judge(pairing: Pairing) -> Result:
        if pairing.draws:
            return lower_wins(pairing)
        return result_of_two(*pairing.seats, winner=Winner.NONE, ended_by=EndedBy.DOUBLE_LOSS)

    played.play(judge)
    assert played.ranking() == ((1, 2), (3,), (4,))


@pytest.mark.parametrize("players", [2, 5])
def test_a_single_group_is_its_table(players: int) -> None:
    played = event("single-group", players)
    played.play(lower_wins)
    assert played.ranking() == tuple((player,) for player in range(1, players + 1))


def test_a_group_that_nothing_separates_shares_places() -> None:
    played = event("single-group", 3)
    played.play(lambda p: result_of_two(*p.seats, winner=Winner.DRAW, score=(1, 1)))
    assert played.ranking() == ((1, 2, 3),)
    played.lots.append((2, 3, 1))
    assert played.ranking() == ((2,), (3,), (1,))


def with_consolation(kind: str, players: int, *matches: int) -> FormulaPlan:
    """Return a bracket, and a knock-out of those who lose these matches of it."""
    losers = tuple(LoserOf(name=f"L{number}", match=number) for number in matches)
    seats = tuple(place.name for place in losers)
    first = StagePlan(
        key="first",
        label=Sentence("First"),
        kind=kind,
        groups=(GroupPlan(name="first", seats=start_places(players)),),
        places=losers,
    )
    second = StagePlan(
        key="consolation",
        label=Sentence("Consolation"),
        kind=KNOCKOUT,
        groups=(GroupPlan(name="consolation", seats=seats),),
        ranks_from=players - len(seats) + 1,
    )
    return FormulaPlan(formula="with-consolation", players=players, stages=(first, second))


def test_a_loser_who_plays_on_is_not_out_but_one_who_has_left_is() -> None:
    played = PlayedEvent(with_consolation(KNOCKOUT, 8, 1, 2, 3, 4), list(range(1, 9)))
    played.state = add_round(played.state, lower_wins)
    assert played.ranking() == ()
    played.state = replace(played.state, withdrawn=frozenset({7}))
    assert played.ranking() == ((7,),)


def test_of_two_who_both_lost_nobody_plays_on() -> None:
    played = PlayedEvent(with_consolation(KNOCKOUT, 8, 1, 2, 3, 4), list(range(1, 9)))

    def judge(pairing: Pairing) -> Result:
        if pairing.seats[0] != 3:
            return lower_wins(pairing)
        return result_of_two(*pairing.seats, winner=Winner.NONE, ended_by=EndedBy.DOUBLE_LOSS)

    played.state = add_round(played.state, judge)
    assert [set(level) for level in played.ranking()] == [{3, 6}]


def test_a_double_elimination_ranks_by_the_round_of_the_second_loss() -> None:
    played = event("double-elimination", 6)
    played.play(lower_wins)
    assert [set(level) for level in played.ranking()] == [{1}, {2}, {3}, {4}, {5, 6}]


def test_a_match_that_so_few_players_do_not_have_holds_nobody_back() -> None:
    """Of eight places, five players leave out lower match 8; the loser of match 9 plays on."""
    played = PlayedEvent(with_consolation(DOUBLE_ELIMINATION, 5, 8, 9), list(range(1, 6)))
    for _round in range(3):
        played.state = add_round(played.state, lower_wins)
    assert played.ranking() == (), "5 has lost twice, and waits"
    played.state = add_round(played.state, lower_wins)
    assert played.ranking() == ((4,),)
