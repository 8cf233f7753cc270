"""Who sits at which table of three and more once a seat or a result was corrected."""

from dataclasses import replace

import pytest

from rules.corrections import (
    BY_PLAN,
    NEVER_VOID,
    NO_MATCH,
    OTHER_MATCHES,
    PAIRED_FROM,
    CorrectedStage,
    CorrectionEffect,
    correct_stage,
    move_bye,
)
from rules.results import MatchEnding, PlayerId, SeatMark
from rules.stages.base import StageState
from tests.rules.play import add_round, table_result
from tests.rules.stages.test_tables import best_wins, stage

FINAL, NEW = (0, 1), 99


def put(state: StageState, *players: PlayerId, **more: object) -> CorrectedStage:
    return correct_stage(state, {"tables": players}, **more)  # type: ignore[arg-type]


def told(found: CorrectedStage) -> list[tuple[int, tuple[PlayerId, ...], CorrectionEffect]]:
    return [(each.round, each.after, each.fate) for each in found.matches]


def final(*, played: bool = False) -> StageState:
    return add_round(stage(4, "table_cut"), best_wins if played else None)


def test_a_table_that_has_not_begun_passes_with_the_seat() -> None:
    found = put(final(), 1, 2, 3, NEW)
    assert told(found) == [(0, (1, 2, 3, NEW), CorrectionEffect.PASSES)]
    (change,) = found.matches
    assert (change.exchanged, found.why_not) == (((4, NEW),), None)
    ((pairing, result),) = found.state.rounds[0]
    assert pairing.seats == (1, 2, 3, NEW)
    assert result == table_result(seats=(1, 2, 3, NEW), round=1)


def test_a_table_that_was_played_is_played_again_and_never_void_in_a_cut() -> None:
    found = put(final(played=True), 1, 2, NEW, 4, begun={FINAL})
    assert told(found) == [(0, (1, 2, NEW, 4), CorrectionEffect.AGAIN)]
    assert found.matches[0].was.places == (1, 2, 2, 2)
    assert not found.matches[0].result.is_played
    void = put(final(played=True), 1, 2, NEW, 4, begun={FINAL}, void={FINAL})
    assert (void.why_not, void.matches[0].result.ended_by) == (NEVER_VOID, MatchEnding.VOID)


def test_who_only_changes_seats_does_not_leave_the_table() -> None:
    (change,) = put(final(), 1, NEW, 2, 3).matches
    assert change.exchanged == ((4, NEW),)
    order = put(final(), 2, 1, 3, 4)
    assert order.matches[0].exchanged == ((1, 2), (2, 1))
    assert (order.matches[0].fate, order.why_not) == (CorrectionEffect.PASSES, None)
    assert put(final(played=True), 2, 1, 3, 4, begun={FINAL}).why_not == OTHER_MATCHES


def test_those_who_have_left_do_not_come_to_the_table() -> None:
    state = replace(final(), withdrawn=frozenset({2, 3}))
    (two_left,) = put(state, 1, 2, 3, NEW, begun={FINAL}).matches
    assert two_left.fate is CorrectionEffect.AGAIN
    state = replace(state, withdrawn=frozenset({1, 2, 3}))
    (alone,) = put(state, 1, 2, 3, NEW, begun={FINAL}).matches
    assert (alone.fate, alone.result.places) == (CorrectionEffect.FORFEIT, (2, 2, 2, 1))
    assert alone.result.outcome.marks == tuple((seat, SeatMark.CONCEDED) for seat in (1, 2, 3))


@pytest.mark.parametrize("played", [False, True])
def test_who_won_a_table_after_all_sits_at_the_next(played: bool) -> None:
    state = add_round(stage(10, "table_cut"), best_wins)
    state = add_round(state, best_wins if played else None)
    assert [p.seats for p, _result in state.rounds[1]] == [(1, 2, 3, 4)]
    first, *others = state.rounds[0]
    assert first[0].seats == (3, 6, 7, 10)
    right = (first[0], table_result(seats=first[0].seats, places=(2, 2, 2, 1), round=1))
    state = replace(state, rounds=((right, *others), state.rounds[1]))
    begun = {(0, 1), (0, 2)} | ({(1, state.rounds[1][0][0].number)} if played else set())
    found = correct_stage(state, state.seats, begun=begun)
    assert told(found) == [
        (1, (1, 2, 4, 10), CorrectionEffect.AGAIN if played else CorrectionEffect.PASSES)
    ]
    assert (found.matches[0].exchanged, found.why_not) == (((3, 10),), None)


def test_whoever_rests_in_a_cut_rests_for_the_seat() -> None:
    found = put(add_round(stage(10, "table_cut")), NEW, *range(2, 11))
    assert told(found) == [(0, (NEW,), CorrectionEffect.RESTS)]
    assert found.state.rounds[0][2][1].is_bye


def swiss(*, rounds: int = 1, players: int = 8) -> StageState:
    state = stage(players)
    for _round in range(rounds):
        state = add_round(state, best_wins)
    return state


def instead(state: StageState, out: PlayerId) -> tuple[PlayerId, ...]:
    return tuple(NEW if player == out else player for player in state.players)


def test_a_table_made_by_points_is_taken_over_by_hand_alone() -> None:
    state, keys = swiss(), {(0, 1), (0, 2)}
    assert put(state, *instead(state, 3), begun=keys).why_not == PAIRED_FROM
    for void, fate in ((set(), CorrectionEffect.AGAIN), (keys, CorrectionEffect.VOID)):
        found = put(state, *instead(state, 3), begun=keys, void=void, by_hand=True)
        (change,) = found.matches
        assert (change.fate, found.why_not) == (fate, None)
        assert change.exchanged == ((3, NEW),)
        made = [(p.seats, p.by_hand) for p, _r in found.state.rounds[0]]
        was = [(p.seats, False) for p, _r in state.rounds[0]]
        assert [seats for seats, by_hand in made if by_hand] == [change.after]
        assert len({*made} & {*was}) == 1


def test_rounds_made_from_a_table_of_before_stand_in_the_way() -> None:
    state = swiss(rounds=2)
    keys = {(index, number) for index in (0, 1) for number in range(1, 5)}
    found = put(state, *instead(state, 3), begun=keys, by_hand=True)
    assert found.why_not == PAIRED_FROM
    late = replace(state, seats={"tables": (*state.players, 9)})
    assert put(late, *instead(late, 9), begun=keys, by_hand=True).why_not == NO_MATCH


def test_tables_made_with_players_kept_apart_are_not_taken_over() -> None:
    state = swiss()
    pair = frozenset(state.rounds[0][0][0].seats[:2])
    state = replace(state, rounds_apart=(frozenset({pair}),))
    out = next(iter(pair))
    assert put(state, *instead(state, out), by_hand=True).why_not == OTHER_MATCHES
    other = next(player for player in state.players if player not in pair)
    assert put(state, *instead(state, other), by_hand=True).why_not is None


def test_nobody_else_rests_in_a_round_of_tables() -> None:
    state = add_round(stage(7, sizes=(4, 2)))
    resting = state.rounds[0][-1][0]
    assert len(resting.seats) == 1
    (player, *_other) = next(p.seats for p, _r in state.rounds[0] if len(p.seats) == 2)
    moved = move_bye(state, 0, resting.number, player, begun=False, void=False)
    assert moved.why_not == BY_PLAN
