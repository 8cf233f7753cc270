"""An SQLite site moves to PostgreSQL by one command, whole or not at all."""

import os
import shutil
import sqlite3
from contextlib import closing
from itertools import count

import pytest
from django.db.migrations.loader import MigrationLoader

from config.databases import moving
from tests import database
from tests.database_files import ask, manage
from tests.forked_commands import Nursery
from tests.servers import running
from tests.servers.stores import needs_postgres

pytestmark = [pytest.mark.deep, pytest.mark.processes, needs_postgres]
numbers = count(1)
PLAYED = ("demo", "--players", "5", "--formula", "single-group", "--play", "--seed", "7")
MORE = """
from accounts.models import User
from tournaments.models import GivenAnswer
user = User.objects.create_user("più@example.org", None, name="Tab\\tand \\\\N, “quoted”\\nòàü")
odd = {"b": [1.0, 1, 1e16, 0.1, -0.0, 2**70, None, True], "a": {"ß": "\\\\"}}
GivenAnswer.objects.create(user=user, key="k", request_hash="h", body=odd)
GivenAnswer.objects.create(user=user, key="none", request_hash="h")
GivenAnswer.objects.create(user=user, key="last", request_hash="h").delete()
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return an SQLite site with a played event and values that databases keep differently."""
    file = tmp_path_factory.mktemp("old") / "site.sqlite3"
    database.migrated(file)
    ran = manage(*PLAYED, database=file)
    assert ran.returncode == 0, ran.stderr
    running.forked(MORE, file.parent)
    return file


@pytest.fixture(scope="module")
def migrated(postgres, tmp_path_factory):
    """Return the server, its database ``girone`` migrated: the template of every other."""
    postgres.migrate(running.environment(tmp_path_factory.mktemp("new"), DATABASE_URL=postgres.url))
    return postgres


@pytest.fixture(scope="module")
def commands(postgres, tmp_path_factory):
    """Return what runs commands on databases of the server, as a public site's administrator."""
    folder = tmp_path_factory.mktemp("commands")
    started = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return Nursery(running.environment(folder, DATABASE_URL=postgres.url) | started)


@pytest.fixture
def old(made, tmp_path):
    """Return an SQLite site of this test's own."""
    shutil.copy(made, tmp_path / made.name)
    return tmp_path / made.name


class Site:
    """A new site: an empty PostgreSQL database and its environment."""

    def __init__(self, server, commands, *options):
        self.name = f"site{next(numbers)}"
        self.url = server.database(self.name, *options)
        self.server, self.commands = server, commands

    def manage(self, *command):
        """Run a command."""
        return self.commands.run(command, self.name)

    def move(self, old, *options):
        """Move the old site here."""
        return self.manage("move_database", "--from", f"sqlite:///{old}", *options)

    def ask(self, question):
        """Return the rows that psql prints."""
        psql = str(self.server.programs / "psql")
        return self.server.run(psql, "-At", "-d", self.url, "-c", question).splitlines()

    def refuses(self, old, *words):
        """Check that a move is refused with these words and leaves nothing behind."""
        before = self.ask("SELECT count(*) FROM tournaments_event")
        ran = self.move(old)
        assert (ran.returncode, "Traceback" in ran.stderr) == (2, False), ran.stderr
        for word in words:
            assert word in ran.stderr
        assert self.ask("SELECT count(*) FROM tournaments_event") == before
        return ran


@pytest.fixture
def new(migrated, commands):
    return Site(migrated, commands, "-T", "girone")


# How many rows each table has, as one question to either database.
ROWS = " UNION ALL ".join(
    f"SELECT '{model._meta.db_table}', count(*) FROM {model._meta.db_table}"  # noqa: S608
    for model in moving.models_by_dependency()
)


def test_a_site_moves_to_another_key_and_goes_on(old, new):
    ran = new.move(old)
    assert ran.returncode == 0, ran.stderr
    assert "Eventi verificati: 1." in ran.stdout
    assert "Nessuna differenza." in ran.stdout
    before = [f"{table}|{rows}" for table, rows in ask(old, ROWS)]
    assert sorted(new.ask(ROWS)) == sorted(before)
    body = "SELECT body->'b'->>4, body->'a'->>'ß' FROM tournaments_givenanswer WHERE key = 'k'"
    assert new.ask(body) == ["0.0|\\"] or new.ask(body) == ["-0.0|\\"]
    # numbers go on after the highest that was ever given, deleted rows included
    told = "SELECT max(id), (SELECT last_value FROM tournaments_givenanswer_id_seq)"
    assert new.ask(f"{told} FROM tournaments_givenanswer") == ["2|3"]

    goes_on = new.manage("demo", "--players", "4", "--play", "--seed", "9")
    assert goes_on.returncode == 0, goes_on.stderr
    verified = new.manage("verify", "--all")
    assert (verified.returncode, "2" in verified.stdout) == (0, True), verified.stderr
    again = new.move(old)
    assert again.returncode == 2
    assert "non è vuoto" in again.stderr


def test_an_old_site_that_is_open_or_being_written_to_is_refused(old, new):
    with closing(sqlite3.connect(old, isolation_level=None)) as site:
        site.execute("PRAGMA journal_mode=WAL")
        site.execute("BEGIN IMMEDIATE")
        new.refuses(old, str(os.getpid()))
        site.execute("ROLLBACK")
        new.refuses(old, str(os.getpid()))


@pytest.mark.deep
def test_other_versions_are_refused(old, migrated, new, commands):
    ((app, newest),) = MigrationLoader(None).graph.leaf_nodes("tournaments")
    ask(old, f"DELETE FROM django_migrations WHERE app = '{app}' AND name = '{newest}'")  # noqa: S608
    new.refuses(old, f"{app} {newest}", "manage.py migrate")
    insert = "INSERT INTO django_migrations (app, name, applied) VALUES ('{}', '{}', '2026-01-01')"
    ask(old, insert.format(app, newest))
    ask(old, insert.format("decks", "9999_later"))
    new.refuses(old, "decks 9999_later")
    ask(old, "DELETE FROM django_migrations WHERE name = '9999_later'")
    never_migrated = Site(migrated, commands, "-T", "template0")
    ran = never_migrated.move(old)
    assert ran.returncode == 2
    assert "manage.py migrate" in ran.stderr
    assert never_migrated.ask("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'to%'") == ["0"]


def test_what_postgresql_cannot_hold_is_named_and_nothing_is_written(old, new):
    ask(old, "UPDATE tournaments_event SET name = 'a' || char(0)")
    new.refuses(old, "tournaments_event", "NUL")
    ask(old, "UPDATE tournaments_event SET name = printf('%.300c', 'x')")
    new.refuses(old, "tournaments_event")
    ask(old, "UPDATE tournaments_event SET name = 'Coppa'")
    ask(old, "UPDATE tournaments_match SET decision_id = 999 WHERE id = 1")
    new.refuses(old, "999")


def test_a_changed_result_is_found_and_moved_only_as_it_is(old, new):
    ask(old, "UPDATE tournaments_report SET score_a = score_a + 1 WHERE id = 1")
    ran = new.move(old)
    assert ran.returncode == 1
    assert "--as-is" in ran.stderr
    assert new.ask("SELECT count(*) FROM tournaments_event") == ["0"]
    ran = new.move(old, "--as-is")
    assert ran.returncode == 0, ran.stderr
    assert new.ask("SELECT count(*) FROM tournaments_event") == ["1"]


def test_a_row_that_changes_on_the_way_changes_the_digest():
    rows = [[1, "a", {"x": 1.0}], [2, "b", None]]
    whole = moving.TableContent().with_row(rows[0]).with_row(rows[1])
    assert moving.TableContent().with_row(rows[1]).with_row(rows[0]) == whole
    assert moving.TableContent().with_row([1, "a", {"x": 1}]).with_row(rows[1]) == whole
    for spoilt in ([1, "a", {"x": 1.5}], [1, "A", {"x": 1.0}], [1, None, {"x": 1.0}]):
        assert moving.TableContent().with_row(spoilt).with_row(rows[1]) != whole
    assert moving.TableContent().with_row(rows[0]).with_row(rows[0]) != whole


@pytest.mark.deep
def test_it_is_only_for_a_new_postgresql(old):
    ran = manage("move_database", "--from", f"sqlite:///{old}", database=old)
    assert ran.returncode == 2
    assert "PostgreSQL" in ran.stderr
