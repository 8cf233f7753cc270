"""Who came into a stage for whom, where others only moved to another seat."""

from datetime import UTC, datetime

from tournaments.personal.selectors.beside import LoggedDecision

WHEN = datetime(2026, 12, 5, 10, tzinfo=UTC)


def decision(*seats):
    return LoggedDecision(
        at=WHEN,
        reason="",
        stage="cut",
        seats=tuple({"group": "A", "seat": 1, "out": out, "in": come} for out, come in seats),
        matches=frozenset(),
        taken_out=0,
        rounds_gone=(),
    )


def test_whoever_moves_up_comes_for_who_is_out_and_not_for_who_changed_seats():
    moved = decision((2, 3), (3, 6))
    assert (moved.came_for(2), moved.went_for(6)) == (6, 2)
    assert (moved.came_for(6), moved.went_for(2)) == (None, None)


def test_a_seat_left_empty_is_nobodys_and_an_exchange_ends():
    assert decision((2, 3), (3, None)).came_for(2) is None
    assert decision((2, 3), (3, 2)).came_for(2) in (2, 3)
