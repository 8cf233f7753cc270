"""Single elimination, worked by hand."""

from dataclasses import replace

import pytest

from rules.advancement.outcome import eliminated_players_by_round
from rules.errors import RuleError
from rules.formulas.elimination import last_places
from rules.plans import FormulaPlan, GroupPlan, StagePlan
from rules.results import BYE, Winner, void_outcome
from rules.stages.base import StageState, state_before_round
from rules.stages.knockout import KNOCKOUT, is_third_place_only
from rules.wording import Sentence
from tests.rules.play import add_round, lower_wins, one_group, play_out
from tests.rules.stages.played_brackets import both_lose, met


def knockout(
    players: int, *, third: bool = False, survivors: int = 1, best_of: tuple[int, ...] = (1,)
) -> StageState:
    seats = tuple(f"S{number}" for number in range(1, players + 1))
    plan = StagePlan(
        key="knockout",
        label=Sentence("Knock-out"),
        kind="knockout",
        groups=(GroupPlan(name="knockout", seats=seats),),
        third_place=third,
        survivors=survivors,
        best_of=best_of,
    )
    return one_group(range(1, players + 1), plan)


def test_the_better_seeds_meet_last() -> None:
    state = play_out(knockout(8), lower_wins)
    assert met(state) == [[(1, 8), (4, 5), (2, 7), (3, 6)], [(1, 4), (2, 3)], [(1, 2)]]


def test_the_top_seeds_have_the_byes() -> None:
    state = play_out(knockout(6), lower_wins)
    byes = [p for played in state.rounds for p, _r in played if len(p.seats) == 1]
    assert [(bye.seats, bye.outcome) for bye in byes] == [((1,), BYE), ((2,), BYE)]
    assert met(state)[1:] == [[(1, 4), (2, 3)], [(1, 2)]]


def test_the_match_for_third_place_is_in_the_last_round() -> None:
    state = play_out(knockout(4, third=True), lower_wins)
    assert met(state) == [[(1, 4), (2, 3)], [(4, 3), (1, 2)]]
    assert str(KNOCKOUT.describe_round(state, 2)) == "Final and third place"


@pytest.mark.parametrize(
    ("number", "later", "leads_on"),
    [(3, (), False), (3, ("W4", "L4"), False), (3, ("W4", "L3"), True), (4, (), True)],
)
def test_by_a_match_for_third_place_nobody_goes_on_unless_a_later_stage_says_so(
    number, later, leads_on
) -> None:
    stage = replace(knockout(4, third=True).plan, places=last_places(4, third_place=True))
    after = replace(stage, groups=(GroupPlan(name="after", seats=later),))
    plan = FormulaPlan(formula="own", players=4, stages=(stage, after)[: 1 + bool(later)])
    assert is_third_place_only(plan, 0, number) != leads_on


def test_both_of_a_match_for_third_place_that_is_void_are_third() -> None:
    def third_void(pairing):
        won = lower_wins(pairing)
        return replace(won, outcome=void_outcome(2)) if pairing.number == 3 else won

    state = play_out(knockout(4, third=True), third_void)
    assert eliminated_players_by_round(state, frozenset(state.players)) == ((1,), (2,), (4, 3))


def test_best_of_rises_towards_the_final() -> None:
    state = play_out(knockout(16, best_of=(5, 3, 1)), lower_wins)
    assert [played[0][0].best_of for played in state.rounds] == [1, 1, 3, 5]
    assert not any(pairing.draws for played in state.rounds for pairing, _r in played)


def test_after_a_double_loss_the_next_opponent_has_a_bye() -> None:
    state = add_round(knockout(4), lambda p: both_lose(p) if p.number == 1 else lower_wins(p))
    (final,) = KNOCKOUT.next_round(state)
    assert (final.seats, final.outcome) == ((2,), BYE)


def test_nobody_is_left_when_all_lose() -> None:
    state = add_round(knockout(4, third=True), both_lose)
    assert KNOCKOUT.next_round(state) == ()


def test_a_withdrawn_player_forfeits_the_next_match() -> None:
    state = replace(add_round(knockout(4), lower_wins), withdrawn=frozenset({1}))
    (final,) = KNOCKOUT.next_round(state)
    assert (final.seats, final.outcome.winner) == ((1, 2), Winner.B)


def test_an_empty_seat_is_a_bye() -> None:
    state = knockout(4)
    state = replace(state, seats={"knockout": (None, 2, 3, 4)})
    first, _second = KNOCKOUT.next_round(state)
    assert (first.seats, first.outcome) == ((4,), BYE)


def test_the_next_round_needs_the_results() -> None:
    with pytest.raises(RuleError) as refusal:
        KNOCKOUT.next_round(add_round(knockout(4)))
    assert refusal.value.code == "results_missing"


def test_a_play_in_ends_with_its_survivors() -> None:
    state = play_out(knockout(14, survivors=12), lower_wins)
    assert met(state)[0][:1] == [(1, None)]
    assert met(state)[0][-2:] == [(11, 14), (12, 13)]
    assert KNOCKOUT.total_rounds(state) == len(state.rounds) == 1
    assert str(KNOCKOUT.describe_round(state, 1)) == "Preliminary, round 1"


def test_rounds_are_named_by_the_players_left() -> None:
    state = knockout(32)
    names = [str(KNOCKOUT.describe_round(state, number)) for number in range(1, 6)]
    assert names == ["Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final"]


def test_the_last_match_of_a_bracket_of_losers_is_called_by_its_place() -> None:
    state = knockout(2)
    fifth = replace(state, plan=replace(state.plan, ranks_from=5))
    assert [str(KNOCKOUT.describe_round(one, 1)) for one in (state, fifth)] == [
        "Final",
        "For place 5",
    ]


def test_games_are_asked_for_by_round_from_the_final_back() -> None:
    named = ["Final and third place", "Semi-finals"]
    assert [str(part) for part in KNOCKOUT.game_parts(1)] == [*named, "Earlier rounds"]
    assert [str(part) for part in KNOCKOUT.game_parts(5)] == [
        *(*named, "Quarter-finals", "Round of 16", "Earlier rounds"),
    ]


def test_the_state_before_a_round_keeps_the_matches_of_who_has_left() -> None:
    state = replace(play_out(knockout(4), lower_wins), withdrawn=frozenset({4}))
    before = state_before_round(state, 1)
    assert before == replace(state, rounds=state.rounds[:1])
    assert KNOCKOUT.next_round(before) == tuple(pairing for pairing, _r in state.rounds[1])
