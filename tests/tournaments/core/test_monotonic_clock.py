"""The count of seconds since boot that all processes of a machine share."""

from config import systems
from tournaments.core import clocks


def test_the_machine_counts_for_all_its_processes(monkeypatch, tmp_path):
    one, other = clocks.current_moment(), clocks.current_moment()
    assert one.machine == other.machine == clocks.boot_id() != ""
    assert 0 <= other.since(one) < 5
    monkeypatch.setattr(systems, "PROC", tmp_path)
    clocks.boot_id.cache_clear()
    try:
        assert clocks.current_moment().ticks is None  # the time of day has to do
    finally:
        clocks.boot_id.cache_clear()
