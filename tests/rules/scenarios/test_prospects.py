"""Who is through and who is out: by example, and against random ends of the stage."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import outcome
from rules.formulas import FORMULAS
from rules.plans import KNOCKOUT, ROUND_ROBIN, GroupPlan, RankOf, StagePlan
from rules.results import BYE, PlayerId, Points, Result, Winner, of_two, result_of_two
from rules.scenarios import DependsOn, Verdict, looks_at_each, prospects
from rules.scenarios.remaining import remaining_of
from rules.stages.base import StageState
from rules.standings.table import DEFAULT_CRITERIA
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.play import add_round, lower_wins, one_group, opening
from tests.rules.scenarios.ends import contradiction, random_result

POINTS = Points()
GROUPS = FORMULAS.get("mutant-chronicles").plan(12).stages[0]
USED = FORMULAS.get("mutant-chronicles").plan(12).used_places(0)


def group_of_four(advance: int = 2) -> StageState:
    """Return one group of 1 to 4 whose first ranks advance."""
    plan = StagePlan(
        key="group",
        label=Sentence("Group"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name="A", seats=("S1", "S2", "S3", "S4")),),
        places=tuple(RankOf(name=f"A{n}", group="A", rank=n) for n in range(1, advance + 1)),
    )
    return one_group((1, 2, 3, 4), plan)


def after(state: StageState, *rounds: dict[int, tuple[int, int]]) -> StageState:
    """Return the stage after rounds; each gives the score of a match by its player a."""
    for scores in rounds:
        state = add_round(state, lambda pairing, s=scores: result(*of_two(pairing.seats, None), s))
    return state


def result(a: PlayerId, b: PlayerId | None, scores: dict[int, tuple[int, int]]) -> Result:
    score = scores[int(a)]
    winner = Winner.DRAW if score[0] == score[1] else Winner.A if score[0] > score[1] else Winner.B
    return result_of_two(a=a, b=b, winner=winner, score=score)


def of(state: StageState, used: frozenset[str] = frozenset({"A1", "A2"})):
    return prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=used)


def test_two_wins_and_the_others_divided_are_through() -> None:
    # 1 has beaten 2 and 3; 4 has lost twice. Last round: 1-4, 2-3.
    state = after(group_of_four(), {1: (40, 10), 3: (40, 10)}, {1: (40, 10), 2: (40, 10)})
    found = of(state)
    assert found[1].verdict is Verdict.THROUGH
    assert found[4].verdict is Verdict.OUT
    assert found[2].verdict is Verdict.OPEN
    assert found[2].opponent == 3
    assert found[2].after["win"] is Verdict.THROUGH
    assert found[2].after["loss"] is Verdict.OUT


def test_level_on_points_after_a_draw_scores_decide() -> None:
    state = after(group_of_four(), {1: (40, 10), 3: (40, 10)}, {1: (40, 10), 2: (40, 10)})
    found = of(state)
    # After a draw 2 and 3 have four points each and have drawn with each other: score decides.
    assert found[2].after["draw"] is Verdict.OPEN
    assert found[3].after["draw"] is Verdict.OPEN
    assert found[2].depends["draw"] == {DependsOn.SCORES}
    assert found[2].depends["win"] == frozenset()


def test_before_the_first_round_everything_is_open() -> None:
    found = of(group_of_four())
    assert {prospect.verdict for prospect in found.values()} == {Verdict.OPEN}
    assert all(prospect.depends["now"] == set(DependsOn) for prospect in found.values())
    assert all(prospect.after["win"] is Verdict.OPEN for prospect in found.values())


def test_when_all_is_played_only_lots_leave_anything_open() -> None:
    state = after(
        group_of_four(1),
        {1: (40, 10), 3: (40, 10)},
        {1: (10, 40), 2: (10, 40)},
        {1: (40, 10), 2: (40, 10)},
    )
    found = of(state, frozenset({"A1"}))
    decided = outcome(state, criteria=DEFAULT_CRITERIA, points=POINTS, lots=(), used={"A1"})
    tied = {player for level in decided.lots_needed for player in level}
    for player, prospect in found.items():
        assert prospect.opponent is None
        assert (prospect.verdict is Verdict.OPEN) == (player in tied)


def test_a_withdrawn_player_does_not_affect_prospects() -> None:
    state = after(group_of_four(), {1: (40, 10), 3: (40, 10)}, {1: (40, 10), 2: (40, 10)})
    found = of(replace(state, withdrawn=frozenset({1})))
    assert set(found) == {2, 3, 4}
    assert found[2].after["win"] is Verdict.THROUGH
    # With 1 gone, the two best of 2, 3 and 4 go on; 4 has beaten nobody, but 1's forfeit counts.
    assert found[2].verdict is Verdict.THROUGH


def test_a_match_that_was_paired_before_somebody_left_is_still_to_come() -> None:
    """It has been reported, and waits for who confirms it: it is not given away."""
    # 1 has beaten 2, 3 beaten 1, 4 beaten 3, 2 beaten 4. 1 has played 4, reported, and left.
    state = after(group_of_four(1), {1: (40, 10), 3: (10, 40)}, {1: (10, 40), 2: (40, 10)})
    state = add_round(state, lambda pairing: result_of_two(*pairing.seats))
    found = of(replace(state, withdrawn=frozenset({1})), frozenset({"A1"}))
    # 4 would be level with 3, whom 4 has beaten, by a win over 1 alone.
    assert found[3].verdict is Verdict.OPEN
    assert found[3].after["win"] is Verdict.OPEN
    assert found[4].opponent == 1
    assert found[4].after["loss"] is Verdict.OUT


def test_too_many_ways_are_left_open_and_it_is_said() -> None:
    seats = tuple(f"S{n}" for n in range(1, 9))
    plan = replace(group_of_four().plan, groups=(GroupPlan(name="A", seats=seats),))
    found = of(one_group(tuple(range(1, 9)), plan))
    assert all(not p.exact and not p.is_known for p in found.values())


@pytest.mark.parametrize("rounds", [1, 2, 3])
@given(source=st.randoms(use_true_random=False))
@examples(0.6)
def test_what_is_said_holds_however_the_stage_ends(rounds: int, source: random.Random) -> None:
    names = [group.name for group in GROUPS.groups]
    seats = {name: tuple(range(4 * at + 1, 4 * at + 5)) for at, name in enumerate(names)}
    state = opening(GROUPS, seats)
    for _round in range(rounds):
        state = add_round(
            state, lambda pairing: random_result(source, *of_two(pairing.seats, None))
        )
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    said = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=USED)
    for _end in range(8):
        ended = state
        while len(ended.rounds) < 3:
            ended = add_round(
                ended, lambda pairing: random_result(source, *of_two(pairing.seats, None))
            )
        lots = [tuple(source.sample(range(1, 13), 12))]
        decided = outcome(ended, criteria=DEFAULT_CRITERIA, points=POINTS, lots=lots, used=USED)
        through = {player for name, player in decided.places.items() if name in USED}
        assert len(through) == 8
        assert contradiction(said, ended, through) is None


@given(source=st.randoms(use_true_random=False))
@examples(0.3)
def test_a_better_result_is_never_worse(source: random.Random) -> None:
    names = [group.name for group in GROUPS.groups]
    seats = {name: tuple(range(4 * at + 1, 4 * at + 5)) for at, name in enumerate(names)}
    state = opening(GROUPS, seats)
    for _round in range(2):
        state = add_round(
            state, lambda pairing: random_result(source, *of_two(pairing.seats, None))
        )
    said = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=USED)
    worth = {Verdict.OUT: 0, Verdict.OPEN: 1, Verdict.THROUGH: 2}
    for prospect in said.values():
        if prospect.opponent is not None:
            win, draw, loss = (worth[prospect.after[key]] for key in ("win", "draw", "loss"))
            assert win >= draw >= loss


def test_thirds_of_other_groups_are_results_or_scores_to_wait_for() -> None:
    state = opening(GROUPS, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8), "C": (9, 10, 11, 12)})
    for _round in range(3):
        state = add_round(state, lower_wins)
    found = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=USED)
    # Everything is played, and the three thirds are level: only lots are left.
    assert found[3].depends == {"now": {DependsOn.SCORES}}
    assert [found[n].verdict for n in (1, 2, 3, 4)] == [
        *(Verdict.THROUGH, Verdict.THROUGH, Verdict.OPEN, Verdict.OUT)
    ]


def test_uneven_groups_compared_without_their_last_stay_open() -> None:
    plan = FORMULAS.get("groups-knockout").plan(11, {"advance": 1, "uneven_groups": 1})
    seats = {"A": (1, 6, 7), "B": (2, 5, 8, 11), "C": (3, 4, 9, 10)}
    state = opening(plan.stages[0], seats)
    for _round in range(3):
        state = add_round(state, lower_wins)
    found = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=plan.used_places(0))
    assert [found[n].verdict for n in (1, 2, 3)] == [Verdict.THROUGH] * 3
    assert found[4].verdict is Verdict.OPEN  # a second: which matches count, the end tells
    assert found[9].verdict is Verdict.OUT


def test_a_bracket_is_left_open() -> None:
    state = group_of_four()
    bracket = replace(
        state, plan=replace(state.plan, kind=KNOCKOUT, places=()), withdrawn=frozenset({4})
    )
    found = of(bracket)
    assert set(found) == {1, 2, 3}
    assert {(prospect.verdict, prospect.exact) for prospect in found.values()} == {
        (Verdict.OPEN, False)
    }


def test_as_many_outcomes_as_allowed_are_looked_at() -> None:
    """Six open matches end in 3 to the power of 6 ways."""
    state = group_of_four()
    assert looks_at_each(state, criteria=DEFAULT_CRITERIA, most=729)
    assert not looks_at_each(state, criteria=DEFAULT_CRITERIA, most=728)


def test_a_compared_rank_is_open_while_another_group_has_too_many_outcomes() -> None:
    """The best two thirds of three groups go on: A has not begun, B has its last round."""
    state = opening(GROUPS, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8), "C": (9, 10, 11, 12)})
    for _round in range(3):
        state = add_round(state, lower_wins)
    open_ = ({1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8})
    rounds = tuple(
        tuple(
            (
                pairing,
                found.without_outcome() if pairing.seats[0] in players else found,
            )
            for pairing, found in played
        )
        for players, played in zip(open_, state.rounds, strict=True)
    )
    found = prospects(
        replace(state, rounds=rounds), criteria=DEFAULT_CRITERIA, points=POINTS, used=USED, most=9
    )
    assert [found[player].exact for player in (1, 5, 9)] == [False, True, True]
    assert [found[player].verdict for player in (5, 6, 7, 8)] == [
        *(Verdict.THROUGH, Verdict.OPEN, Verdict.OPEN, Verdict.OUT),
    ]
    assert found[7].depends["draw"] == set(DependsOn)  # level with 6, or third


def test_a_bye_that_is_not_stored_as_won_yet_is_no_open_match() -> None:
    stage = FORMULAS.get("swiss-cut").plan(9).stages[0]
    name = stage.groups[0].name
    state = add_round(replace(opening(stage, {name: tuple(range(1, 10))}), seed="seed"))
    played = tuple((p, r.without_outcome()) for p, r in state.rounds[0])
    left = remaining_of(replace(state, rounds=(played,)))[name]
    (bye,) = left.settled
    assert (len(bye.seats), bye.outcome) == (1, BYE)
    assert len(left.open) == 4
