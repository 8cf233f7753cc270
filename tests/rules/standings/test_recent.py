"""Marks, records and moves, as pure rules."""

from rules.results import Winner, of_two, result_of_two
from rules.standings.table import Mark, Record, last_marks, mark_of, movements, record_of

WON, DRAWN, LOST, BYE = Mark.WON, Mark.DRAWN, Mark.LOST, Mark.BYE


def test_each_side_has_its_own_mark() -> None:
    for winner, own, theirs in (
        (Winner.A, WON, LOST),
        (Winner.B, LOST, WON),
        (Winner.DRAW, DRAWN, DRAWN),
        (Winner.NONE, LOST, LOST),
        (Winner.VOID, None, None),
        (None, None, None),
    ):
        result = result_of_two(a=1, b=2, winner=winner)
        assert (mark_of(result, 1), mark_of(result, 2)) == (own, theirs)


def test_a_bye_is_told_from_a_round_missed() -> None:
    assert mark_of(result_of_two(a=1, b=None, winner=Winner.A), 1) is BYE
    assert mark_of(result_of_two(a=1, b=None, winner=Winner.NONE), 1) is LOST


def test_the_last_marks_are_the_latest_in_order_without_what_does_not_count() -> None:
    results = [
        result_of_two(a=1, b=2, winner=Winner.A),
        result_of_two(a=1, b=3, winner=Winner.VOID),
        result_of_two(a=3, b=1, winner=Winner.A),
        result_of_two(a=1, b=None, winner=Winner.A),
        result_of_two(a=2, b=1),
        result_of_two(a=2, b=3, winner=Winner.DRAW),
    ]
    assert last_marks(results) == {1: (WON, LOST, BYE), 2: (LOST, DRAWN), 3: (WON, DRAWN)}
    assert last_marks(results, most=2)[1] == (LOST, BYE)
    for player, marks in last_marks(results).items():
        own = [r for r in results if player in of_two(r.seats, None)]
        assert marks == tuple(m for m in (mark_of(r, player) for r in own) if m)


def test_a_bye_counts_as_won() -> None:
    assert record_of((WON, BYE, DRAWN, LOST, LOST)) == Record(2, 1, 2)
    assert record_of(()) == Record()


def test_who_was_not_ranked_before_has_not_moved() -> None:
    assert movements({1: 4, 2: 1, 3: 2}, {1: 1, 2: 3, 3: 2, 4: 4}) == {1: 3, 2: -2, 3: 0}
