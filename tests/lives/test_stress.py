"""A short ``make stress``, and the same with a fault planted: that must be seen."""

from pathlib import Path

import pytest

from tests.lives.stress import Venue

pytestmark = pytest.mark.processes


@pytest.mark.deep
def test_eight_at_once_leave_the_event_sound(tmp_path: Path) -> None:
    wanted, statuses = {200, 201, 302, 409}, set()
    with Venue(tmp_path, 2) as venue:
        for _event in range(5):  # who comes first is for the machine to decide
            venue.play(8)
            statuses = {status for _act, status in venue.statuses}
            if wanted <= statuses:
                break
    assert venue.found == [], venue.summary()
    assert wanted <= statuses, venue.summary()


def test_a_database_that_locks_late_is_found_out(tmp_path: Path) -> None:
    with Venue(tmp_path, 4, "deferred") as venue:
        venue.play(80, until_found=True)  # requests must overlap, which a busy machine rarely lets
    assert venue.found, venue.summary()
