"""Who plays which match once a seat, a seed, a bye or a result was corrected."""

from dataclasses import replace

import pytest

from rules.corrections import (
    BY_PLAN,
    EXTRA,
    NEVER_VOID,
    NO_MATCH,
    NOBODY_ELSE,
    NOT_OFFERED,
    OTHER_MATCHES,
    PAIRED_FROM,
    STRUCK,
    CorrectedStage,
    CorrectionEffect,
    MatchChange,
    SeatChange,
    bye_candidates,
    correct_stage,
    corrected_start_places,
    move_bye,
)
from rules.plans import FormulaPlan, GroupPlan, StagePlan
from rules.results import MatchEnding, PlayerId, Result, Winner, two_player_result
from rules.stages.base import Pairing, StageState, TiebreakerRound
from rules.wording import Sentence
from tests.rules.play import add_round, judged, lower_wins, one_group
from tests.rules.stages.played_brackets import double

ZOE, NINA, ALDO, UGO, ELENA = range(1, 6)
ROUND_1, ROUND_2, ROUND_3 = range(3)


def test_a_change_is_known_by_its_round_and_its_match() -> None:
    pairing = Pairing(group="S", number=7, seats=(ZOE, NINA))
    result = two_player_result(a=ZOE, b=NINA, winner=Winner.A)
    change = MatchChange(
        round=ROUND_2,
        pairing=pairing,
        after=(ZOE, UGO),
        fate=CorrectionEffect.AGAIN,
        begun=True,
        was=result,
        result=result,
    )
    assert change.key == (ROUND_2, 7)


def stage(kind: str, players: int = 4, rounds: int = 3) -> StageState:
    seats = tuple(f"S{number}" for number in range(1, players + 1))
    plan = StagePlan(
        key=kind,
        label=Sentence("Stage"),
        kind=kind,
        groups=(GroupPlan(name="A", seats=seats),),
        rounds=rounds,
    )
    return replace(one_group(range(1, players + 1), plan), seed="seed")


def group(*, played: int = 1, drafted: int = 1) -> StageState:
    """Return a group of four after some rounds, with more that are made."""
    state = stage("round_robin")
    for _round in range(played):
        state = add_round(state, lower_wins)
    for _round in range(drafted):
        state = add_round(state)
    return state


def put(state: StageState, *players: PlayerId | None, **more: object) -> CorrectedStage:
    return correct_stage(state, {"A": players}, **more)  # type: ignore[arg-type]


def fates(found: CorrectedStage) -> list[tuple[int, tuple[PlayerId, ...], CorrectionEffect]]:
    return [(each.round, each.after, each.fate) for each in found.matches]


def all_of(state: StageState, index: int) -> frozenset[tuple[int, int]]:
    return frozenset((index, pairing.number) for pairing, _result in state.rounds[index])


def test_without_a_round_only_the_seats_change() -> None:
    found = put(stage("round_robin"), ELENA, NINA, ALDO, UGO)
    assert found.seats == (SeatChange(group="A", seat=1, before=ZOE, after=ELENA),)
    assert (found.matches, found.why_not) == ((), None)
    assert found.state.seats == {"A": (ELENA, NINA, ALDO, UGO)}


def test_what_is_not_begun_passes_on_and_what_was_played_is_played_again() -> None:
    state = group(played=1, drafted=2)
    found = put(state, ELENA, NINA, ALDO, UGO, begun=all_of(state, ROUND_1))
    assert fates(found) == [
        (ROUND_1, (ELENA, NINA), CorrectionEffect.AGAIN),
        (ROUND_2, (ELENA, ALDO), CorrectionEffect.PASSES),
        (ROUND_3, (ELENA, UGO), CorrectionEffect.PASSES),
    ]
    again = found.matches[0]
    assert again.was.winner is Winner.A
    assert again.exchanged == ((ZOE, ELENA),)
    assert again.result == two_player_result(a=ELENA, b=NINA, round=1)
    pairing, result = found.state.rounds[0][0]
    assert (pairing.seats, result) == ((ELENA, NINA), again.result)
    assert found.state.rounds[0][1] == state.rounds[0][1]


def test_what_is_not_to_be_played_again_is_void() -> None:
    state = group()
    begun = all_of(state, ROUND_1)
    found = put(state, ELENA, NINA, ALDO, UGO, begun=begun, void=begun | all_of(state, ROUND_2))
    assert fates(found) == [
        (ROUND_1, (ELENA, NINA), CorrectionEffect.VOID),
        (ROUND_2, (ELENA, ALDO), CorrectionEffect.PASSES),
    ]
    assert not found.matches[0].result.counts


def test_two_who_sat_on_each_others_seats_exchange_their_matches() -> None:
    state = group()
    found = put(state, UGO, NINA, ALDO, ZOE, begun=all_of(state, ROUND_1))
    assert fates(found) == [
        (ROUND_1, (UGO, NINA), CorrectionEffect.AGAIN),
        (ROUND_1, (ALDO, ZOE), CorrectionEffect.AGAIN),
        (ROUND_2, (UGO, ALDO), CorrectionEffect.PASSES),
        (ROUND_2, (NINA, ZOE), CorrectionEffect.PASSES),
    ]
    assert found.why_not is None


def test_who_meets_somebody_that_has_left_wins_by_forfeit() -> None:
    state = replace(group(), withdrawn=frozenset({NINA}))
    found = put(state, ELENA, NINA, ALDO, UGO, begun=all_of(state, ROUND_1))
    assert found.matches[0].fate is CorrectionEffect.FORFEIT
    assert found.matches[0].result.winner is Winner.A
    assert found.matches[0].result.ended_by is MatchEnding.CONCESSION


def test_no_seat_becomes_free_once_rounds_are_made() -> None:
    assert put(group(), None, NINA, ALDO, UGO).why_not == OTHER_MATCHES


def test_nothing_follows_for_who_is_struck() -> None:
    state = replace(group(), struck=frozenset({ALDO}))
    assert put(state, ELENA, NINA, ALDO, UGO).why_not == STRUCK


def test_nothing_follows_after_an_extra_match() -> None:
    state = replace(group(), tiebreaker_rounds=(TiebreakerRound(level=(ZOE, ALDO), played=()),))
    assert put(state, ELENA, NINA, ALDO, UGO).why_not == EXTRA


def knockout(players: int = 4, *, played: int = 1, drafted: int = 1) -> StageState:
    state = stage("knockout", players)
    for _round in range(played):
        state = add_round(state, lower_wins)
    for _round in range(drafted):
        state = add_round(state)
    return state


def turned(state: StageState, index: int, number: int) -> StageState:
    """Return the state with the other winner of a match."""

    def other(pairing: Pairing, result: Result) -> Result:
        return judged(result, Winner.B, score=result.score) if pairing.number == number else result

    made = tuple((p, other(p, result)) for p, result in state.rounds[index])
    return replace(state, rounds=(*state.rounds[:index], made, *state.rounds[index + 1 :]))


def test_who_won_after_all_plays_the_next_round_of_a_knock_out() -> None:
    state = turned(knockout(), ROUND_1, 1)
    found = correct_stage(state, state.seats, begun=all_of(state, ROUND_1))
    assert fates(found) == [(ROUND_2, (4, 2), CorrectionEffect.PASSES)]
    assert found.matches[0].exchanged == ((1, 4),)
    assert (found.why_not, found.seats) == (None, ())


def test_a_match_of_a_knock_out_is_never_void() -> None:
    state = turned(knockout(played=2, drafted=0), ROUND_1, 1)
    final = all_of(state, ROUND_2)
    assert correct_stage(state, state.seats, begun=final).why_not is None
    assert correct_stage(state, state.seats, begun=final, void=final).why_not == NEVER_VOID


def test_a_round_that_was_made_from_what_is_played_again_stands_in_the_way() -> None:
    state = turned(knockout(8, played=2, drafted=1), ROUND_1, 1)
    found = correct_stage(state, state.seats, begun=all_of(state, ROUND_1) | all_of(state, ROUND_2))
    assert (found.why_not, found.matches, found.state) == (PAIRED_FROM, (), state)


def test_a_match_that_would_not_be_there_stands_in_the_way() -> None:
    state = knockout()
    pairing, result = state.rounds[0][0]
    nobody = judged(result, Winner.NONE, MatchEnding.DOUBLE_LOSS)
    state = replace(state, rounds=(((pairing, nobody), *state.rounds[0][1:]), *state.rounds[1:]))
    assert correct_stage(state, state.seats).why_not == OTHER_MATCHES


def test_a_bye_is_of_whoever_has_the_seat() -> None:
    state = knockout(3, played=1, drafted=0)
    found = put(state, ELENA, 2, 3)
    assert fates(found) == [(ROUND_1, (ELENA,), CorrectionEffect.RESTS)]
    assert found.matches[0].result.winner is Winner.A
    assert found.matches[0].result.ended_by is MatchEnding.BYE


def test_two_who_have_played_each_other_do_not_play_again_on_other_sides() -> None:
    state = knockout(2, played=1, drafted=0)
    begun = all_of(state, ROUND_1)
    assert put(state, 2, 1, begun=begun).why_not == OTHER_MATCHES
    assert put(state, 2, 1).why_not is None


def test_the_loser_of_an_upper_bracket_goes_down_instead() -> None:
    state = add_round(add_round(double(4), lower_wins))
    found = correct_stage(turned(state, ROUND_1, 1), state.seats, begun=all_of(state, ROUND_1))
    assert fates(found) == [
        (ROUND_2, (4, 2), CorrectionEffect.PASSES),
        (ROUND_2, (1, 3), CorrectionEffect.PASSES),
    ]


def test_a_swiss_round_passes_on_where_the_rules_would_pair_it_so() -> None:
    """The seat decides nothing in Swiss rounds: a seeded order does, by player."""
    found = {
        new: put(add_round(stage("swiss")), new, 2, 3, 4, begun={(0, 1), (0, 2)})
        for new in range(5, 20)
    }
    kept = {new: each for new, each in found.items() if each.why_not is None}
    assert kept
    assert len(kept) < len(found)
    assert all(each.why_not in (None, PAIRED_FROM) for each in found.values())
    for new, each in kept.items():
        assert [(fate, new in after) for _round, after, fate in fates(each)] == [
            (CorrectionEffect.AGAIN, True)
        ]


def test_a_swiss_round_made_from_results_stands_in_the_way() -> None:
    state = add_round(add_round(stage("swiss", 4), lower_wins), lower_wins)
    begun = all_of(state, ROUND_1) | all_of(state, ROUND_2)
    for new in range(5, 12):
        assert put(state, new, 2, 3, 4, begun=begun).why_not == PAIRED_FROM


def test_a_swiss_round_paired_by_hand_passes_on() -> None:
    state = add_round(stage("swiss", 2), lower_wins)
    by_hand = tuple((replace(pairing, by_hand=True), result) for pairing, result in state.rounds[0])
    for new in range(3, 9):
        assert put(replace(state, rounds=(by_hand,)), new, 2).why_not is None


def plan(kind: str, *groups: tuple[str, ...]) -> FormulaPlan:
    named = zip("ABC", groups, strict=False)
    stage = StagePlan(
        key=kind,
        label=Sentence("Stage"),
        kind=kind,
        groups=tuple(GroupPlan(name=name, seats=seats) for name, seats in named),
    )
    return FormulaPlan(formula="own", players=sum(map(len, groups)), stages=(stage,))


def order(*players: int) -> dict[str, int]:
    return {f"S{place}": player for place, player in enumerate(players, start=1)}


def test_a_bracket_is_seated_exactly() -> None:
    knock_out = plan("knockout", ("S1", "S2", "S3", "S4"))
    changed = corrected_start_places(knock_out, order(1, 2, 3, 4), order(4, 2, 1, 3))
    assert changed == {"S1": 4, "S3": 1, "S4": 3}


@pytest.mark.parametrize("kind", ["round_robin", "swiss"])
def test_where_all_are_in_one_group_nobody_moves(kind: str) -> None:
    one_group = plan(kind, ("S1", "S2", "S3", "S4"))
    assert corrected_start_places(one_group, order(1, 2, 3, 4), order(4, 3, 2, 1)) == {}


def test_who_stays_in_a_group_keeps_the_seat() -> None:
    two_groups = plan("round_robin", ("S1", "S4"), ("S2", "S3"))
    right = order(4, 1, 3, 2)  # group A: 4 and 2, group B: 1 and 3
    assert corrected_start_places(two_groups, order(1, 2, 3, 4), right) == {"S1": 2, "S2": 1}


def test_places_of_others_are_not_touched() -> None:
    swiss = plan("swiss", ("S1", "S2", "late 9"))
    assert corrected_start_places(swiss, order(1, 2), order(2, 1)) == {}


def test_a_plan_keeps_who_holds_its_places() -> None:
    laid_out = plan("swiss", ("S1", "S2", "late 9"))
    assert laid_out.start_holders([5, 6]) == {"S1": 5, "S2": 6, "late 9": 9}
    moved = laid_out.with_holders({"S2": 7}).with_holders({"late 9": 8})
    assert moved.start_holders([5, 6]) == {"S1": 5, "S2": 7, "late 9": 8}
    assert FormulaPlan.from_json(moved.to_json()) == moved
    assert "holders" not in laid_out.to_json()


def test_a_last_swiss_round_passes_on_as_paired_by_hand() -> None:
    state = add_round(stage("swiss", 5), lower_wins)
    for new in range(6, 20):
        found = put(state, new, 2, 3, 4, 5, by_hand=True)
        assert found.why_not is None
        hands = [pairing.by_hand for pairing, _result in found.state.rounds[0]]
        assert hands.count(True) == 1


def test_what_later_rounds_were_paired_from_stays() -> None:
    state = add_round(add_round(stage("swiss", 4), lower_wins), lower_wins)
    assert put(state, 5, 2, 3, 4, by_hand=True).why_not is PAIRED_FROM


def test_who_had_left_before_a_swiss_round_leaves_no_match_to_take_over() -> None:
    state = add_round(replace(stage("swiss"), withdrawn=frozenset({1})))
    assert put(state, 5, 2, 3, 4, by_hand=True).why_not is NO_MATCH


def test_seats_in_one_swiss_group_change_no_match() -> None:
    state = add_round(stage("swiss"), lower_wins)
    found = put(state, 4, 3, 2, 1)
    assert (len(found.seats), found.matches, found.why_not) == (4, (), None)


def swiss(players: int = 5, rounds: int = 1) -> StageState:
    state = stage("swiss", players)
    for _round in range(rounds):
        state = add_round(state, lower_wins)
    return state


def bye_of(state: StageState, index: int = -1) -> int:
    return next(p.number for p, _result in state.rounds[index] if len(p.seats) == 1)


def resting(state: StageState, index: int = -1) -> int:
    return next(p.seats[0] for p, _result in state.rounds[index] if len(p.seats) == 1)


def moved(
    state: StageState, player: int, *, begun: bool = True, void: bool = False, index: int = 0
) -> CorrectedStage:
    number = bye_of(state, index)
    return move_bye(state, index, number, player, begun=begun, void=void)


@pytest.mark.parametrize(
    ("begun", "void", "fate"),
    [
        (True, False, CorrectionEffect.AGAIN),
        (True, True, CorrectionEffect.VOID),
        (False, True, CorrectionEffect.PASSES),
    ],
)
def test_the_two_change_places_and_nobody_else(
    begun: bool, void: bool, fate: CorrectionEffect
) -> None:
    state = swiss()
    out, new = resting(state), bye_candidates(state, 0)[0]
    found = moved(state, new, begun=begun, void=void)
    assert found.why_not is None
    rests, plays = found.matches
    assert (rests.after, rests.fate, rests.result.ended_by) == (
        (new,),
        CorrectionEffect.RESTS,
        MatchEnding.BYE,
    )
    assert plays.fate is fate
    assert (plays.result.winner is Winner.VOID) == (fate is CorrectionEffect.VOID)
    assert plays.exchanged == ((new, out),)
    made = found.state.rounds[0]
    assert {p for pairing, _r in made for p in pairing.seats} == {*state.players}
    touched = {rests.pairing.number, plays.pairing.number}
    assert {pairing.number for pairing, _result in made if pairing.by_hand} == touched
    same = [each for each in zip(made, state.rounds[0], strict=True) if each[0] == each[1]]
    assert len(same) == len(made) - 2


def test_who_has_left_loses_the_match_that_was_got_by_hand() -> None:
    state = swiss()
    gone = replace(state, withdrawn=frozenset({resting(state)}))
    plays = moved(gone, bye_candidates(state, 0)[0]).matches[1]
    assert (plays.fate, plays.result.ended_by) == (CorrectionEffect.FORFEIT, MatchEnding.CONCESSION)


def test_what_stands_in_the_way_is_said() -> None:
    state = swiss()
    out, new = resting(state), bye_candidates(state, 0)[0]
    later = add_round(state)
    assert moved(later, new).why_not is PAIRED_FROM
    extra = TiebreakerRound(level=(1, 2), played=())
    assert moved(replace(state, tiebreaker_rounds=(extra,)), new).why_not is EXTRA
    assert moved(replace(state, struck=frozenset({out})), new).why_not is STRUCK
    left = replace(state, withdrawn=frozenset({new}))
    assert moved(left, new).why_not is NOT_OFFERED
    assert new not in bye_candidates(left, 0)
    assert moved(state, out).why_not is NOT_OFFERED
    alone = replace(state, withdrawn=frozenset(state.players) - {out})
    assert moved(alone, new).why_not is NOBODY_ELSE
    bracket = add_round(stage("knockout", 3))
    assert moved(bracket, bye_candidates(bracket, 0)[0]).why_not is BY_PLAN
