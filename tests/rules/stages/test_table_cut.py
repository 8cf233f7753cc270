"""Cuts by tables with empty chairs, and how many tables rounds will have."""

from dataclasses import replace

from rules.scenarios.verdicts import with_round_to_come
from rules.stages.kind import STAGE_KINDS
from rules.stages.table_cut import in_order
from tests.rules.play import add_round, table_result
from tests.rules.stages.test_tables import best_wins, stage


def test_where_nobody_sits_at_a_table_of_a_cut_nobody_goes_on_from_it():
    state = replace(stage(7, "table_cut"), seats={"tables": (1, 2, 3, None, None, None, None)})
    state = add_round(state)
    assert [pairing.seats for pairing, _result in state.rounds[0]] == [(1,), (2,), (3,)]
    ((final),) = STAGE_KINDS.get("table_cut").next_round(state)
    assert final.seats == (1, 2, 3)
    assert in_order(add_round(state, best_wins)) == (1, 2, 3)


def test_how_many_tables_each_round_has_is_known_beforehand():
    kinds = STAGE_KINDS
    assert kinds.get("table_cut").matches_by_round(stage(10, "table_cut")) == [2, 1]
    assert kinds.get("table_swiss").matches_by_round(stage(11, rounds=2)) == [3, 3]


def test_who_played_the_final_is_ranked_by_it_whatever_a_table_before_was_corrected_to():
    state = add_round(add_round(stage(7, "table_cut"), best_wins), best_wins)
    (pairing, result), *byes = state.rounds[0]
    assert pairing.seats == (4, 5, 6, 7)
    assert in_order(state) == (1, 2, 3, 4, 5, 6, 7)
    won_by_7 = table_result(seats=result.seats, places=(2, 2, 2, 1), round=1)
    kept = replace(state, rounds=(((pairing, won_by_7), *byes), state.rounds[1]))
    assert in_order(kept) == in_order(state)


def test_who_lost_at_a_table_of_a_step_has_none_to_come():
    before = stage(7, "table_cut")
    assert with_round_to_come(before) == with_round_to_come(add_round(before)) == {*range(1, 8)}
    after = add_round(stage(7, "table_cut"), best_wins)
    assert with_round_to_come(after) == {1, 2, 3, 4}
    final = add_round(after)
    assert with_round_to_come(final) == {1, 2, 3, 4}
    assert with_round_to_come(add_round(after, best_wins)) == set()
