"""What a supervisor is told: one word, red where results can't be stored."""

import errno
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health
from config.problems import describe_busy_error, is_busy
from tests.config.test_caches import NOWHERE
from tests.servers.running import free_port

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="a file of its own")


@pytest.fixture(autouse=True)
def _tried_anew():
    """Forget what an earlier test was told of writes."""
    health.writes.forget()
    yield
    health.writes.forget()


def ready():
    answer = Client().get("/health/ready")
    assert "no-cache" in answer.headers["Cache-Control"]
    return answer.status_code, answer.content.decode().strip()


@pytest.mark.django_db
@pytest.mark.parametrize("path", health.PATHS)
def test_a_supervisor_may_use_any_name(path, settings):
    settings.ALLOWED_HOSTS = ["girone.example"]
    assert Client().get(path, headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert Client().get("/", headers={"host": "10.0.0.7:8000"}).status_code == 400


@pytest.mark.django_db
def test_a_whole_site_is_ready():
    assert ready() == (200, "ok")


@pytest.mark.django_db
def test_one_redis_takes_no_process_out(settings):
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": NOWHERE | {"LOCATION": address}}
    assert not caches["default"].answers()
    assert ready() == (200, "degraded: cache")


@pytest.mark.django_db
def test_a_migration_that_waits_is_red():
    MigrationRecorder(connection).record_unapplied("tournaments", "0001_initial")
    assert ready() == (503, "migrations")


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_red(monkeypatch):
    def gone(_recorder):
        raise OperationalError("connection refused")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", gone)
    assert ready() == (503, "database")


@on_sqlite
@pytest.mark.django_db
def test_an_absent_database_is_red_and_stays_absent(monkeypatch, tmp_path):
    missing = tmp_path / "gone.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(missing))
    assert ready() == (503, "database")
    assert not missing.exists()


@on_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "word"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "full"),
        (errno.EROFS, "readonly"),
        (errno.EACCES, "readonly"),
    ],
)
def test_a_disk_that_takes_nothing_is_red(monkeypatch, number, word):
    def refuse(**_kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(health.tempfile, "TemporaryFile", refuse)
    assert ready() == (503, word)


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_nothing_is_red():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            assert ready() == (503, "readonly")
        finally:
            cursor.execute("PRAGMA query_only = 0")
    health.writes.forget()
    assert ready() == (200, "ok")


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_another_program_that_holds_the_database_is_told(monkeypatch):
    monkeypatch.setattr(health, "LOCK_SECONDS", 0.05)
    file = Path(connection.settings_dict["NAME"])
    connection.ensure_connection()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert ready() == (503, "locked")
        other.execute("ROLLBACK")
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)
    health.writes.forget()
    assert ready() == (200, "ok")


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_who_writes_for_a_moment_is_no_fault():
    file = Path(connection.settings_dict["NAME"])
    connection.ensure_connection()
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.1, other.execute, ["ROLLBACK"])
        done.start()
        assert ready() == (200, "ok")
        done.join()


@pytest.mark.django_db
def test_a_write_is_tried_every_five_seconds_at_most(monkeypatch):
    tried, now = [], [1000.0]
    monkeypatch.setattr(health, "monotonic", lambda: now[0])
    monkeypatch.setattr(health, "disk_fault", lambda _file: tried.append(now[0]) or "")
    monkeypatch.setattr(health, "_refuses_writes", lambda: tried.append(now[0]) or "readonly")
    for _second in range(11):
        assert ready() == (503, "readonly")
        now[0] += 1
    assert sorted(set(tried)) == [1000.0, 1005.0, 1010.0]
    monkeypatch.setattr(health, "_refuses_writes", lambda: "")
    assert ready() == (503, "readonly")  # the word of the last try
    now[0] += health.EVERY
    assert ready() == (200, "ok")


@on_sqlite
@pytest.mark.django_db
def test_a_full_disk_is_told_without_a_write(monkeypatch):
    assert ready() == (200, "ok")
    full = shutil.disk_usage(Path.cwd())._replace(free=health.PROBE - 1)
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _folder: full)
    assert ready() == (503, "full")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="a setting of PostgreSQL")
def test_postgresql_that_takes_no_writes_is_red(client):
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            assert ready() == (503, "readonly")
            with pytest.raises(DatabaseError) as refused:
                cursor.execute("CREATE TABLE never (id int)")
        finally:
            cursor.execute("SET default_transaction_read_only = off")
    assert is_busy(refused.value)
    assert describe_busy_error(refused.value)[0] == "storage_read_only"
