"""What a supervisor is told: one word, red where results can't be stored."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health
from tests.config.test_caches import NOWHERE
from tests.servers.running import free_port

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="a file of its own")


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
    assert ready() == (200, "ok")


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_somebody_who_writes_is_no_fault():
    file = Path(connection.settings_dict["NAME"])
    connection.ensure_connection()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert ready() == (200, "ok")
        other.execute("ROLLBACK")
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)
