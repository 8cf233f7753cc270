"""Whether to play on, by whom it is decided, and the ends that are counted."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import FinalRankingRules, final_ranking, stage_outcome
from rules.formulas import FORMULAS
from rules.formulas.mutant_chronicles import PLAY_IN
from rules.plans import FormulaPlan
from rules.results import (
    MatchEnding,
    PlayerId,
    Points,
    Result,
    Winner,
    two_player_result,
    two_seats,
)
from rules.scenarios import Prospect, Verdict, prospects, status
from rules.scenarios.final_places import places_in_bracket
from rules.scenarios.verdicts import (
    FutureMatches,
    count_needed_drops,
    future_matches,
    has_match_after_losing,
    players_with_future_round,
)
from rules.stages.base import StageState, is_complete
from rules.stages.knockout import match_winner
from rules.standings.table import DEFAULT_CRITERIA
from tests.effort import examples
from tests.rules.play import add_round, judged, lower_wins, one_group, opening
from tests.rules.scenarios.ends import group_of_four, random_result
from tests.rules.scenarios.test_at_tables import GROUPS, USED

ORDER = FinalRankingRules(criteria=DEFAULT_CRITERIA, points=Points())
NOBODY = {"used": frozenset[str](), "prospect": None}


def bracket(formula: str, players: int, **options) -> tuple[FormulaPlan, StageState]:
    plan = FORMULAS.get(formula).plan(players, options)
    return plan, one_group(range(1, players + 1), plan.stages[0])


def with_results(state: StageState, chance: random.Random, share: float = 1) -> StageState:
    """Return the stage with results of a share of its open matches."""
    rounds = tuple(
        tuple(
            (pairing, judged(result, chance.choice((Winner.A, Winner.B))))
            if result.winner is None and chance.random() < share
            else (pairing, result)
            for pairing, result in played
        )
        for played in state.rounds
    )
    return replace(state, rounds=rounds)


def ranks(plan: FormulaPlan, state: StageState) -> dict[PlayerId, int]:
    """Return the final rank of each player of a bracket that is over."""
    values = {"criteria": DEFAULT_CRITERIA, "points": Points()}
    decided = stage_outcome(state, lots=(), used=frozenset(), **values)
    classes = final_ranking(plan, [(state, decided)], ORDER)
    found, above = {}, 0
    for level in classes:
        found |= dict.fromkeys(level, above + 1)
        above += len(level)
    return found


def matches(state: StageState, player: PlayerId) -> int:
    return sum(player in pairing.seats for played in state.rounds for pairing, _result in played)


@examples(1)
@given(
    chance=st.randoms(use_true_random=False),
    formula=st.sampled_from(("single-elimination", "double-elimination")),
    players=st.integers(3, 17),
    third=st.booleans(),
)
def test_who_is_out_of_a_bracket_knows_the_place_and_whether_it_is_shared(
    chance, formula, players, third
):
    options = {"third_place": third} if formula == "single-elimination" else {}
    plan, state = bracket(formula, players, **options)
    for _round in range(chance.randint(1, 4)):
        if not is_complete(state := with_results(state, chance)):
            state = add_round(state)
    state = with_results(state, chance, 0.5)
    places = places_in_bracket(state, 0, frozenset(), ORDER)
    to_come = players_with_future_round(state)
    ended = with_results(state, chance)
    while not is_complete(ended):
        ended = with_results(add_round(ended), chance)
    final = ranks(plan, ended)
    held = Counter(final.values())
    open_now = [
        player
        for played in state.rounds
        for pairing, result in played
        for player in (pairing.seats if result.winner is None else ())
    ]
    for player in state.players:
        more = future_matches(state, player, to_come=to_come, **NOBODY)
        assert (more is FutureMatches.NO) == (player in places)
        if more is FutureMatches.NO:
            assert places[player].one == final[player]
            assert places[player].shared == (held[final[player]] > 1)
            assert matches(ended, player) == matches(state, player)
        elif player not in open_now:
            assert matches(ended, player) > matches(state, player)


def test_who_is_next_in_line_knows_how_many_have_to_leave():
    plan = FORMULAS.get("swiss-cut").plan(6, {"rounds": 1, "cut": 2})
    state, used = one_group(range(1, 7), plan.stages[0]), plan.used_places(0)

    def needed(*places: int) -> int:
        prospect = Prospect(player=5, verdict=Verdict.OUT, places=range(*places))
        return count_needed_drops(state, prospect, used)

    assert [needed(3, 4), needed(4, 7), needed(6, 7), needed(0)] == [1, 2, 4, 0]


def test_where_ranks_of_groups_are_compared_only_those_on_such_a_rank_are_next():
    plan = FORMULAS.get("mutant-chronicles").plan(12, {})
    groups = plan.stages[0].groups
    seats = {each.name: tuple(range(4 * at + 1, 4 * at + 5)) for at, each in enumerate(groups)}
    state, used = opening(plan.stages[0], seats), plan.used_places(0)
    third, fourth = (
        Prospect(player=4, verdict=Verdict.OUT, places=range(place, place + 1)) for place in (3, 4)
    )
    assert count_needed_drops(state, third, used) == 1
    assert count_needed_drops(state, fourth, used) == 0


def test_a_group_tells_who_has_a_round_to_come():
    state = add_round(group_of_four())
    assert players_with_future_round(state) == {1, 2, 3, 4}
    assert players_with_future_round(replace(state, withdrawn=frozenset({3, 4}))) == {3, 4}
    for _round in range(2):
        state = add_round(state)
    assert players_with_future_round(state) == frozenset()


def test_swiss_rounds_to_come_are_for_all_who_sit_there():
    plan = FORMULAS.get("swiss-cut").plan(4, {"rounds": 2, "cut": 2})
    state = one_group(range(1, 5), plan.stages[0])
    assert players_with_future_round(state) == {1, 2, 3, 4}
    for _round in range(2):
        state = with_results(add_round(state), random.Random(1))
    assert players_with_future_round(state) == frozenset()


@pytest.mark.parametrize(
    ("verdict", "more"),
    [
        (Verdict.THROUGH, FutureMatches.SURE),
        (Verdict.OUT, FutureMatches.NO),
        (Verdict.OPEN, FutureMatches.UNSURE),
        (None, FutureMatches.UNSURE),
    ],
)
def test_after_the_last_round_of_a_table_the_verdict_decides(verdict, more):
    prospect = Prospect(player=1, verdict=verdict) if verdict else None
    known = {"to_come": frozenset[PlayerId](), "prospect": prospect}
    assert future_matches(group_of_four(), 1, used=frozenset({"A1"}), **known) is more
    assert future_matches(group_of_four(), 1, used=frozenset(), **known) is FutureMatches.NO


def test_whoever_wins_a_place_in_a_later_stage_is_not_out():
    plan = FORMULAS.get("mutant-chronicles").plan(13, {"preliminary": PLAY_IN})
    size = plan.stages[0].size
    state = with_results(add_round(one_group(range(1, size + 1), plan.stages[0])), random.Random(1))
    winners = {match_winner(result) for played in state.rounds for _pairing, result in played}
    known = {"to_come": players_with_future_round(state), "prospect": None}
    found = {p: future_matches(state, p, used=plan.used_places(0), **known) for p in state.players}
    assert {player for player, more in found.items() if more is FutureMatches.SURE} == winners


@pytest.mark.parametrize(
    ("formula", "players", "again"),
    [
        ("single-elimination", 8, False),
        ("single-elimination", 4, True),
        ("double-elimination", 8, True),
    ],
)
def test_who_loses_plays_again_for_third_place_or_in_the_lower_bracket(formula, players, again):
    options = {"third_place": True} if formula == "single-elimination" else {}
    _plan, state = bracket(formula, players, **options)
    state = add_round(state)
    assert {has_match_after_losing(state, player) for player in state.players} == {again}


ORDERS = (
    DEFAULT_CRITERIA,
    ("points", "head_to_head", "opponents_points", "score_difference"),
    ("head_to_head", "points", "score_for"),
    ("opponents_points", "points", "lots"),
    ("points", "score_for"),
)
WORTH = (Points(), Points(win=2), Points(win=3, draw=2, loss=1), Points(win=1, draw=1))

STRUCK = ((Winner.VOID, MatchEnding.VOID), (Winner.NONE, MatchEnding.DOUBLE_LOSS))


def any_state(source: random.Random, legs: int, rounds: int):
    """Return the groups after some rounds, now and then with a withdrawal or a void match."""
    names = [group.name for group in GROUPS.groups]
    seats = {name: tuple(range(4 * at + 1, 4 * at + 5)) for at, name in enumerate(names)}
    state = replace(opening(GROUPS, seats), legs=legs)

    def result(pairing) -> Result:
        odd = source.random()
        if odd < 0.05:
            winner, ended_by = source.choice(STRUCK)
            return two_player_result(*pairing.seats, winner=winner, ended_by=ended_by)
        return random_result(source, *two_seats(pairing.seats, None))

    for _round in range(rounds):
        state = add_round(state, result)
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    return state


@pytest.mark.parametrize(("legs", "rounds"), [(1, 1), (1, 2), (2, 4), (2, 5)])
@given(source=st.randoms(use_true_random=False))
@examples(0.08)
def test_both_ways_say_the_same(legs: int, rounds: int, source: random.Random) -> None:
    state = any_state(source, legs, rounds)
    criteria, points = source.choice(ORDERS), source.choice(WORTH)
    quick = prospects(state, criteria=criteria, points=points, used=USED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(status, "QUICK", frozenset())
        ranked = prospects(state, criteria=criteria, points=points, used=USED)
    assert quick == ranked
    assert all(prospect.exact for prospect in quick.values())


def test_a_whole_double_round_of_four_is_looked_at() -> None:
    state = any_state(random.Random(1), 2, 0)
    state = replace(state, withdrawn=frozenset())
    found = prospects(state, criteria=DEFAULT_CRITERIA, points=Points(), used=USED)
    assert all(prospect.exact for prospect in found.values())
    assert {prospect.verdict for prospect in found.values()} == {Verdict.OPEN}
    assert all(prospect.opponent is not None for prospect in found.values())


def test_byes_give_no_points_against_anybody() -> None:
    """Nine players in their last Swiss round: both ways to the same prospects."""
    plan = FORMULAS.get("swiss-cut").plan(9, {"rounds": 3, "cut": 2})
    stage = plan.stages[0]
    state = opening(stage, {stage.groups[0].name: tuple(range(1, 10))})
    state = replace(state, seed="seed")
    for _round in range(2):
        state = add_round(state, lower_wins)
    state = add_round(state)
    given = {"criteria": ("points", "head_to_head"), "points": Points()}
    given["used"] = plan.used_places(0)
    quick = prospects(state, **given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(status, "QUICK", frozenset())
        ranked = prospects(state, **given)
    assert quick == ranked
    assert len(quick) == 9
    assert all(prospect.exact for prospect in quick.values())
