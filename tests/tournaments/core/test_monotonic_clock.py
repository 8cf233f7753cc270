"""The count of seconds since boot that all processes of a machine share."""

from tournaments.core import monotonic_clock


def test_the_machine_counts_for_all_its_processes(monkeypatch, tmp_path):
    one, other = monotonic_clock.moment_now(), monotonic_clock.moment_now()
    assert one.machine == other.machine == monotonic_clock.boot_of_machine() != ""
    assert 0 <= other.since(one) < 5
    monkeypatch.setattr(monotonic_clock, "BOOT", tmp_path / "none")
    monotonic_clock.boot_of_machine.cache_clear()
    try:
        assert monotonic_clock.moment_now().ticks is None  # the time of day has to do
    finally:
        monotonic_clock.boot_of_machine.cache_clear()
