"""What the site knows of its own absences, and of its address."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from config.alive import (
    Heartbeat,
    initial_heartbeat,
    next_heartbeat,
    read_heartbeat,
    start_heartbeat,
)

HERE, THERE, ELSEWHERE = (f"http://192.168.{net}.20:8000" for net in (1, 2, 3))


@pytest.fixture(autouse=True)
def file(settings, tmp_path) -> Path:
    settings.ALIVE_FILE = str(tmp_path / "site.alive")
    return tmp_path / "site.alive"


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"strange": 1}', "\x00\x00"])
def test_nothing_is_known_without_a_file_that_can_be_read(file, text):
    if text is not None:
        file.write_text(text)
    assert read_heartbeat() == Heartbeat()
    assert (read_heartbeat().absence, read_heartbeat().moved_at) == (None, None)


@pytest.mark.parametrize(("passed", "away"), [(15, False), (60, False), (61, True), (720, True)])
def test_it_was_away_after_more_than_a_minute(passed, away):
    found = initial_heartbeat(Heartbeat(at=1000.0), 1000.0 + passed, "")
    assert found.at == 1000 + passed
    expected = datetime.fromtimestamp(1000, UTC), datetime.fromtimestamp(1000 + passed, UTC)
    assert found.absence == (expected if away else None)


def test_the_last_absence_is_kept_while_it_runs():
    away = initial_heartbeat(Heartbeat(at=1000.0), 2000.0, "")
    later = next_heartbeat(away, 2015.0, 15.0)
    assert (later.at, later.absence) == (2015.0, away.absence)
    asleep = next_heartbeat(later, 2400.0, 385.0)
    assert (asleep.gone, asleep.back) == (2015.0, 2400.0)


def test_a_clock_that_is_set_is_no_absence():
    assert next_heartbeat(Heartbeat(at=1000.0), 90_000.0, 15.0).absence is None


def test_the_first_start_knows_of_no_absence():
    assert initial_heartbeat(Heartbeat(), 5000.0, HERE) == Heartbeat(at=5000.0, address=HERE)


def test_another_address_is_told_until_it_is_back():
    first = initial_heartbeat(Heartbeat(), 1000.0, HERE)
    moved = initial_heartbeat(replace(first, at=1010.0), 1020.0, THERE)
    assert (moved.former, moved.moved_at) == (HERE, datetime.fromtimestamp(1020, UTC))
    again = initial_heartbeat(replace(moved, at=1030.0), 1040.0, THERE)
    assert (again.former, again.moved) == (HERE, 1020.0)
    third = initial_heartbeat(replace(moved, at=1030.0), 1040.0, ELSEWHERE)
    assert (third.former, third.address) == (HERE, ELSEWHERE)
    back = initial_heartbeat(replace(third, at=1050.0), 1060.0, HERE)
    assert (back.former, back.moved_at) == ("", None)


def test_a_start_on_this_machine_alone_forgets_no_address():
    away = initial_heartbeat(Heartbeat(at=1000.0, address=HERE), 1010.0, "")
    assert (away.address, away.former) == (HERE, "")


def test_the_process_that_serves_writes_it(file):
    file.write_text(json.dumps({"at": time.time() - 600}))
    start_heartbeat()
    gone, back = read_heartbeat().absence
    assert 590 < (back - gone).total_seconds() < 700
    assert list(file.parent.iterdir()) == [file]


def test_a_folder_that_can_not_be_written_stops_nobody(settings, tmp_path, caplog):
    settings.ALIVE_FILE = str(tmp_path / "none" / "site.alive")
    start_heartbeat()
    assert "how long the site was away" in caplog.text
