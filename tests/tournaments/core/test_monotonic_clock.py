"""The count of seconds since boot that all processes of a machine share."""

from config import systems
from tournaments.core import clocks


def test_the_machine_counts_for_all_its_processes(monkeypatch, tmp_path):
    one, other = clocks.moment_now(), clocks.moment_now()
    assert one.machine == other.machine == clocks.boot_of_machine() != ""
    assert 0 <= other.since(one) < 5
    monkeypatch.setattr(systems, "PROC", tmp_path)
    clocks.boot_of_machine.cache_clear()
    try:
        assert clocks.moment_now().ticks is None  # the time of day has to do
    finally:
        clocks.boot_of_machine.cache_clear()
