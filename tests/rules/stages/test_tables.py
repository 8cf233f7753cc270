"""Stages of tables: rounds by points and the cut, played with random results.

Source: tables, 2, 5, 6 and 12 (examples 7 to 11).
"""

from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.criteria.of_tables import WIN5_ORDER
from rules.errors import RuleError
from rules.formulas.tables_cut import TABLES_CUT
from rules.plans import GroupPlan, StagePlan
from rules.results import EndedBy, Result, Winner, result_of_two
from rules.stages.base import Pairing, StageState
from rules.stages.kind import (
    STAGE_KINDS,
    before_round,
    is_complete,
    is_of_tables,
    ordered_kinds,
    paired_matches,
)
from rules.stages.table_cut import in_order, steps
from rules.stages.tables import by_table, cost_of, table_entrants
from rules.tables.results import nobody_first, places_by
from rules.tables.rounds import tables_of
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.play import PlayedEvent, add_round, one_group, play_out, table_result

SIZES = ((4, 3), (4, 5, 3), (3, 4), (4,), (4, 3, 2), (3,), (5, 4))


def stage(players: int, kind: str = "table_swiss", rounds: int = 3, **own: object) -> StageState:
    plan = StagePlan(
        key="tables",
        label=Sentence("Tables"),
        kind=kind,
        groups=(GroupPlan(name="tables", seats=tuple(f"S{n}" for n in range(1, players + 1))),),
        rounds=rounds,
        own=tuple(own.items()),  # type: ignore[arg-type]
    )
    return replace(one_group(range(1, players + 1), plan), seed="seed")


def at_random(random: Random, pairing: Pairing) -> Result:
    size = len(pairing.seats)
    if size == 2:
        a, b = pairing.seats
        return result_of_two(a=a, b=b, winner=random.choice((Winner.A, Winner.B, Winner.DRAW)))
    places = random.choice(
        (
            places_by([random.randint(0, 3) for _seat in range(size)]),
            nobody_first(size),
            tuple(1 if seat == 0 else 2 for seat in range(size)),
        )
    )
    return table_result(seats=pairing.seats, places=places)


def best_wins(pairing: Pairing) -> Result:
    if len(pairing.seats) == 2:
        a, b = pairing.seats
        return result_of_two(a=a, b=b, winner=Winner.A if int(a) < int(b) else Winner.B)
    places = tuple(1 if one == min(pairing.seats, key=int) else 2 for one in pairing.seats)
    return table_result(seats=pairing.seats, places=places)


def test_tables_keep_the_order_in_which_they_were_made_and_rounds_have_numbers():
    state = stage(11)
    kind = STAGE_KINDS.get("table_swiss")
    pairings = kind.next_round(state)
    assert by_table(state, pairings) == tuple(pairings)
    assert str(kind.describe_round(state, 3)) == "Round 3"
    assert not kind.names_rounds


@given(
    size=st.integers(3, 20), sizes=st.sampled_from(SIZES), random=st.randoms(use_true_random=False)
)
@examples(0.3)
def test_rounds_seat_everybody_once_at_as_many_tables_as_asked(size, sizes, random):
    state = stage(size, sizes=sizes)
    kind = STAGE_KINDS.get("table_swiss")
    while pairings := kind.next_round(state):
        there = [player for player in state.players if player not in state.withdrawn]
        seated = [*chain.from_iterable(pairing.seats for pairing in pairings)]
        assert sorted(seated) == sorted(there)
        tables = [len(pairing.seats) for pairing in pairings if len(pairing.seats) > 1]
        assert sorted(tables) == sorted(tables_of(len(there), sizes))
        assert pairings == kind.next_round(replace(state))
        state = add_round(state, lambda pairing: at_random(random, pairing))
        index = len(state.rounds) - 1
        again = kind.next_round(before_round(state, index))
        assert {(p.group, p.number, p.seats) for p in again} == paired_matches(state, index)
        if random.random() < 0.4:
            left = random.choice(state.players)
            state = replace(state, withdrawn=state.withdrawn | {left})
    assert is_complete(state)


def test_who_was_awarded_a_bye_rests_and_the_others_fill_tables():
    state = stage(8)
    state = replace(state, plan=replace(state.plan, byes=((3, 1),)))
    pairings = STAGE_KINDS.get("table_swiss").next_round(state)
    assert sorted(len(pairing.seats) for pairing in pairings) == [1, 3, 4]
    assert pairings[-1].seats == (3,)


def met_in(state: StageState) -> dict[frozenset[object], int]:
    met: dict[frozenset[object], int] = {}
    for played in state.rounds:
        for pairing, _result in played:
            for pair in combinations(pairing.seats, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return met


def test_nobody_meets_again_where_that_can_be():
    state = play_out(stage(16, rounds=3), best_wins)
    assert set(met_in(state).values()) == {1}
    for index in range(3):
        before = before_round(state, index)
        tables = [pairing.seats for pairing, _result in state.rounds[index]]
        cost = cost_of(before, tables)
        assert (cost.repeats, cost.apart, cost.again, cost.low) == (0, 0, 0, 0)


def test_the_cost_of_a_round_is_that_of_its_tables():
    """Example 9 of the specification: seven, and who sits at the small table again."""
    first = tuple(
        (Pairing(group="tables", number=n, seats=seats), table_result(seats=seats, places=told))
        for n, (seats, told) in enumerate(
            (((1, 2, 3, 4), (1, 2, 2, 2)), ((5, 6, 7), (1, 2, 2))), start=1
        )
    )
    state = replace(stage(7), rounds=(first,))
    made = STAGE_KINDS.get("table_swiss").next_round(state)
    assert tuple(cost_of(state, [p.seats for p in made])) == (3, 0, 1, 0, 100)
    assert tuple(cost_of(state, [(1, 2, 3, 4), (5, 6, 7)]))[:3] == (9, 0, 3)
    left = replace(state, withdrawn=frozenset({1, 6}))  # since the tables were drafted
    assert cost_of(left, [p.seats for p in made]) == cost_of(state, [p.seats for p in made])
    late = {one.player: one for one in table_entrants(state)}
    assert (late[1].points, late[6].small, late[6].seats) == (5, 1, ((2, 3),))


def test_points_of_byes_missed_rounds_and_matches_of_two_count_at_tables():
    seats = (1, 2, 3)
    played = (
        (
            Pairing(group="tables", number=1, seats=seats),
            table_result(seats=seats, places=(1, 1, 3)),
        ),
        (
            Pairing(group="tables", number=2, seats=(4, 5)),
            result_of_two(a=4, b=5, winner=Winner.A, ended_by=EndedBy.NO_SHOW),
        ),
        (
            Pairing(group="tables", number=3, seats=(6,)),
            result_of_two(a=6, b=None, winner=Winner.A, ended_by=EndedBy.BYE),
        ),
        (
            Pairing(group="tables", number=4, seats=(7,), missed=True),
            result_of_two(a=7, b=None, winner=Winner.NONE, ended_by=EndedBy.NO_SHOW),
        ),
    )
    state = replace(stage(7, sizes=(3, 2)), rounds=(played,))
    found = {
        one.player: (one.points, one.byes, sum(one.met.values())) for one in table_entrants(state)
    }
    assert found == {
        1: (1, 0, 2),
        2: (1, 0, 2),
        3: (0, 0, 2),
        4: (5, 0, 1),
        5: (0, 0, 1),
        6: (5, 1, 0),
        7: (0, 0, 0),
    }


@pytest.mark.parametrize(
    ("players", "byes", "tables"),
    [
        (4, [], [[1, 2, 3, 4]]),
        (7, [1, 2, 3], [[4, 5, 6, 7]]),
        (10, [1, 2], [[3, 6, 7, 10], [4, 5, 8, 9]]),
        (16, [], [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]),
    ],
)
def test_a_cut_seats_by_snake_and_the_best_seeds_rest(players, byes, tables):
    """Example 11 of the specification."""
    pairings = STAGE_KINDS.get("table_cut").next_round(stage(players, "table_cut"))
    seated = [list(pairing.seats) for pairing in pairings]
    assert seated == [*tables, *([bye] for bye in byes)]


@given(
    size=st.sampled_from((4, 7, 10, 13, 16, 19, 40, 64)), random=st.randoms(use_true_random=False)
)
@examples(0.3)
def test_a_cut_ends_with_one_table_and_ranks_everybody(size, random):
    state = stage(size, "table_cut")
    kind = STAGE_KINDS.get("table_cut")
    announced = kind.total_rounds(state)
    while kind.next_round(state):
        assert str(kind.describe_round(state, len(state.rounds) + 1))
        state = add_round(state, lambda pairing: at_random(random, pairing))
        assert sorted(in_order(state)) == sorted(state.players)
    assert len(state.rounds) == announced
    ((final, result),) = state.rounds[-1]
    assert len(final.seats) == 4
    first = [p for p, place in zip(final.seats, result.places or (), strict=True) if place == 1]
    assert in_order(state)[0] == min(first or final.seats)
    assert set(in_order(state)[:4]) == set(final.seats)


def test_who_goes_out_later_stands_before_and_by_seed():
    state = play_out(stage(10, "table_cut"), best_wins)
    assert in_order(state) == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert [len(step.tables) for step in steps(state)] == [2, 1]


def test_a_draw_and_nobody_send_on_the_best_seed_of_those_left():
    state = add_round(
        stage(7, "table_cut"),
        lambda pairing: table_result(seats=pairing.seats, places=(3, 1, 1, 3)),
    )
    ((final),) = STAGE_KINDS.get("table_cut").next_round(state)
    assert final.seats == (1, 2, 3, 5)
    nobody = add_round(
        stage(7, "table_cut"),
        lambda pairing: table_result(
            seats=pairing.seats, places=(None, 2, 2, 2), ended_by=EndedBy.DOUBLE_LOSS
        ),
    )
    ((final),) = STAGE_KINDS.get("table_cut").next_round(nobody)
    assert final.seats == (1, 2, 3, 5)


def test_a_cut_waits_for_results_and_settles_a_table_with_one_left():
    state = add_round(stage(7, "table_cut"))
    with pytest.raises(RuleError, match="results that are missing"):
        STAGE_KINDS.get("table_cut").next_round(state)
    gone = replace(stage(7, "table_cut"), withdrawn=frozenset({4, 5, 7}))
    table, *_byes = STAGE_KINDS.get("table_cut").next_round(gone)
    assert table.outcome is not None
    gone = add_round(gone)
    ((final),) = STAGE_KINDS.get("table_cut").next_round(gone)
    assert final.seats == (1, 2, 3, 6)


def test_vacant_seats_of_a_cut_are_empty_chairs():
    state = stage(7, "table_cut")
    state = replace(state, seats={"tables": (1, 2, None, 4, None, None, None)})
    pairings = STAGE_KINDS.get("table_cut").next_round(state)
    assert [pairing.seats for pairing in pairings] == [(4,), (1,), (2,)]


@pytest.mark.parametrize("players", [5, 9, 17, 41])
def test_who_wins_everything_wins_the_event(players):
    event = PlayedEvent(TABLES_CUT.plan(players), list(range(1, players + 1)), WIN5_ORDER)
    event.play(best_wins)
    ranking = event.ranking()
    assert ranking[0] == (1,)
    assert sorted(chain.from_iterable(ranking)) == list(range(1, players + 1))


def test_tables_are_no_kind_for_formulas_of_ones_own():
    assert not {kind.key for kind in ordered_kinds()} & {"table_swiss", "table_cut"}
    assert is_of_tables(stage(4).plan)
