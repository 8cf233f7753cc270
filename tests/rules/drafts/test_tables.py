"""Drafts of tables changed by hand, what a change costs, and remarks on them.

Source: tables, 5 (by hand) and 10.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.drafts.check import draft_remarks
from rules.drafts.draft import Draft, DraftMatch, PairingPreferences
from rules.drafts.tables import (
    edit_cost,
    exchange_players,
    give_table_bye,
    move_player,
    reorder_table,
    table_remarks,
)
from rules.errors import BadInput, RuleError
from rules.stages.base import StageState
from tests.rules.play import add_round
from tests.rules.stages.test_tables import best_wins, stage

SIZES = (4, 3)
FOUR = DraftMatch(number=1, seats=(1, 2, 3, 4), table=1)
THREE = DraftMatch(number=2, seats=(5, 6, 7), table=2)
BYE = DraftMatch(number=3, seats=(8,))
DRAFT: Draft = (FOUR, THREE, BYE)


@pytest.fixture
def after_a_round() -> StageState:
    """Return the facts of seven players after a round at tables of four and three."""
    return add_round(stage(7), best_wins)


def seats(change) -> list[tuple[object, ...]]:
    return [match.seats for match in change.made]


def test_an_exchange_of_players_of_two_tables_and_of_a_bye():
    assert seats(exchange_players(DRAFT, 2, 6, fixed={})) == [(1, 6, 3, 4), (5, 2, 7)]
    assert seats(exchange_players(DRAFT, 8, 6, fixed={})) == [(6,), (5, 8, 7)]
    assert seats(exchange_players(DRAFT, 9, 6, fixed={})) == [(5, 9, 7)]  # 9 is unpaired


def test_the_check_list_of_a_draft_at_tables_is_that_of_tables(after_a_round):
    wishes = PairingPreferences(clubs={}, fixed={})
    found = draft_remarks(after_a_round, DRAFT[:1], wishes)
    assert all(one in found for one in table_remarks(after_a_round, DRAFT[:1], wishes))
    unpaired = {5, 6, 7}
    assert unpaired <= {player for one in found for player in one.players}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda: exchange_players(DRAFT, 1, 1, fixed={}), "same_player"),
        (lambda: exchange_players(DRAFT, 1, 2, fixed={}), "nothing_to_swap"),
        (lambda: exchange_players(DRAFT, 8, 9, fixed={}), "nothing_to_swap"),
        (lambda: move_player(DRAFT, 1, 9, sizes=SIZES, fixed={}), "none_chosen"),
        (lambda: move_player(DRAFT, 1, 1, sizes=SIZES, fixed={}), "nothing_to_swap"),
        (lambda: move_player(DRAFT, 5, 1, sizes=SIZES, fixed={}), "table_full"),
        (lambda: move_player(DRAFT, 1, 3, sizes=SIZES, fixed={}), "size_not_allowed"),
        (lambda: give_table_bye(DRAFT, 8, sizes=SIZES, fixed={}), "has_bye"),
        (lambda: give_table_bye(DRAFT, 5, sizes=SIZES, fixed={}), "size_not_allowed"),
        (lambda: reorder_table(DRAFT, ()), "bad_order"),
        (lambda: reorder_table(DRAFT, (5, 6)), "bad_order"),
    ],
)
def test_what_cannot_be_changed(change, code):
    with pytest.raises((BadInput, RuleError)) as refused:
        change()
    assert refused.value.code == code


def test_a_player_goes_to_another_table_or_rests():
    assert seats(move_player(DRAFT, 4, 2, sizes=SIZES, fixed={})) == [(5, 6, 7, 4), (1, 2, 3)]
    assert seats(move_player(DRAFT, 8, 2, sizes=SIZES, fixed={})) == [(5, 6, 7, 8)]
    assert seats(give_table_bye(DRAFT, 4, sizes=SIZES, fixed={})) == [(4,), (1, 2, 3)]
    assert seats(give_table_bye(DRAFT, 9, sizes=SIZES, fixed={})) == [(9,)]
    assert seats(reorder_table(DRAFT, (7, 5, 6))) == [(7, 5, 6)]


def test_a_bye_that_gets_company_is_a_table_with_a_free_number():
    change = move_player(DRAFT, 9, 3, sizes=(4, 3, 2), fixed={})
    assert [(match.seats, match.table) for match in change.made] == [((8, 9), 3)]


def test_what_a_change_costs(after_a_round):
    first, second = (pairing.seats for pairing, _result in after_a_round.rounds[0])
    draft = tuple(
        DraftMatch(number=number, seats=own, table=number)
        for number, own in enumerate((first, second), start=1)
    )
    again = edit_cost(after_a_round, reorder_table(draft, first[::-1]))
    assert (again.repeats, again.free) == (6, False)
    apart = frozenset({frozenset(first[:2])})
    kept = edit_cost(replace(after_a_round, apart=apart), reorder_table(draft, first[::-1]))
    assert kept.apart == 1
    small = edit_cost(after_a_round, reorder_table(draft, second[::-1]))
    assert (small.repeats, small.again, small.gap) == (3, 3, 5)
    pair = (DraftMatch(number=1, seats=(99, 98)),)
    alone = edit_cost(after_a_round, give_table_bye(pair, 99, sizes=(1, 2), fixed={}))
    assert (alone.repeats, alone.gap, alone.free) == (0, Fraction(0), True)


def test_remarks_on_tables(after_a_round):
    first, second = (pairing.seats for pairing, _result in after_a_round.rounds[0])
    rested = add_round(stage(5, sizes=(4,)), best_wins)
    wishes = PairingPreferences(apart=frozenset({frozenset(first[:2])}), clubs={}, fixed={})

    def codes(before: StageState, *tables: tuple[object, ...]) -> set[str]:
        draft = tuple(DraftMatch(number=n, seats=own) for n, own in enumerate(tables, start=1))
        return {remark.code for remark in table_remarks(before, draft, wishes)}

    assert codes(after_a_round, first) == {"rematch", "kept_apart"}
    assert codes(after_a_round, second) == {"rematch", "small_again"}
    assert codes(stage(7), second) == set()  # nobody sat at a small table before
    assert codes(after_a_round, (first[0], second[0])) == {"size", "small_again"}
    (bye,) = (p.seats for p, _result in rested.rounds[0] if len(p.seats) == 1)
    assert codes(rested, bye) == {"second_bye"}
    assert codes(rested, (99,)) == set()
    missed = (DraftMatch(number=1, seats=(first[0],), missed=True),)
    assert list(table_remarks(after_a_round, missed, wishes)) == []
