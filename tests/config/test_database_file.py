"""A database put in the place of another: nothing of the old one is played into the new."""

import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest
from django.core.management import CommandError

from config import database_file

HOLD = (
    "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]);"
    "db.execute('PRAGMA journal_mode=WAL'); db.execute('SELECT count(*) FROM t').fetchall();"
    "print('open', flush=True); sys.stdin.read()"
)


def database(path, *rows):
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE t (name)")
        made.executemany("INSERT INTO t VALUES (?)", [(row,) for row in rows])
    return path


def rows(path):
    with closing(sqlite3.connect(path)) as opened:
        return [name for (name,) in opened.execute("SELECT name FROM t ORDER BY rowid")]


def left_by_a_kill(path):
    """Give ``path`` a write-ahead log with a row that the file itself lacks, as a kill does."""
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("PRAGMA wal_autocheckpoint=0")
        opened.execute("INSERT INTO t VALUES ('in the log')")
        opened.commit()
        for ending in ("", "-wal", "-shm"):
            shutil.copy(f"{path}{ending}", path.with_name(f"killed{ending}"))
    return path.with_name("killed")


def test_a_leftover_log_does_not_reach_the_new_database_and_stays_with_the_old(tmp_path):
    old = left_by_a_kill(database(tmp_path / "a", "old"))
    new, aside = database(tmp_path / "new", "restored"), tmp_path / "aside"
    assert database_file.put_in_place(new, old, aside) is True
    assert rows(old) == ["restored"]
    assert rows(aside) == ["old", "in the log"]
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert not new.exists()


def test_without_a_database_the_leftovers_go_too(tmp_path):
    gone = left_by_a_kill(database(tmp_path / "a", "old"))
    gone.unlink()
    new = database(tmp_path / "new", "restored")
    assert database_file.put_in_place(new, gone, tmp_path / "aside") is False
    assert rows(gone) == ["restored"]


def test_an_open_database_is_noticed_by_its_process_and_by_its_lock(tmp_path):
    path = database(tmp_path / "a", "old")
    assert database_file.holders(path) == []
    assert database_file.is_locked(path) is False
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with other:
        assert other.stdout.readline() == "open\n"
        assert database_file.is_locked(path) is True
        if sys.platform == "linux":
            assert database_file.holders(path) == [other.pid]
        other.stdin.close()
    assert database_file.is_locked(path) is False
    assert rows(path) == ["old"]


def test_what_waits_in_the_log_is_in_the_file_once_nobody_has_it_open(tmp_path):
    path = left_by_a_kill(database(tmp_path / "a", "old"))
    assert database_file.is_locked(path) is False
    assert [each.name for each in tmp_path.glob("killed*")] == ["killed"]
    assert rows(path) == ["old", "in the log"]


def test_a_damaged_database_is_not_copied(tmp_path):
    path = tmp_path / "a"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE t (name)")
        made.execute("CREATE INDEX i ON t (name)")
        made.executemany("INSERT INTO t VALUES (?)", [(f"{n:0500}",) for n in range(200)])
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as source, pytest.raises(CommandError):
        database_file.copy_whole(source, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(CommandError, match="file is not a database"):
        database_file.migrations_in(path)
    assert database_file.is_locked(path) is False


@pytest.mark.parametrize("name", ["plain", "with blank", "100%", "a#b?c", "città+1"])
def test_every_name_can_be_an_address(monkeypatch, tmp_path, name):
    from config import env

    monkeypatch.setenv("DATABASE_URL", database_file.address(tmp_path / name))
    assert env.database("DATABASE_URL", "")["NAME"] == str(tmp_path / name)
