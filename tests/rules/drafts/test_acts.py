"""Drafts changed by hand: by example, and whatever is done to them in whatever order."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drafts.draft import (
    DraftChange,
    DraftMatch,
    check_pairings_editable,
    give_bye,
    move_to_table,
    pair_again,
    pair_players,
    remove_matches,
    swap_players,
)
from rules.errors import BadInput, RuleError
from rules.results import two_seats
from rules.stages import STAGE_KINDS
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import pair_round

DRAFT = (
    DraftMatch(number=1, seats=(1, 2), table=1),
    DraftMatch(number=2, seats=(3, 4), table=2),
    DraftMatch(number=3, seats=(5,)),
)
"""1–2 and 3–4 play, 5 has the bye; 6 is not paired."""


def applied(change: DraftChange, draft):
    """Return the draft after a change, in the order of match numbers."""
    kept = [match for match in draft if match not in change.gone]
    return tuple(sorted([*kept, *change.made], key=lambda match: match.number))


def who(change: DraftChange, draft=DRAFT):
    return {
        (match.number, *two_seats(match.seats, None), match.table)
        for match in applied(change, draft)
    }


def code(error):
    return error.value.code


def test_two_players_of_different_tables_change_places():
    assert who(swap_players(DRAFT, 1, 4)) == {(1, 4, 2, 1), (2, 3, 1, 2), (3, 5, None, None)}


def test_a_player_swaps_with_the_bye_and_with_an_unpaired_player():
    assert who(swap_players(DRAFT, 5, 2)) == {(1, 1, 5, 1), (2, 3, 4, 2), (3, 2, None, None)}
    assert who(swap_players(DRAFT, 6, 3)) == {(1, 1, 2, 1), (2, 6, 4, 2), (3, 5, None, None)}
    assert who(swap_players(DRAFT, 6, 5)) == {(1, 1, 2, 1), (2, 3, 4, 2), (3, 6, None, None)}


def test_a_bye_becomes_half_of_one_and_whole_for_who_takes_the_place():
    half = applied(give_bye(DRAFT, 5, half=True), DRAFT)
    assert [(match.seats, match.half) for match in half] == [
        ((1, 2), False),
        ((3, 4), False),
        ((5,), True),
    ]
    with pytest.raises(RuleError) as refused:
        give_bye(half, 5, half=True)
    assert code(refused) == "has_bye"
    assert applied(give_bye(half, 5), half) == DRAFT
    assert not any(match.half for match in applied(swap_players(half, 5, 2), half))
    assert not any(match.half for match in applied(pair_players(half, 5, 6), half))


def test_a_late_player_meets_the_player_with_the_bye():
    assert who(pair_players(DRAFT, 6, 5)) == {(1, 1, 2, 1), (2, 3, 4, 2), (3, 6, 5, 3)}
    late = (*DRAFT, DraftMatch(number=4, seats=(6,), missed=True))
    assert who(pair_players(late, 5, 6), late) == {(1, 1, 2, 1), (2, 3, 4, 2), (3, 5, 6, 3)}


def test_two_meet_and_their_former_opponents_meet():
    assert who(pair_players(DRAFT, 1, 3)) == {(1, 1, 3, 1), (2, 2, 4, 2), (3, 5, None, None)}
    assert who(pair_players(DRAFT, 1, 5)) == {(1, 1, 5, 1), (2, 3, 4, 2), (3, 2, None, None)}
    assert who(pair_players(DRAFT, 1, 6)) == {(1, 1, 6, 1), (2, 3, 4, 2), (3, 5, None, None)}


def test_players_of_a_removed_match_can_be_paired_again_or_rest():
    broken = applied(remove_matches(DRAFT, {2}), DRAFT)
    assert {match.number for match in broken} == {1, 3}
    assert who(pair_players(broken, 4, 3), broken) == {
        (1, 1, 2, 1),
        (2, 4, 3, 2),
        (3, 5, None, None),
    }
    assert (2, 3, None, None) in who(give_bye(broken, 3), broken)


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda: swap_players(DRAFT, 1, 1), "same_player"),
        (lambda: swap_players(DRAFT, 1, 2), "nothing_to_swap"),
        (lambda: swap_players(DRAFT, 6, 7), "nothing_to_swap"),
        (lambda: pair_players(DRAFT, 3, 4), "met_already"),
        (lambda: pair_players(DRAFT, 3, 3), "same_player"),
        (lambda: give_bye(DRAFT, 1), "has_opponent"),
        (lambda: give_bye(DRAFT, 5), "has_bye"),
        (lambda: remove_matches(DRAFT, {9}), "none_chosen"),
        (lambda: move_to_table(DRAFT, 3, 4), "none_chosen"),
        (lambda: move_to_table(DRAFT, 1, 0), "bad_table"),
        (lambda: pair_again(DRAFT, (), (), seed="x"), "none_chosen"),
        (lambda: check_pairings_editable(STAGE_KINDS.get("round_robin")), "pairings_fixed"),
        (lambda: check_pairings_editable(STAGE_KINDS.get("knockout")), "pairings_fixed"),
        (lambda: check_pairings_editable(STAGE_KINDS.get("swiss"), extra=True), "pairings_fixed"),
    ],
)
def test_what_makes_no_sense_is_refused(act, expected):
    with pytest.raises(RuleError) as refused:
        act()
    assert code(refused) == expected


def test_schedules_and_brackets_explain_why_players_cannot_be_swapped():
    check_pairings_editable(STAGE_KINDS.get("swiss"))
    for kind in ("round_robin", "knockout", "double_elimination"):
        with pytest.raises(RuleError, match="Only table numbers") as refused:
            check_pairings_editable(STAGE_KINDS.get(kind))
        assert refused.value.code == "pairings_fixed"


def test_tables_change_places_and_a_free_one_is_taken():
    assert {(m.number, m.table) for m in move_to_table(DRAFT, 1, 2).made} == {(1, 2), (2, 1)}
    assert [m.table for m in move_to_table(DRAFT, 1, 9).made] == [9]


def test_a_fixed_table_is_kept_when_others_swap():
    change = swap_players(DRAFT, 1, 3, fixed={1: 1})
    assert {(*m.seats, m.table) for m in change.made} == {(3, 2, 2), (1, 4, 1)}
    untouched = (*DRAFT, DraftMatch(number=4, seats=(7, 8), table=5))
    kept = swap_players(untouched, 1, 3, fixed={1: 5})
    assert {match.table for match in kept.made} == {1, 2}  # others sit at table 5


def test_a_fixed_table_where_nobody_sits_is_taken():
    change = swap_players(DRAFT, 1, 3, fixed={1: 9})
    assert {(*m.seats, m.table) for m in change.made} == {(3, 2, 1), (1, 4, 9)}


def test_of_two_matches_that_need_one_table_the_first_has_it():
    change = swap_players(DRAFT, 1, 3, fixed={3: 1, 1: 1})
    assert {(*m.seats, m.table) for m in change.made} == {(3, 2, 1), (1, 4, 2)}


def field(points):
    return [Entrant(player=number, points=own) for number, own in points.items()]


def test_a_part_is_paired_by_the_rules_and_the_rest_stays():
    points = {1: 6, 2: 0, 3: 0, 4: 6, 5: 3, 6: 3}
    change = pair_again(DRAFT, {1, 3}, field(points), seed="x")
    assert {frozenset(m.seats) for m in change.made} == {frozenset((1, 4)), frozenset((2, 3))}
    assert all(match.reason is not None for match in change.made)
    assert applied(change, DRAFT)[2] == DRAFT[2]


def test_the_best_pairing_is_not_given_twice():
    points = {1: 0, 2: 0, 3: 0, 4: 0}
    change = pair_again(DRAFT, {1, 3}, field(points), seed="x")
    again = applied(change, DRAFT)
    other = applied(pair_again(again, {1, 3}, field(points), seed="x"), again)
    assert not {frozenset(m.seats) for m in again[:2]} & {frozenset(m.seats) for m in other[:2]}


def test_pairing_again_and_again_gives_each_pairing_once_the_better_ones_first():
    points = {1: 9, 2: 6, 3: 3, 4: 0}
    draft, seen, spreads = DRAFT[:2], [], []
    for _turn in range(2):
        change = pair_again(draft, {1, 2, 3, 4}, field(points), seed="x", seen=seen)
        seen.append(frozenset(frozenset(match.seats) for match in draft))
        draft = applied(change, draft)
        assert frozenset(frozenset(match.seats) for match in draft) not in seen
        spreads.append(
            sum((points[a] - points[b]) ** 2 for a, b in (match.seats for match in draft))
        )
    assert spreads == [72, 90]  # the first, of 18, stood there at the beginning
    with pytest.raises(RuleError) as refused:
        pair_again(draft, {1, 2, 3, 4}, field(points), seed="x", seen=seen)
    assert code(refused) == "no_other_pairing"


def test_no_rule_is_broken_to_find_another_pairing():
    met = [replace(one, met=frozenset({1, 2, 3, 4} - {one.player})) for one in field({3: 0, 4: 0})]
    players = [*field({1: 0, 2: 0}), *met]
    with pytest.raises(RuleError) as refused:
        pair_again(DRAFT[:1], {1, 2}, players, seed="x")
    assert code(refused) == "no_other_pairing"


def test_a_withdrawn_player_is_not_paired_again():
    change = pair_again(DRAFT, {3}, field({1: 0, 2: 0, 3: 0, 5: 0}), seed="x")
    assert change.made == (replace(change.made[0], number=2, seats=(3,), table=None),)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["swap", "meet", "break", "bye", "anew", "table"]),
        st.integers(1, 9),
        st.integers(1, 9),
    ),
    max_size=25,
)


@given(
    players=st.integers(2, 9),
    acts=ACTS,
    fixed=st.dictionaries(st.integers(1, 9), st.integers(1, 6)),
)
def test_whatever_is_done_everybody_has_one_place_at_most_and_can_have_one(players, acts, fixed):
    everybody = [
        Entrant(player=number, points=number // 2, met=frozenset({number % players + 1} - {number}))
        for number in range(1, players + 1)
    ]
    numbers = {one.player for one in everybody}
    paired = pair_round(everybody, seed="x")
    draft = tuple(
        DraftMatch(number=n, seats=pair.seats, table=n if len(pair.seats) == 2 else None)
        for n, pair in enumerate(paired, start=1)
    )
    for act, one, other in acts:
        if not {one, other} <= numbers:
            continue
        try:
            change = done(draft, act, one, other, everybody, fixed)
        except RuleError:
            continue
        assert all(match in draft for match in change.gone)
        before, draft = draft, applied(change, draft)
        check_sound(draft, numbers)
        assert applied(DraftChange(change.made, change.gone), draft) == before
    left = numbers - {player for match in draft for player in match.seats}
    if left:
        draft = applied(pair_again(draft, left, everybody, seed="y"), draft)
        check_sound(draft, numbers)
    assert {player for match in draft for player in match.seats} == numbers


def done(draft, act, one, other, everybody, fixed):
    match act:
        case "swap":
            return swap_players(draft, one, other, fixed=fixed)
        case "meet":
            change = pair_players(draft, one, other, fixed=fixed)
            assert any(set(match.seats) == {one, other} for match in change.made)
            return change
        case "break":
            return remove_matches(draft, {one})
        case "bye":
            return give_bye(draft, one)
        case "anew":
            return pair_again(draft, {one, other}, everybody, seed="z", fixed=fixed)
    return move_to_table(draft, one, other)


def check_sound(draft, numbers):
    seated = [player for match in draft for player in match.seats]
    assert len(seated) == len(set(seated))
    assert set(seated) <= numbers
    tables = [match.table for match in draft if match.table is not None]
    assert len(tables) == len(set(tables))
    assert len({match.number for match in draft}) == len(draft)
    assert all((match.table is None) == (len(match.seats) == 1) for match in draft)


def test_bad_input_differs_from_refusals():
    with pytest.raises(BadInput):
        swap_players(DRAFT, 2, 2)


def test_who_was_awarded_a_bye_keeps_it_when_all_are_paired_again():
    there = [Entrant(player=player) for player in range(1, 6)]
    change = pair_again(DRAFT, range(1, 6), there, seed="x", resting={5})
    assert (3, 5, None, None) in who(change)
    assert {match.number for match in change.gone} == {1, 2}


def test_who_has_no_opponent_gets_one_also_if_they_were_there_before():
    pair = frozenset({frozenset({1, 2})})
    change = pair_again((), {1, 2}, field({1: 0, 2: 0}), seed="x", seen=[pair])
    assert {frozenset(match.seats) for match in applied(change, ())} == pair
