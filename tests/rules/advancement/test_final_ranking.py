"""Final rankings, of running events too; where each goes when a stage closes; play-ins."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.advancement.outcome import current_place_holders
from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import Formula
from rules.formulas.custom import custom_formula, formula_faults
from rules.formulas.starting_points import CONSOLATION, EXAMPLES, FormulaExample
from rules.plans import (
    DOUBLE_ELIMINATION,
    KNOCKOUT,
    FormulaPlan,
    GroupPlan,
    LoserPlace,
    StagePlan,
    start_places,
)
from rules.results import MatchEnding, PlayerId, Result, Winner, two_player_result
from rules.stages.base import Pairing
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.formulas.definitions import Data, definition, playable
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
    played = event("groups-knockout", 16, third_place=True)
    played.play(lower_wins)
    assert [len(level) for level in played.ranking()][:5] == [1, 1, 1, 1, 4]
    assert played.ranking()[0] == (1,)


def test_a_running_event_ranks_only_eliminated_players() -> None:
    played = event("groups-knockout", 16, third_place=True)
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
        return two_player_result(
            *pairing.seats, winner=Winner.NONE, ended_by=MatchEnding.DOUBLE_LOSS
        )

    played.play(judge)
    assert played.ranking() == ((1, 2), (3,), (4,))


@pytest.mark.parametrize("players", [2, 5])
def test_a_single_group_is_its_table(players: int) -> None:
    played = event("single-group", players)
    played.play(lower_wins)
    assert played.ranking() == tuple((player,) for player in range(1, players + 1))


def test_a_group_that_nothing_separates_shares_places() -> None:
    played = event("single-group", 3)
    played.play(lambda p: two_player_result(*p.seats, winner=Winner.DRAW, score=(1, 1)))
    assert played.ranking() == ((1, 2, 3),)
    played.lots.append((2, 3, 1))
    assert played.ranking() == ((2,), (3,), (1,))


def with_consolation(kind: str, players: int, *matches: int) -> FormulaPlan:
    """Return a bracket, and a knock-out of those who lose these matches of it."""
    losers = tuple(LoserPlace(name=f"L{number}", match=number) for number in matches)
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
        return two_player_result(
            *pairing.seats, winner=Winner.NONE, ended_by=MatchEnding.DOUBLE_LOSS
        )

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
    return two_player_result(
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
def test_every_example_does(example: FormulaExample) -> None:
    formula = custom_formula("custom_example", example.definition(str))
    for players in range(example.lowest, min(example.highest, example.lowest + 4) + 1):
        check(formula.plan(players), random.Random(players))


@examples(3)
@given(playable(), st.integers(0, 6), st.randoms(use_true_random=False))
def test_every_definition_does(data: Data, more: int, source: random.Random) -> None:
    read = definition(data)
    assume(not formula_faults(read))
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
    still = [(pairing, two_player_result(*pairing.seats, round=1)) for pairing, _r in others]
    event.state = type(halfway)(
        plan=halfway.plan,
        seats=halfway.seats,
        legs=halfway.legs,
        rounds=(((first, result), *still),),
    )
    loser = result.seats[-1] if result.winner is Winner.A else result.seats[0]
    assert loser in current_place_holders(event.state, plan.used_places(1)).values()
    assert loser not in {player for level in event.ranking() for player in level}


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
        return two_player_result(
            *pairing.seats, winner=Winner.NONE, ended_by=MatchEnding.DOUBLE_LOSS
        )

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
        return two_player_result(*pairing.seats, winner=winner)

    event = played_in(players, *gone, judge=judge)
    event.draw_lots()
    event.advance()
    there = [player for player in seated(event) if player is not None]
    wanted = 12 if players > 12 else 8
    assert len(there) == len(set(there)) == min(wanted, players - len(gone))
    assert not gone.intersection(map(int, there))
