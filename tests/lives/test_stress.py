"""A short ``make stress``, and the same with a fault planted: that must be seen."""

from pathlib import Path

import pytest

from tests.lives.stress import Venue

pytestmark = pytest.mark.processes


def test_eight_at_once_leave_the_event_sound(tmp_path: Path) -> None:
    with Venue(tmp_path, 2) as venue:
        venue.play(8)
    assert venue.found == [], venue.summary()
    statuses = {status for _act, status in venue.statuses}
    assert {200, 201, 302, 409} <= statuses, venue.summary()


def test_a_database_that_locks_late_is_found_out(tmp_path: Path) -> None:
    with Venue(tmp_path, 4, "deferred") as venue:
        venue.play(8, until_found=True)
    assert venue.found, venue.summary()
