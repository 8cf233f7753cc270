"""The backup command: whole, also while the site writes."""

import io
import os
import sqlite3
import stat
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.database_file import copy_database
from tests import factories as make
from tests.database_files import manage

pytestmark = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL has pg_dump for this"
)


@pytest.mark.django_db(transaction=True)
def test_the_copy_holds_every_row(tmp_path):
    event = make.started(make.organiser(), 4)
    call_command("backup", tmp_path / "girone.sqlite3", verbosity=0)
    with closing(sqlite3.connect(tmp_path / "girone.sqlite3")) as copy:
        names = copy.execute("SELECT name FROM tournaments_event").fetchall()
        lines = copy.execute("SELECT count(*) FROM tournaments_logline").fetchone()
    assert names == [(event.name,)]
    assert lines == (event.version,)
    assert [path.name for path in tmp_path.iterdir()] == ["girone.sqlite3"]


@pytest.mark.django_db(transaction=True)
def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="nowhere"):
        call_command("backup", tmp_path / "nowhere" / "copy.sqlite3")


def saved(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.django_db(transaction=True)
def test_a_copy_is_private_and_leaves_nothing_beside_it(tmp_path):
    call_command("backup", tmp_path / "girone.sqlite3", stdout=io.StringIO())
    assert stat.S_IMODE((tmp_path / "girone.sqlite3").stat().st_mode) == 0o600
    assert saved(tmp_path) == ["girone.sqlite3"]


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_a_folder_keeps_the_newest(tmp_path):
    other = tmp_path / "kept-by-hand.sqlite3"
    other.touch()
    for _ in range(4):
        call_command("backup", tmp_path, keep=2, stdout=io.StringIO())
        last = saved(tmp_path)[-2]
    names = saved(tmp_path)
    assert len(names) == 3
    assert names[-1] == other.name
    assert names[1] == last
    assert all(name.startswith("girone-") for name in names[:2])


@pytest.mark.django_db(transaction=True)
def test_the_copy_just_written_stays_though_the_clock_was_set_back(tmp_path):
    later = tmp_path / "girone-29990101-000000-000000.sqlite3"
    later.touch()
    half = tmp_path / "girone-20200101-000000-000000.sqlite3.part"
    half.touch()
    os.utime(half, (0, 0))
    call_command("backup", tmp_path, keep=1, stdout=io.StringIO())
    (name,) = saved(tmp_path)
    assert name != later.name
    assert (tmp_path / name).stat().st_size > 0


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_how_many_are_kept_must_be_a_number(tmp_path, number):
    with pytest.raises(CommandError, match="keep"):
        call_command("backup", str(tmp_path), f"--keep={number}")


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["absent", "empty", "without tables", "no database"])
def test_what_was_never_migrated_is_not_called_saved(tmp_path, kind):
    database = tmp_path / "site.sqlite3"
    if kind == "empty":
        database.touch()
    elif kind == "without tables":
        with closing(sqlite3.connect(database)) as made:
            made.execute("CREATE TABLE other (name)")
    elif kind == "no database":
        database.write_text("not a database, but long enough to be looked at " * 50)
    ran = manage("backup", str(tmp_path / "copy.sqlite3"), database=database)
    assert ran.returncode != 0
    assert str(database) in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "copy.sqlite3").exists()
    assert database.exists() == (kind != "absent")


def test_a_full_disk_is_said(tmp_path, monkeypatch):
    source = sqlite3.connect(":memory:")

    def full(*args, **values):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("config.systems.os.open", full)
    with closing(source), pytest.raises(OSError, match="No space"):
        copy_database(source, tmp_path / "copy")
    assert saved(tmp_path) == []
