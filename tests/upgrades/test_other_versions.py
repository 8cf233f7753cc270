"""``prepare`` on data of other versions: newer is refused, older is kept before it is migrated."""

import lzma
import re
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

from config import VERSION
from config.databases import upgrades
from config.databases.dumps import dump_database, restore_dump
from config.databases.moving import unknown_migrations
from config.databases.upgrades import upgrade_backups, version_from_number, version_number
from config.upkeep import BACKUP, last_task_record
from tests import database as migrated
from tests import factories as make
from tests.database_files import ask, manage
from tournaments.management.commands.restore_backup import check_backup
from tournaments.models import Event

OLD = Path(__file__).with_name("cc8006a.sql.xz")
NEWER = """INSERT INTO django_migrations (app, name, applied)
VALUES ('decks', '9999_later', '2030-01-01')"""
REFUSED = "newer version|versione più recente"


@pytest.fixture
def present(tmp_path):
    """Return a database of this version."""
    migrated.migrated(tmp_path / "db.sqlite3")
    return tmp_path / "db.sqlite3"


@pytest.fixture
def older(tmp_path):
    """Return a database that an earlier commit wrote."""
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as written:
        written.executescript(lzma.decompress(OLD.read_bytes()).decode())
    return tmp_path / "db.sqlite3"


def prepared(database, first=""):
    """Run what ``prepare`` does to a database, in a process of its own; ``first`` some code."""
    code = (
        f"{first}\n"
        "from django.core.management import call_command\n"
        "from django.db import connection\n"
        "from config.databases.upgrades import back_up_before_migration, record_version\n"
        "back_up_before_migration(connection)\n"
        "call_command('migrate', verbosity=0)\n"
        "record_version(connection)\n"
    )
    return manage("-c", code, database=database)


def test_versions_are_numbers_in_their_order():
    versions = ["0.9.0", "1.0.0", "1.0.12", "1.2.0", "1.10.0", "12.0.1"]
    numbers = [version_number(version) for version in versions]
    assert numbers == sorted(numbers)
    assert [version_from_number(number) for number in numbers] == versions
    assert version_from_number(0) == "unknown"


@pytest.mark.processes
def test_older_data_is_kept_named_by_its_version_before_it_is_migrated(older):
    before = ask(older, "SELECT count(*) FROM django_migrations")
    ask(older, f"PRAGMA user_version = {version_number('0.8.3')}")
    done = prepared(older)
    assert done.returncode == 0, done.stderr
    (copy,) = upgrade_backups(older)
    assert re.fullmatch(r"db\.sqlite3\.\d{8}-\d{6}-\d{6}-version-0\.8\.3", copy.name)
    assert str(copy) in done.stdout
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert ask(copy, "SELECT count(*) FROM django_migrations") == before
    assert ask(copy, "PRAGMA integrity_check") == [("ok",)]
    assert ask(older, "SELECT count(*) FROM django_migrations") > before
    assert ask(older, "PRAGMA user_version") == [(version_number(VERSION),)]
    check_backup(copy)  # it may be restored
    assert prepared(older).returncode == 0
    assert upgrade_backups(older) == [copy]  # nothing to migrate, nothing to keep


@pytest.mark.deep
@pytest.mark.processes
def test_the_newest_three_copies_stay(older):
    for day in (1, 2, 3):
        older.with_name(f"{older.name}.2026010{day}-000000-000000-version-0.{9 + day}.0").touch()
    half = older.with_name(f"{older.name}.20260101-000000-000000-version-0.1.0.part")
    half.touch()
    other = older.with_name(f"{older.name}.before-20250101-000000-000000")
    other.touch()
    assert prepared(older).returncode == 0
    names = [copy.name for copy in upgrade_backups(older)]
    assert [name.partition("-version-")[2] for name in names] == ["0.11.0", "0.12.0", "unknown"]
    assert half.exists()
    assert other.exists()


FULL = """
from config.management.commands import backup
def full(*to):
    raise OSError(28, "No space left on device")
backup.copy_database = full
"""


@pytest.mark.processes
def test_without_room_for_the_copy_nothing_is_migrated(older):
    before = ask(older, "SELECT count(*) FROM django_migrations")
    done = prepared(older, FULL)
    assert done.returncode != 0
    assert "No space left on device" in done.stderr
    assert ask(older, "SELECT count(*) FROM django_migrations") == before
    assert upgrade_backups(older) == []


@pytest.mark.deep
@pytest.mark.processes
@pytest.mark.parametrize(
    ("statement", "named"),
    [(f"PRAGMA user_version = {version_number('99.0.0')}", "99.0.0"), (NEWER, "decks 9999_later")],
)
def test_newer_data_is_refused_in_one_sentence(present, statement, named):
    ask(present, statement)
    before = ask(present, "SELECT * FROM django_migrations")
    done = prepared(present)
    assert done.returncode != 0
    assert re.search(REFUSED, done.stderr)
    assert named in done.stderr
    assert ask(present, "SELECT * FROM django_migrations") == before
    assert upgrade_backups(present) == []
    with pytest.raises(CommandError, match=REFUSED):
        check_backup(present)  # nor is such a copy restored


@pytest.mark.processes
def test_a_damaged_database_is_a_sentence(tmp_path):
    (tmp_path / "db.sqlite3").write_text("no database " * 1000)
    done = prepared(tmp_path / "db.sqlite3")
    assert done.stderr.strip().splitlines()[-1].startswith("django.core.management.base.CommandErr")
    assert str(tmp_path / "db.sqlite3") in done.stderr


@pytest.mark.deep
@pytest.mark.processes
def test_a_new_database_is_not_copied_and_tells_its_version(tmp_path):
    assert prepared(tmp_path / "db.sqlite3").returncode == 0
    assert upgrade_backups(tmp_path / "db.sqlite3") == []
    told = ask(tmp_path / "db.sqlite3", "PRAGMA user_version")
    assert told == [(version_number(VERSION),)]


# --- PostgreSQL --------------------------------------------------------------------------

SERVER = SimpleNamespace(
    client=DatabaseClient,
    close=lambda: None,
    introspection=SimpleNamespace(table_names=lambda: ["a", "b"]),
    ops=SimpleNamespace(quote_name='"{}"'.format),
    settings_dict={
        "NAME": "girone",
        "USER": "ugo",
        "PASSWORD": "sala grande",
        "HOST": "db",
        "PORT": 5433,
        "OPTIONS": {},
    },
)


def program(folder, text, *names):
    """Write programs, or ``pg_dump``; return the search path with them and the shell's programs."""
    (folder / "bin").mkdir()
    for name in names or ("pg_dump",):
        file = folder / "bin" / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
    return f"{folder / 'bin'}:/bin"


def test_pg_dump_is_told_the_server_and_the_password(tmp_path, monkeypatch, capsys):
    text = "for word; do case $word in --file=*) file=${word#*=};; esac; done"
    text += '; echo "$@" "$PGPASSWORD" > "$file"'
    monkeypatch.setenv("PATH", program(tmp_path, text))
    monkeypatch.setattr(settings, "DATA", tmp_path)
    dump_database(SERVER, tmp_path / "copy")
    said = (tmp_path / "copy").read_text()
    assert said.startswith("-U ugo -h db -p 5433 --format=custom ")
    assert said.endswith(" girone sala grande\n")
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert str(tmp_path / "copy") in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "echo aborting: server version mismatch >&2; exit 1"])
def test_without_pg_dump_an_upgrade_goes_on_and_says_so(text, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", program(tmp_path, text) if text else str(tmp_path))
    dump_database(SERVER, tmp_path / "copy")
    said = capsys.readouterr().out
    assert "pg_dump" in said
    assert ("server version mismatch" if text else "No such file or directory") in said
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.parametrize("broken", ["pg_restore", "psql"])
def test_a_copy_that_cannot_be_restored_is_a_sentence(broken, tmp_path, monkeypatch):
    told = (
        f'echo "${{0##*/}} $@" >> {tmp_path}/told; case $0 in *{broken}) echo bad >&2; exit 1; esac'
    )
    monkeypatch.setenv("PATH", program(tmp_path, told, "pg_restore", "psql"))
    monkeypatch.setattr(settings, "DATA", tmp_path)
    with pytest.raises(CommandError, match=r"copy.*bad"):
        restore_dump(SERVER, tmp_path / "copy")
    ran = (tmp_path / "told").read_text().splitlines()
    assert [line.split()[0] for line in ran] == ["pg_restore", "psql"][: len(ran)]
    assert len(ran) == 1 + (broken == "psql")
    if broken == "psql":
        assert '--single-transaction --set=ON_ERROR_STOP=1 --command=DROP TABLE "a", "b"' in ran[1]
    assert {each.name for each in tmp_path.iterdir()} == {"bin", "told"}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs bin/with-postgres")
@pytest.mark.django_db(transaction=True)
def test_a_copy_is_restored_over_what_a_failed_upgrade_left(tmp_path, monkeypatch, capsys):
    event = make.started(make.organiser(), 4)
    monkeypatch.setattr(settings, "DATA", tmp_path)
    dump_database(connection, tmp_path / "copy")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE half (id integer)")
        cursor.execute(NEWER)
        cursor.execute("DROP TABLE tournaments_logline CASCADE")
    call_command("restore_backup", tmp_path / "copy")
    with connection.cursor() as cursor:
        assert "half" not in connection.introspection.table_names(cursor)
    assert not unknown_migrations(connection)
    assert Event.objects.get().name == event.name
    assert f"{event.slug}" in capsys.readouterr().out  # verified
    (kept,) = tmp_path.glob("postgresql.before-*")
    with pytest.raises(CommandError, match=REFUSED):
        call_command("restore_backup", kept)  # of a newer version
    (tmp_path / "copy").write_text("no copy")
    with pytest.raises(CommandError, match="copy"):
        call_command("restore_backup", tmp_path / "copy")
    assert Event.objects.count() == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs bin/with-postgres")
@pytest.mark.django_db(transaction=True)
def test_a_database_of_postgresql_is_kept_too(tmp_path, monkeypatch):
    event = make.started(make.organiser(), 4)
    monkeypatch.setattr(settings, "DATA", tmp_path)
    upgrades.back_up_before_migration(connection)
    assert not list(tmp_path.iterdir())  # nothing to migrate
    monkeypatch.setattr(upgrades, "unapplied_migrations", lambda _database: ["decks 9999_later"])
    for _turn in range(4):
        upgrades.back_up_before_migration(connection)
    copies = upgrade_backups(tmp_path / "postgresql")
    assert len(copies) == upgrades.MOST_BACKUPS
    command = [
        "pg_restore",
        "--data-only",
        "--table=tournaments_event",
        "--file=-",
        str(copies[-1]),
    ]
    assert event.name in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert last_task_record(BACKUP) is not None
