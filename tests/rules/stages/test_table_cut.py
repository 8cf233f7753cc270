"""Cuts by tables with empty chairs, and how many tables rounds will have."""

from dataclasses import replace

from rules.stages.kind import STAGE_KINDS
from tests.rules.play import add_round
from tests.rules.stages.test_tables import stage


def test_where_nobody_sits_at_a_table_of_a_cut_nobody_goes_on_from_it():
    state = replace(stage(7, "table_cut"), seats={"tables": (1, 2, 3, None, None, None, None)})
    state = add_round(state)
    assert [pairing.seats for pairing, _result in state.rounds[0]] == [(1,), (2,), (3,)]
    ((final),) = STAGE_KINDS.get("table_cut").next_round(state)
    assert final.seats == (1, 2, 3)


def test_how_many_tables_each_round_has_is_known_beforehand():
    kinds = STAGE_KINDS
    assert kinds.get("table_cut").matches_by_round(stage(10, "table_cut")) == [2, 1]
    assert kinds.get("table_swiss").matches_by_round(stage(11, rounds=2)) == [3, 3]
