"""What the site tells of itself: when it was backed up and verified, disk, database, queues."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import Error, connection

from config import upkeep
from config.upkeep import BACKUP, VERIFY, last_task_record, record_task, site_info


@pytest.fixture
def kept(monkeypatch, tmp_path) -> Path:
    """Return the path of a database that is a file."""
    file = tmp_path / "site.sqlite3"
    file.write_bytes(b"x" * 4096)
    monkeypatch.setattr(upkeep, "database_file", lambda: file)
    return file


def test_what_was_done_is_known_until_it_is_done_again(kept):
    assert last_task_record(BACKUP) is None
    record_task(BACKUP)
    record_task(VERIFY, differences=2)
    backup, verified = last_task_record(BACKUP), last_task_record(VERIFY)
    assert abs(datetime.now(UTC) - backup.at) < timedelta(minutes=1)
    assert (backup.differences, verified.differences) == (0, 2)


def test_a_backup_by_another_program_is_noted_by_touch(kept):
    note = Path(f"{kept}.backup")
    note.touch()
    os.utime(note, (1_000_000_000, 1_000_000_000))
    assert last_task_record(BACKUP).at == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    note.write_text("[]")
    assert last_task_record(BACKUP) is None


@pytest.mark.django_db
def test_a_folder_that_takes_nothing_stops_no_backup(monkeypatch, tmp_path):
    monkeypatch.setattr(upkeep, "database_file", lambda: tmp_path / "gone" / "site.sqlite3")
    record_task(BACKUP)
    assert last_task_record(BACKUP) is None
    assert site_info().disk_free is None


@pytest.mark.django_db
def test_the_facts_of_the_site(kept, monkeypatch):
    def down():
        raise Error

    Path(f"{kept}-wal").write_bytes(b"x" * 100)
    monkeypatch.setattr(
        upkeep, "QUEUES", {"mail": lambda: {"waiting": 3, "failed": 1}, "other": down}
    )
    facts = site_info()
    assert facts.database == connection.display_name
    assert 0 < facts.disk_free <= facts.disk_bytes
    assert facts.queues == {"mail": {"waiting": 3, "failed": 1}}
    assert facts.database_bytes == 4196
