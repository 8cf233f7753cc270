"""Stages of tables: rounds, cuts, ranges and who sits at which.

Source: tables, 2, 5, 6 and 12 (examples 7 to 11).
"""

import random
from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.criteria.of_tables import WIN5_ORDER
from rules.drafts.draft import DraftMatch, pair_players
from rules.errors import BadInput, RuleError
from rules.formulas import FORMULAS
from rules.formulas.tables_cut import TABLES_CUT
from rules.plans import GroupPlan, StagePlan
from rules.results import MatchEnding, Result, Winner, two_player_result, two_seats
from rules.scenarios.verdicts import players_with_future_round
from rules.stages.base import (
    STAGE_KINDS,
    Pairing,
    StageState,
    TiebreakerRound,
    custom_stage_kinds,
    has_multiplayer_tables,
    is_complete,
    paired_matches,
    state_before_round,
)
from rules.stages.table_cut import cut_order, cut_rounds
from rules.stages.tables import (
    ANY_TABLE,
    TableRanges,
    assign_additional_tables,
    assign_tables,
    free_tables,
    move_fixed_tables,
    order_by_table,
    parse_table_ranges,
    seating_cost,
    table_entrants,
    table_ranges_from_numbers,
)
from rules.tables.results import places_from_scores, places_without_winner
from rules.tables.rounds import table_sizes
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.play import PlayedEvent, add_round, one_group, opening, play_out, table_result

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
        return two_player_result(a=a, b=b, winner=random.choice((Winner.A, Winner.B, Winner.DRAW)))
    places = random.choice(
        (
            places_from_scores([random.randint(0, 3) for _seat in range(size)]),
            places_without_winner(size),
            tuple(1 if seat == 0 else 2 for seat in range(size)),
        )
    )
    return table_result(seats=pairing.seats, places=places)


def best_wins(pairing: Pairing) -> Result:
    if len(pairing.seats) == 2:
        a, b = pairing.seats
        return two_player_result(a=a, b=b, winner=Winner.A if int(a) < int(b) else Winner.B)
    places = tuple(1 if one == min(pairing.seats, key=int) else 2 for one in pairing.seats)
    return table_result(seats=pairing.seats, places=places)


def test_tables_keep_the_order_in_which_they_were_made_and_rounds_have_numbers():
    state = stage(11)
    kind = STAGE_KINDS.get("table_swiss")
    pairings = kind.next_round(state)
    assert order_by_table(state, pairings) == tuple(pairings)
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
        assert sorted(tables) == sorted(table_sizes(len(there), sizes))
        assert pairings == kind.next_round(replace(state))
        state = add_round(state, lambda pairing: at_random(random, pairing))
        index = len(state.rounds) - 1
        again = kind.next_round(state_before_round(state, index))
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
        before = state_before_round(state, index)
        tables = [pairing.seats for pairing, _result in state.rounds[index]]
        cost = seating_cost(before, tables)
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
    assert tuple(seating_cost(state, [p.seats for p in made])) == (3, 0, 1, 0, 100)
    assert tuple(seating_cost(state, [(1, 2, 3, 4), (5, 6, 7)]))[:3] == (9, 0, 3)
    left = replace(state, withdrawn=frozenset({1, 6}))  # since the tables were drafted
    assert seating_cost(left, [p.seats for p in made]) == seating_cost(
        state, [p.seats for p in made]
    )
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
            two_player_result(a=4, b=5, winner=Winner.A, ended_by=MatchEnding.NO_SHOW),
        ),
        (
            Pairing(group="tables", number=3, seats=(6,)),
            two_player_result(a=6, b=None, winner=Winner.A, ended_by=MatchEnding.BYE),
        ),
        (
            Pairing(group="tables", number=4, seats=(7,), missed=True),
            two_player_result(a=7, b=None, winner=Winner.NONE, ended_by=MatchEnding.NO_SHOW),
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
        assert sorted(cut_order(state)) == sorted(state.players)
    assert len(state.rounds) == announced
    ((final, result),) = state.rounds[-1]
    assert len(final.seats) == 4
    first = [p for p, place in zip(final.seats, result.places or (), strict=True) if place == 1]
    assert cut_order(state)[0] == min(first or final.seats)
    assert set(cut_order(state)[:4]) == set(final.seats)


def test_who_goes_out_later_stands_before_and_by_seed():
    state = play_out(stage(10, "table_cut"), best_wins)
    assert cut_order(state) == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert [len(step.tables) for step in cut_rounds(state)] == [2, 1]


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
            seats=pairing.seats, places=(None, 2, 2, 2), ended_by=MatchEnding.DOUBLE_LOSS
        ),
    )
    ((final),) = STAGE_KINDS.get("table_cut").next_round(nobody)
    assert final.seats == (1, 2, 3, 5)


def test_a_cut_waits_for_results_and_settles_a_table_with_one_left():
    state = add_round(stage(7, "table_cut"))
    with pytest.raises(RuleError, match="missing results"):
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
    assert not {kind.key for kind in custom_stage_kinds()} & {"table_swiss", "table_cut"}
    assert has_multiplayer_tables(stage(4).plan)


@pytest.mark.parametrize(
    ("text", "first", "size", "written"),
    [
        ("", (1, 2, 3), None, "1"),
        ("21", (21, 22, 23), None, "21"),
        ("1–2, 31-40", (1, 2, 31), 12, "1-2, 31-40"),
        ("31-40; 1 - 2", (1, 2, 31), 12, "1-2, 31-40"),
        ("7-7", (7,), 1, "7-7"),
        ("5, 9", (5, 9), 2, "5, 9"),
    ],
)
def test_tables_are_read(text: str, first: tuple[int, ...], size: int | None, written: str) -> None:
    hall = parse_table_ranges(text)
    assert hall.first(3) == first
    assert hall.size == size
    assert str(hall) == written
    assert parse_table_ranges(written) == hall


@pytest.mark.parametrize("text", ["0-4", "9-4", "a", "1-2-3", "1-4, 4-9", "10000", "-3", "1-"])
def test_what_names_no_tables_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_table_ranges(text)
    assert refused.value.code == "invalid_tables"


def test_more_ranges_than_a_hall_has_are_refused() -> None:
    with pytest.raises(BadInput):
        parse_table_ranges(", ".join(str(2 * n + 1) for n in range(21)))


def test_pairs_get_the_tables_of_the_hall_beside_fixed_ones() -> None:
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    assert assign_tables(pairs, {"c": 31}, parse_table_ranges("21-22, 31")) == (21, 31, 22)
    assert assign_tables(pairs, {"c": 5}, parse_table_ranges("21-22")) == (21, 5, 22)
    assert assign_tables(pairs, {}, ANY_TABLE) == (1, 2, 3)


def test_too_few_tables_are_counted() -> None:
    pairs = [(n, n + 100) for n in range(12)]
    with pytest.raises(RuleError) as refused:
        assign_tables(pairs, {}, parse_table_ranges("1-10"))
    values = refused.value.sentence.values
    assert refused.value.code == "too_few_tables"
    assert (values["tables"], values["needed"], values["missing"]) == (10, 12, 2)


def test_a_pair_made_by_hand_gets_a_table_of_the_hall() -> None:
    draft = (
        DraftMatch(number=1, seats=(1, 2), table=21),
        DraftMatch(number=2, seats=(3,)),
        DraftMatch(number=3, seats=(4,)),
    )
    made = pair_players(draft, 3, 4, table_ranges=parse_table_ranges("21-22")).made
    assert [match.table for match in made] == [22]
    with pytest.raises(RuleError) as refused:
        pair_players(draft, 3, 4, table_ranges=parse_table_ranges("21-21"))
    assert refused.value.code == "too_few_tables"


@given(st.sets(st.integers(1, 60), min_size=1))
def test_tables_are_told_as_they_are_in_the_hall(tables: set[int]) -> None:
    found = table_ranges_from_numbers(tables)
    assert {*found} == tables
    assert found.size == len(tables)
    assert {*parse_table_ranges(str(found))} == tables


def test_one_table_is_no_range() -> None:
    assert table_ranges_from_numbers({9}).in_words == "9"
    assert table_ranges_from_numbers({9, 10, 11, 12, 14}).in_words == "9–12, 14"
    assert table_ranges_from_numbers({3, 4}).in_words == "3–4"
    assert parse_table_ranges("9-9").in_words == "9"


@given(st.integers(1, 40), st.sets(st.integers(1, 60)))
def test_free_tables_are_the_first_row_without_a_taken_one(needed: int, taken: set[int]) -> None:
    found = free_tables(needed, taken)
    assert found.size == needed
    assert not taken & {*found}
    start = found.first(1)[0]
    assert all(taken & {*range(at, at + needed)} for at in range(1, start))


def test_beside_a_round_each_gets_a_free_table_or_one_of_its_own_players():
    pairs, taken = [["a", "b"], ["c", "d"]], {1: ["a", "c"], 2: ["b", "d"]}
    assert assign_additional_tables(pairs, {}, taken) == (3, 4)
    assert assign_additional_tables(pairs, {"d": 5}, taken) == (3, 5)
    assert assign_additional_tables(pairs, {"d": 2}, taken) == (3, 2)  # where they sit themselves
    assert assign_additional_tables(pairs, {"a": 9}, taken | {9: []}) == (3, 4)
    hall = parse_table_ranges("1-2")
    assert assign_additional_tables(pairs, {}, taken, hall) == (1, 2)  # after the matches there
    assert assign_additional_tables([["e", "f"]], {}, taken, hall) == (1,)
    assert assign_additional_tables([*pairs, ["a", "d"]], {}, taken, hall) == (1, 2, 1)


def test_fixed_tables_move_with_the_first_table_to_tables_that_are_there() -> None:
    before, after = TableRanges(((1, 10),)), TableRanges(((21, 25),))
    assert move_fixed_tables({1: 3, 2: 8, 3: 30}, before, after) == {1: 23}
    assert move_fixed_tables({1: 3}, before, TableRanges(((3, 12),))) == {}
    assert move_fixed_tables({1: 3}, TableRanges(), TableRanges(((5, None),))) == {1: 7}
    assert 7 in TableRanges(((5, None),))
    assert 4 not in TableRanges(((5, None),))


def chance(source: random.Random, pairing: Pairing) -> Result:
    winner = source.choice((Winner.A, Winner.B, Winner.DRAW))
    score = {Winner.A: (2, 0), Winner.B: (0, 2), Winner.DRAW: (1, 1)}[winner]
    return two_player_result(*pairing.seats, winner=winner, score=score)


@pytest.mark.parametrize("players", [9, 12, 16, 33])
def test_in_swiss_rounds_the_better_of_the_two_then_both_together(players: int) -> None:
    moved = [_orders_by_worth(players, random.Random(draw)) for draw in range(8)]
    assert any(moved)  # the pairings themselves come in another order


def _orders_by_worth(players: int, source: random.Random) -> bool:
    """Check the order of the tables; say whether it differs from the order of the pairings."""
    plan = FORMULAS.get("swiss-cut").plan(players).stages[0]
    state = one_group(tuple(range(1, players + 1)), plan)
    for _round in range(3):
        state = add_round(state, lambda pairing: chance(source, pairing))
    points = dict.fromkeys(state.players, 0)
    for played in state.rounds:
        for _pairing, result in played:
            if result.winner is Winner.DRAW:
                points[result.seats[0]] += 1
                points[result.seats[-1]] += 1
            elif len(result.seats) == 1 or result.winner is Winner.A:
                points[result.seats[0]] += 3
            else:
                points[result.seats[-1]] += 3
    pairings = STAGE_KINDS.get(plan.kind).next_round(state)
    ordered = [pairing for pairing in order_by_table(state, pairings) if len(pairing.seats) == 2]
    worth = [
        (
            max(points[p.seats[0]], points[p.seats[-1]]),
            points[p.seats[0]] + points[p.seats[-1]],
        )
        for p in ordered
    ]
    assert worth == sorted(worth, reverse=True)
    numbers = [pairing.number for pairing in pairings]
    seated = [pairing.number for pairing in order_by_table(state, pairings)]
    assert sorted(seated) == numbers
    return seated != numbers


def test_the_final_comes_before_the_match_for_third_place() -> None:
    plan = FORMULAS.get("single-elimination").plan(4, {"third_place": True}).stages[0]
    state = one_group((1, 2, 3, 4), plan)
    state = add_round(state, lambda p: two_player_result(*p.seats, winner=Winner.A, score=(2, 0)))
    last = STAGE_KINDS.get(plan.kind).next_round(state)
    assert [pairing.number for pairing in last] == [3, 4]
    final, third = order_by_table(state, last)
    assert {*two_seats(final.seats, None)} == {1, 2}
    assert {*two_seats(third.seats, None)} == {3, 4}
    assert len(play_out(state, lambda p: two_player_result(*p.seats, winner=Winner.A)).rounds) == 2


def test_groups_keep_the_order_of_their_schedule() -> None:
    stage = FORMULAS.get("groups-knockout").plan(8).stages[0]
    state = opening(stage, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8)})
    pairings = STAGE_KINDS.get(stage.kind).next_round(state)
    assert order_by_table(state, pairings) == pairings
    assert [pairing.group for pairing in pairings] == ["A", "A", "B", "B"]


PAIRS = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


@pytest.mark.parametrize(
    ("fixed", "tables"),
    [
        ({}, (1, 2, 3, 4)),
        ({"h": 1}, (2, 3, 4, 1)),
        ({"d": 12}, (1, 12, 2, 3)),
        ({"a": 3, "b": 2}, (2, 1, 3, 4)),
        ({"a": 3, "e": 3}, (3, 1, 2, 4)),
        ({"a": 3, "e": 3, "f": 4}, (3, 1, 4, 2)),
        ({"nobody": 1}, (1, 2, 3, 4)),
    ],
)
def test_each_pair_has_its_own_table(fixed, tables):
    found = assign_tables(PAIRS, fixed)
    assert found == tables
    assert len(set(found)) == len(PAIRS)


def test_where_nobody_sits_at_a_table_of_a_cut_nobody_goes_on_from_it():
    state = replace(stage(7, "table_cut"), seats={"tables": (1, 2, 3, None, None, None, None)})
    state = add_round(state)
    assert [pairing.seats for pairing, _result in state.rounds[0]] == [(1,), (2,), (3,)]
    ((final),) = STAGE_KINDS.get("table_cut").next_round(state)
    assert final.seats == (1, 2, 3)
    assert cut_order(add_round(state, best_wins)) == (1, 2, 3)


def test_how_many_tables_each_round_has_is_known_beforehand():
    kinds = STAGE_KINDS
    assert kinds.get("table_cut").matches_by_round(stage(10, "table_cut")) == [2, 1]
    assert kinds.get("table_swiss").matches_by_round(stage(11, rounds=2)) == [3, 3]


def test_who_played_the_final_is_ranked_by_it_whatever_a_table_before_was_corrected_to():
    state = add_round(add_round(stage(7, "table_cut"), best_wins), best_wins)
    (pairing, result), *byes = state.rounds[0]
    assert pairing.seats == (4, 5, 6, 7)
    assert cut_order(state) == (1, 2, 3, 4, 5, 6, 7)
    won_by_7 = table_result(seats=result.seats, places=(2, 2, 2, 1), round=1)
    kept = replace(state, rounds=(((pairing, won_by_7), *byes), state.rounds[1]))
    assert cut_order(kept) == cut_order(state)


def test_who_lost_at_a_table_of_a_step_has_none_to_come():
    before = stage(7, "table_cut")
    assert (
        players_with_future_round(before)
        == players_with_future_round(add_round(before))
        == {*range(1, 8)}
    )
    after = add_round(stage(7, "table_cut"), best_wins)
    assert players_with_future_round(after) == {1, 2, 3, 4}
    final = add_round(after)
    assert players_with_future_round(final) == {1, 2, 3, 4}
    assert players_with_future_round(add_round(after, best_wins)) == set()


def test_tables_without_a_result_take_another_player_while_a_seat_is_left():
    kind = STAGE_KINDS.get("table_swiss")
    state = stage(10)
    assert kind.openings(state) == ()
    state = add_round(state, lambda pairing: Result(seats=pairing.seats, round=1))
    assert [len(found.seats) for found in kind.openings(state)] == [3, 3]
    first, last = kind.openings(state)
    assert first.number > last.number
    rows = [
        (pairing, best_wins(pairing) if pairing == first else result)
        for pairing, result in state.rounds[0]
    ]
    assert kind.openings(replace(state, rounds=(tuple(rows),))) == (last,)
    assert (
        kind.openings(replace(state, tiebreaker_rounds=(TiebreakerRound(level=(1, 2), played=()),)))
        == ()
    )
