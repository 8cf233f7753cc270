"""What the results to come can still change: final places and prospects."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import FinalRankingRules, final_ranking, stage_outcome
from rules.formulas import FORMULAS
from rules.formulas.mutant_chronicles import PLAY_IN
from rules.plans import KNOCKOUT, FormulaPlan, GroupPlan
from rules.results import BYE, PlayerId, Points, Result, Winner, two_player_result, two_seats
from rules.scenarios import Prospect, Verdict, VerdictDependency, is_enumerated, prospects
from rules.scenarios.final_places import (
    MOST_LEFT,
    FinalPlaces,
    places_below_cut,
    places_in_bracket,
    places_in_standings,
)
from rules.scenarios.remaining import remaining_matches
from rules.stages.base import Pairing, StageState, is_complete
from rules.stages.knockout import possible_matches
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import Lots
from tests.effort import examples
from tests.rules.play import add_round, judged, lower_wins, one_group, opening, play_out
from tests.rules.scenarios.ends import after, contradiction, group_of_four, random_result
from tests.rules.scenarios.test_at_tables import GROUPS, PLAN, USED, played
from tests.rules.scenarios.test_playing_on import bracket, with_results

POINTS = Points()


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
    assert found[2].depends["draw"] == {VerdictDependency.SCORES}
    assert found[2].depends["win"] == frozenset()


def test_before_the_first_round_everything_is_open() -> None:
    found = of(group_of_four())
    assert {prospect.verdict for prospect in found.values()} == {Verdict.OPEN}
    assert all(prospect.depends["now"] == set(VerdictDependency) for prospect in found.values())
    assert all(prospect.after["win"] is Verdict.OPEN for prospect in found.values())


def test_when_all_is_played_only_lots_leave_anything_open() -> None:
    state = after(
        group_of_four(1),
        {1: (40, 10), 3: (40, 10)},
        {1: (10, 40), 2: (10, 40)},
        {1: (40, 10), 2: (40, 10)},
    )
    found = of(state, frozenset({"A1"}))
    decided = stage_outcome(state, criteria=DEFAULT_CRITERIA, points=POINTS, lots=(), used={"A1"})
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
    state = add_round(state, lambda pairing: two_player_result(*pairing.seats))
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
            state, lambda pairing: random_result(source, *two_seats(pairing.seats, None))
        )
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    said = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=USED)
    for _end in range(8):
        ended = state
        while len(ended.rounds) < 3:
            ended = add_round(
                ended, lambda pairing: random_result(source, *two_seats(pairing.seats, None))
            )
        lots = [tuple(source.sample(range(1, 13), 12))]
        decided = stage_outcome(
            ended, criteria=DEFAULT_CRITERIA, points=POINTS, lots=lots, used=USED
        )
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
            state, lambda pairing: random_result(source, *two_seats(pairing.seats, None))
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
    assert found[3].depends == {"now": {VerdictDependency.SCORES}}
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
    assert is_enumerated(state, criteria=DEFAULT_CRITERIA, most=729)
    assert not is_enumerated(state, criteria=DEFAULT_CRITERIA, most=728)


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
    assert found[7].depends["draw"] == set(VerdictDependency)  # level with 6, or third


def test_a_bye_that_is_not_stored_as_won_yet_is_no_open_match() -> None:
    stage = FORMULAS.get("swiss-cut").plan(9).stages[0]
    name = stage.groups[0].name
    state = add_round(replace(opening(stage, {name: tuple(range(1, 10))}), seed="seed"))
    played = tuple((p, r.without_outcome()) for p, r in state.rounds[0])
    left = remaining_matches(replace(state, rounds=(played,)))[name]
    (bye,) = left.settled
    assert (len(bye.seats), bye.outcome) == (1, BYE)
    assert len(left.open) == 4


VALUES = {"criteria": DEFAULT_CRITERIA, "points": Points()}
ORDER = FinalRankingRules(**VALUES)
FEW = 3
"""Matches left of which each end is tried."""


def ended_with(state: StageState, winners: tuple[Winner, ...]) -> StageState:
    """Return the stage with these winners of its open matches."""
    left = iter(winners)
    return replace(
        state,
        rounds=tuple(
            tuple(
                (pairing, result if result.winner else judged(result, next(left)))
                for pairing, result in played
            )
            for played in state.rounds
        ),
    )


def number_open(state: StageState) -> int:
    return sum(result.winner is None for played in state.rounds for _pairing, result in played)


def ends_of(state: StageState) -> Iterator[StageState]:
    """Yield each end of a bracket, every match being won by one of the two."""
    for winners in product((Winner.A, Winner.B), repeat=number_open(state)):
        ended = ended_with(state, winners)
        if is_complete(ended):
            yield ended
        else:
            yield from ends_of(add_round(ended))


def ranks(plan: FormulaPlan, state: StageState, lots: Lots = ()) -> dict[PlayerId, FinalPlaces]:
    """Return the rank of each player whom a stage that is over leaves out."""
    decided = stage_outcome(state, lots=lots, used=plan.used_places(0), **VALUES)
    classes = final_ranking(plan, [(state, decided)], replace(ORDER, lots=lots))
    found, best = {}, plan.players - sum(map(len, classes)) + 1
    for level in classes:
        found |= dict.fromkeys(level, FinalPlaces(best, best, len(level) > 1))
        best += len(level)
    return found


def joined(ends: list[FinalPlaces]) -> FinalPlaces:
    first, *others = ends
    for other in others:
        first = first.joined(other)
    return first


@examples(0.15)
@given(
    chance=st.randoms(use_true_random=False),
    formula=st.sampled_from(("single-elimination", "double-elimination")),
    players=st.integers(3, 6),
    leaves=st.booleans(),
)
def test_the_places_left_in_a_bracket_are_those_of_some_end(chance, formula, players, leaves):
    plan, state = bracket(formula, players)
    while not is_complete(state):
        if state.rounds and number_open(state) + len(possible_matches(state)) <= FEW:
            tried = list(ends_of(state))
            told = places_in_bracket(state, 0, frozenset(), ORDER)
            found = [ranks(plan, ended) for ended in tried]
            assert told == {one: joined([each[one] for each in found]) for one in told}
        if leaves and state.rounds and not state.withdrawn:
            state = replace(state, withdrawn=frozenset({chance.choice(state.players)}))
        state = with_results(state, chance, 0.5) if number_open(state) else add_round(state)


def test_a_match_of_who_has_left_leaves_both_places_open():
    """Whoever is waited for goes on alone if it is won, and so two lose one round later."""
    _plan, state = bracket("single-elimination", 8, third_place=False)
    state = add_round(state)
    quarters = [pairing for pairing, _result in state.rounds[0]]
    a, b = quarters[0].seats[0], quarters[1].seats[0]
    state = replace(state, withdrawn=frozenset({a, b}))
    state = ended_with(state, (Winner.A, Winner.A, Winner.A, Winner.A))
    told = places_in_bracket(state, 0, frozenset(), ORDER)
    assert told[quarters[2].seats[1]] == FinalPlaces(5, 5, shared=True)


def test_no_place_is_told_while_more_than_a_few_who_left_are_waited_for():
    _plan, state = bracket("single-elimination", 16, third_place=False)
    state = add_round(state)
    (lost, result), *waiting = state.rounds[0]
    played = ((lost, judged(result, Winner.A)), *waiting)
    state = replace(state, rounds=(played,))
    assert places_in_bracket(state, 0, frozenset(), ORDER)[lost.seats[-1]].one == 9
    left = frozenset(pairing.seats[0] for pairing, _result in waiting[: MOST_LEFT + 1])
    assert places_in_bracket(replace(state, withdrawn=left), 0, frozenset(), ORDER) == {}


def test_losers_of_a_round_of_eight_share_fifth_place_from_the_first_on():
    _plan, state = bracket("single-elimination", 8)
    state = add_round(state)
    one, *others = state.rounds[0]
    first = (one[0], judged(one[1], Winner.A))
    state = replace(state, rounds=((first, *others),))
    assert places_in_bracket(state, 0, frozenset(), ORDER) == {
        one[0].seats[1]: FinalPlaces(5, 5, True)
    }


def play_in(players: int = 15) -> tuple[FormulaPlan, StageState]:
    plan = FORMULAS.get("mutant-chronicles").plan(players, {"preliminary": PLAY_IN})
    state = one_group(range(1, plan.stages[0].size + 1), plan.stages[0])
    return plan, add_round(state)


@examples(0.3)
@given(
    seed=st.integers(0, 10**6),
    players=st.sampled_from((14, 15, 26)),
    leaves=st.booleans(),
)
def test_losers_of_a_play_in_end_on_a_place_that_was_told(seed, players, leaves):
    chance = random.Random(seed)
    plan, state = play_in(players)
    if leaves:
        state = replace(state, withdrawn=frozenset({chance.choice(state.players)}))

    def by_chance(pairing: Pairing, result: Result) -> tuple[Pairing, Result]:
        if result.winner or chance.random() < 0.4:
            return pairing, result
        found = random_result(chance, *two_seats(pairing.seats, None))
        winner = Winner.A if found.winner is Winner.DRAW else found.winner
        return pairing, replace(judged(found, winner, score=found.score), round=result.round)

    told = []
    while not told or not is_complete(state):
        told.append(places_in_bracket(state, 0, plan.used_places(0), ORDER))
        if number_open(state):
            rounds = tuple(tuple(by_chance(*each) for each in made) for made in state.rounds)
            state = replace(state, rounds=rounds)
        else:
            state = add_round(state)
    final = ranks(plan, state)
    last = places_in_bracket(state, 0, plan.used_places(0), ORDER)
    assert last == {player: final[player] for player in last}
    assert leaves or last == final
    for each in told:
        for player, places in each.items():
            assert places.first <= final[player].first <= places.last


def test_losers_of_a_play_in_are_told_apart_once_their_figures_are_final():
    plan, state = play_in()
    *byes, first, second, third = sorted(state.rounds[0], key=lambda one: len(one[0].seats))

    def lost(one: tuple[Pairing, Result], score: tuple[int, int]) -> tuple[Pairing, Result]:
        return one[0], judged(one[1], Winner.A, score=score)

    ended = (*byes, lost(first, (40, 30)), lost(second, (40, 10)), third)
    state = replace(state, rounds=(ended,))
    told = places_in_bracket(state, 0, plan.used_places(0), ORDER)
    assert told == {first[0].seats[1]: FinalPlaces(13, 14), second[0].seats[1]: FinalPlaces(14, 15)}


def test_places_in_a_table_leave_room_for_those_who_left_and_may_stand_ahead():
    prospect = Prospect(player=1, verdict=Verdict.OUT, places=range(3, 5))
    state = group_of_four()
    assert places_in_standings(state, prospect, 2, ORDER) == FinalPlaces(5, 6)
    gone = replace(state, withdrawn=frozenset({4}))
    assert places_in_standings(gone, prospect, 2, ORDER) == FinalPlaces(5, 6), "4 makes no point"
    by_wins = replace(ORDER, criteria=("wins",))
    assert places_in_standings(gone, prospect, 2, by_wins) == FinalPlaces(5, 7)
    unknown = Prospect(player=1, verdict=Verdict.OUT)
    assert places_in_standings(state, unknown, 2, ORDER) is None
    groups = FORMULAS.get("mutant-chronicles").plan(12).stages[0]
    several = StageState(plan=groups, seats={g.name: (None,) for g in groups.groups})
    assert places_in_standings(several, prospect, 0, ORDER) is None


def test_who_left_with_more_points_or_fewer_takes_one_place():
    state = play_out(group_of_four(), lower_wins)
    prospect = Prospect(player=3, verdict=Verdict.OUT, places=range(2, 3))
    ahead, behind = (replace(state, withdrawn=frozenset({one})) for one in (1, 4))
    assert places_in_standings(ahead, prospect, 0, ORDER) == FinalPlaces(3, 3)
    assert places_in_standings(behind, prospect, 0, ORDER) == FinalPlaces(2, 2)


@examples(0.5)
@given(
    chance=st.randoms(use_true_random=False), players=st.integers(4, 6), leavers=st.integers(0, 2)
)
def test_places_told_in_a_table_hold_however_it_ends(chance, players, leavers):
    plan = FORMULAS.get("swiss-cut").plan(players, {"rounds": 3, "cut": 2})
    state = one_group(range(1, players + 1), plan.stages[0])
    for _round in range(2):
        state = add_round(state, lambda one: random_result(chance, *two_seats(one.seats, None)))
    state = replace(state, withdrawn=frozenset(chance.sample(state.players, leavers)))
    state = add_round(state)
    used = plan.used_places(0)
    known = prospects(state, used=used, **VALUES)
    out = [one for one in known.values() if one.verdict is Verdict.OUT and not one.opponent]
    told = {one.player: places_in_standings(state, one, 0, ORDER) for one in out}
    rounds = tuple(
        tuple(
            (one, made if made.winner else random_result(chance, *two_seats(one.seats, None)))
            for one, made in made_
        )
        for made_ in state.rounds
    )
    final = ranks(plan, replace(state, rounds=rounds))
    for player, places in told.items():
        if places is not None and player in final:
            assert places.first <= final[player].first <= places.last


def level(pairing: Pairing) -> Result:
    return two_player_result(*pairing.seats, winner=Winner.DRAW, score=(1, 1))


def test_behind_a_cut_that_waits_for_lots_places_are_final():
    plan = FORMULAS.get("swiss-cut").plan(4, {"rounds": 1, "cut": 2})
    state = one_group((1, 2, 3, 4), plan.stages[0])
    state = play_out(state, level)
    known = prospects(state, used=plan.used_places(0), **VALUES)
    decided = stage_outcome(state, lots=(), used=plan.used_places(0), **VALUES)
    assert decided.lots_needed
    assert places_below_cut(state, decided, known, 0, ORDER) == {}, "lots concern all of them"

    def fourth_loses(pairing: Pairing) -> Result:
        return (lower_wins if 4 in pairing.seats else level)(pairing)

    state = play_out(one_group((1, 2, 3, 4), plan.stages[0]), fourth_loses)
    known = prospects(state, used=plan.used_places(0), **VALUES)
    decided = stage_outcome(state, lots=(), used=plan.used_places(0), **VALUES)
    assert decided.lots_needed
    assert places_below_cut(state, decided, known, 0, ORDER) == {4: FinalPlaces(4, 4)}


@examples(0.5)
@given(source=st.randoms(use_true_random=False))
def test_in_groups_too_lots_move_nobody_who_has_a_place(source):
    state, used = played(source), PLAN.used_places(0)
    decided = stage_outcome(state, lots=(), used=used, **VALUES)
    known = prospects(state, used=used, **VALUES)
    told = places_below_cut(state, decided, known, 0, ORDER)
    lots: list[tuple[PlayerId, ...]] = []
    while needed := stage_outcome(state, lots=lots, used=used, **VALUES).lots_needed:
        lots.append(tuple(source.sample(needed[0], len(needed[0]))))
    final = ranks(PLAN, state, lots)
    assert {player: final[player] for player in told} == told


def test_fourths_of_groups_share_a_place_while_lots_are_drawn_among_thirds():
    state = opening(GROUPS, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8), "C": (9, 10, 11, 12)})
    state, used = play_out(state, lower_wins), PLAN.used_places(0)
    decided = stage_outcome(state, lots=(), used=used, **VALUES)
    assert decided.lots_needed == ((3, 7, 11),)
    told = places_below_cut(state, decided, prospects(state, used=used, **VALUES), 0, ORDER)
    assert told == dict.fromkeys((4, 8, 12), FinalPlaces(10, 10, shared=True))
