"""A backup becomes the database again: whole, verified, and never under a running site."""

import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.upkeep import VERIFY, task_record_file
from tests import database as migrated
from tests.database_files import ask, manage, manage_from_nothing
from tournaments.management.commands.restore_backup import check_backup

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.processes


def names(path):
    return [name for (name,) in ask(path, "SELECT name FROM tournaments_event ORDER BY id")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a database with one event that was played, and a backup of it."""
    folder = tmp_path_factory.mktemp("site")
    database, copy = folder / "site.sqlite3", folder / "copy.sqlite3"
    migrated.migrated(database)
    for command in (
        ("demo", "--players", "4", "--formula", "single-group", "--play", "--seed", "7"),
        ("backup", str(copy)),
    ):
        ran = manage(*command, database=database)
        assert ran.returncode == 0, ran.stderr
    return database, copy


@pytest.fixture
def site(made, tmp_path):
    """Return a database of this test's own, and the backup of what it was."""
    for source in made:
        shutil.copy(source, tmp_path / source.name)
    return tmp_path / made[0].name, tmp_path / made[1].name


# From nothing it starts three processes, which takes ten times as long.
@pytest.mark.deep
@pytest.mark.parametrize("run", [manage, pytest.param(manage_from_nothing, marks=pytest.mark.deep)])
def test_the_backup_is_the_database_again_and_what_was_there_is_kept(site, run):
    database, copy = site
    before = names(database)
    ask(database, "UPDATE tournaments_event SET name = 'changed later'")
    ran = run("restore_backup", str(copy), database=database)
    assert ran.returncode == 0, ran.stderr
    assert names(database) == before
    assert ask(database, "PRAGMA integrity_check") == [("ok",)]
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    (aside,) = database.parent.glob("site.sqlite3.before-*")
    assert names(aside) == ["changed later"]
    assert str(aside) in ran.stdout
    assert not list(database.parent.glob("*.restoring*"))
    assert not list(database.parent.glob("*-wal"))
    assert task_record_file(database, VERIFY).exists()


def test_an_open_database_is_left_alone(site):
    database, copy = site
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("PRAGMA journal_mode=WAL")
        opened.execute("UPDATE tournaments_event SET name = 'acknowledged'")
        opened.commit()
        ran = manage("restore_backup", str(copy), database=database)
        assert ran.returncode == 2
        assert "Traceback" not in ran.stderr
    assert names(database) == ["acknowledged"]
    assert not list(database.parent.glob("site.sqlite3.before-*"))


@pytest.mark.deep
def test_a_drill_says_what_verify_finds_and_changes_nothing(site):
    database, copy = site
    ask(copy, "UPDATE tournaments_draw SET seed = 'another'")
    content = database.read_bytes()
    ran = manage("restore_backup", str(copy), "--check", database=database)
    assert ran.returncode == 1, ran.stderr
    assert len(ran.stdout.splitlines()) > 2
    assert database.read_bytes() == content
    assert sorted(path.name for path in database.parent.iterdir()) == [copy.name, database.name]


@pytest.mark.deep
def test_a_site_that_lost_its_file_gets_it_back(site):
    database, copy = site
    wanted = names(copy)
    database.unlink()
    ran = manage("restore_backup", str(copy), database=database)
    assert ran.returncode == 0, ran.stderr
    assert names(database) == wanted
    assert not list(database.parent.glob("site.sqlite3.before-*"))


def test_what_is_no_backup_is_refused(site, tmp_path):
    copy = site[1]
    with pytest.raises(CommandError, match="nowhere"):
        check_backup(tmp_path / "nowhere")
    (tmp_path / "text").write_text("no database at all " * 100)
    with pytest.raises(CommandError, match="not a database"):
        check_backup(tmp_path / "text")
    (tmp_path / "empty").touch()
    with pytest.raises(CommandError, match="empty"):
        check_backup(tmp_path / "empty")
    check_backup(copy)
    ask(copy, "INSERT INTO django_migrations (app, name, applied) VALUES ('decks', '9999_x', '')")
    with pytest.raises(CommandError, match="decks 9999_x"):
        check_backup(copy)


@pytest.mark.django_db
def test_a_database_that_is_no_file_is_not_restored(tmp_path):
    with pytest.raises(CommandError) as refused:
        call_command("restore_backup", tmp_path / "copy.sqlite3", check=True)
    assert refused.value.returncode == 2
