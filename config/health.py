"""Liveness and readiness endpoints, without session or account, for any host name.

``/health/ready`` returns ``ok``; ``degraded: cache`` (still 200: a lost Redis must not take every
process out of service); or, with 503, what is missing: ``database``, ``migrations``, ``full``,
``readonly``.
"""

import errno
import tempfile
from functools import cache as remembered
from pathlib import Path

from django.core.cache import cache
from django.db import Error, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

PATHS = ("/health/live", "/health/ready")
PROBE = 256 * 1024
"""Bytes that must be free beside the database; the largest write of an event is smaller."""


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Return 200: the process is alive."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Return whether results can be stored and read; 503 if not."""
    why = missing()
    if why:
        return HttpResponse(f"{why}\n", status=503, content_type="text/plain")
    answers = getattr(cache, "answers", None)  # only for a cache that can be lost
    word = "degraded: cache" if answers is not None and not answers() else "ok"
    return HttpResponse(f"{word}\n", content_type="text/plain")


def missing() -> str:
    """Return the word for what prevents storing results, or ""; one to three queries."""
    file = _database_file()
    if file is not None and not file.exists():  # connecting would create an empty file
        return "database"
    try:
        why = _disk(file) if file is not None else ""
        if why:
            return why
        if not _needed() <= MigrationRecorder(connection).applied_migrations().keys():
            return "migrations"
        return _refuses_writes()
    except Error:
        return "database"


def _database_file() -> Path | None:
    """Return the SQLite file; None for another database or one in memory."""
    name = str(connection.settings_dict["NAME"])
    is_file = connection.vendor == "sqlite" and "memory" not in name
    return Path(name) if is_file else None


@remembered
def _needed() -> frozenset[tuple[str, str]]:
    """Return the migrations of this release; cached, as they can't change while it runs."""
    return frozenset(MigrationLoader(None).graph.nodes)


def _disk(file: Path) -> str:
    """Return ``full`` or ``readonly`` if the disk accepts no writes, else ""."""
    try:
        _write_beside(file)
    except OSError as error:
        return "full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "readonly"
    return ""


def _refuses_writes() -> str:
    """Return ``readonly`` or ``database`` if writes fail, else ""; ignores other writers."""
    if connection.vendor == "postgresql":
        return _postgresql_is_read_only()
    try:
        _take_the_lock()
    except OperationalError as error:
        words = str(error).lower()
        if "locked" in words:
            return ""
        return "readonly" if "readonly" in words else "database"
    return ""


def _write_beside(file: Path) -> None:
    """Write a test file into the database's folder; raises OSError."""
    with tempfile.TemporaryFile(dir=file.parent, buffering=0) as probe:
        left = PROBE
        while left > 0:
            left -= probe.write(bytes(left))


def _take_the_lock() -> None:
    """Begin and roll back a write transaction without waiting; raises OperationalError."""
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            if not connection.in_atomic_block:
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("ROLLBACK")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")


def _postgresql_is_read_only() -> str:
    """Return ``readonly`` if the server is a standby or set to read-only, else ""."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return "readonly" if cursor.fetchone()[0] == "on" else ""
