"""Caches may go away; a database may be put in the place of another."""

import logging
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest
from django.core.cache import caches
from django.core.management import CommandError
from django.test import Client
from redis.exceptions import ConnectionError as NoRedis

from config import caches as own
from config import database_file, env
from tests import factories as make
from tests.servers.running import free_port

NOWHERE = {"BACKEND": "config.caches.RedisOrMemoryCache"}


@pytest.fixture
def gone(settings):
    """Make the site's cache one whose Redis is not there."""
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": NOWHERE | {"LOCATION": address}}
    caches["default"].memory.clear()
    return caches["default"]


def test_the_address_of_a_redis_is_read_as_one_that_may_go_away(monkeypatch):
    monkeypatch.setenv("CACHE_URL", "redis://127.0.0.1:6379/1")
    assert env.cache("CACHE_URL")["BACKEND"] == NOWHERE["BACKEND"]


def test_every_call_is_answered_from_memory(gone):
    assert gone.get("a", 7) == 7
    gone.set("a", 1)
    assert gone.add("a", 2) is False
    assert gone.incr("a") == 2
    assert gone.has_key("a")
    assert gone.touch("a")
    gone.set_many({"b": 1, "c": 2})
    assert gone.get_many(["a", "b", "c"]) == {"a": 2, "b": 1, "c": 2}
    gone.delete_many(["b"])
    assert gone.delete("c")
    assert gone.get_or_set("d", lambda: 4) == 4
    gone.clear()
    assert gone.get("a") is None
    with pytest.raises(ValueError, match="a"):
        gone.incr("a")


class Clock:
    now = 1000.0

    def monotonic(self):
        return self.now


class Flaky:
    def __init__(self):
        self.asked, self.there = 0, False

    def get(self, *_args):
        self.asked += 1
        if not self.there:
            raise NoRedis("refused")
        return "from Redis"


def test_it_is_logged_once_a_minute_and_asked_again_soon(gone, monkeypatch, caplog):
    clock = Clock()
    monkeypatch.setattr(own, "time", clock)
    gone.redis = flaky = Flaky()
    with caplog.at_level(logging.ERROR, logger="config.caches"):
        for _ in range(100):
            gone.get("a")
        assert flaky.asked == 1
        clock.now += own.LEFT_ALONE
        gone.get("a")
        assert flaky.asked == 2
        assert len(caplog.records) == 1
        clock.now += own.BETWEEN_LINES
        gone.get("a")
        assert len(caplog.records) == 2
    flaky.there = True
    clock.now += own.LEFT_ALONE
    assert gone.get("a") == "from Redis"


@pytest.mark.django_db
@pytest.mark.usefixtures("gone")
def test_sign_in_is_never_without_a_limit():
    make.user("anna@example.org")
    client = Client(headers={"accept-language": "en"})
    wrong = {"login": "anna@example.org", "password": "no such word"}
    said = [client.post("/accounts/login/", wrong) for _ in range(12)]
    assert all(answer.status_code < 500 for answer in said)
    assert "Too many failed" in said[-1].content.decode()
    assert "Too many failed" not in said[0].content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("gone")
def test_pages_and_api_answer(by):
    event = make.playing(by, 4)
    client = Client()
    for address in (
        "/",
        f"/events/{event.slug}/standings/",
        "/api/v1/events/",
        f"/api/v1/events/{event.slug}/",
        "/accounts/login/",
    ):
        assert client.get(address).status_code == 200


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
    assert database_file.replace_database(new, old, aside) is True
    assert rows(old) == ["restored"]
    assert rows(aside) == ["old", "in the log"]
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert not new.exists()


def test_without_a_database_the_leftovers_go_too(tmp_path):
    gone = left_by_a_kill(database(tmp_path / "a", "old"))
    gone.unlink()
    new = database(tmp_path / "new", "restored")
    assert database_file.replace_database(new, gone, tmp_path / "aside") is False
    assert rows(gone) == ["restored"]


def test_an_open_database_is_noticed_by_its_process_and_by_its_lock(tmp_path):
    path = database(tmp_path / "a", "old")
    assert database_file.processes_using(path) == []
    assert database_file.is_database_in_use(path) is False
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with other:
        assert other.stdout.readline() == "open\n"
        assert database_file.is_database_in_use(path) is True
        if sys.platform == "linux":
            assert database_file.processes_using(path) == [other.pid]
        other.stdin.close()
    assert database_file.is_database_in_use(path) is False
    assert rows(path) == ["old"]


def test_what_waits_in_the_log_is_in_the_file_once_nobody_has_it_open(tmp_path):
    path = left_by_a_kill(database(tmp_path / "a", "old"))
    assert database_file.is_database_in_use(path) is False
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
        database_file.copy_database(source, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(CommandError, match="file is not a database"):
        database_file.applied_migrations(path)
    assert database_file.is_database_in_use(path) is False


@pytest.mark.parametrize("name", ["plain", "with blank", "100%", "a#b?c", "città+1"])
def test_every_name_can_be_an_address(monkeypatch, tmp_path, name):
    from config import env

    monkeypatch.setenv("DATABASE_URL", database_file.database_url(tmp_path / name))
    assert env.database("DATABASE_URL", tmp_path)["NAME"] == str(tmp_path / name)
