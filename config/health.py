"""Liveness, readiness and version, without session or account, for any host name.

``/health/ready`` returns ``ok``; ``degraded: cache`` (still 200: a lost Redis must not take every
process out of service); or, with 503, what is missing: ``database``, ``migrations``, ``full``,
``readonly``, ``locked``. However often it is asked, a process tries a write every `EVERY` seconds
at most.
"""

import errno
import shutil
import tempfile
from functools import cache as remembered
from pathlib import Path
from threading import Lock
from time import monotonic

from django.core.cache import cache
from django.db import Error, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import VERSION

PATHS = ("/health/live", "/health/ready", "/health/version")
PROBE = 256 * 1024
"""Bytes that must be free beside the database; the largest write of an event is smaller."""
EVERY = 5
"""Seconds between two tries of a write."""
LOCK_SECONDS = 1.0
"""How long a try waits for the lock of an SQLite file; requests hold it for milliseconds."""


class WriteProbe:
    """Tests whether the database accepts writes, at most every ``EVERY`` seconds.

    The result is cached between tests.
    """

    def __init__(self) -> None:
        self._taking_turns = Lock()
        self.forget()

    def forget(self) -> None:
        """Discard the last result, so that the next call of ``word`` tries a write."""
        self._tried, self._word = float("-inf"), ""

    def word(self, file: Path | None) -> str:
        """Return ``full``, ``readonly``, ``locked`` or ``database``, "" if writes succeed.

        ``file`` is the SQLite file, if it is one. While another call tries, the latest word is
        returned.
        """
        with self._taking_turns:
            if monotonic() - self._tried < EVERY:
                return self._word
            self._tried = monotonic()
        try:
            self._word = (disk_fault(file) if file is not None else "") or _refuses_writes()
        except Error:
            self._word = "database"
        return self._word


writes = WriteProbe()


@require_safe
@never_cache
def liveness(request: HttpRequest) -> HttpResponse:
    """Respond 200 "ok": the process is alive."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def version(request: HttpRequest) -> HttpResponse:
    """Respond with the version of Girone as text."""
    return HttpResponse(f"{VERSION}\n", content_type="text/plain")


@require_safe
@never_cache
def readiness(request: HttpRequest) -> HttpResponse:
    """Respond 200 if results can be stored and read, else 503 with the cause as text."""
    why = unready_cause()
    if why:
        return HttpResponse(f"{why}\n", status=503, content_type="text/plain")
    answers = getattr(cache, "answers", None)  # only for a cache that can be lost
    word = "degraded: cache" if answers is not None and not answers() else "ok"
    return HttpResponse(f"{word}\n", content_type="text/plain")


def unready_cause() -> str:
    """Return why results can't be stored, "" if they can; one to three queries.

    One of ``database``, ``migrations``, ``full``, ``readonly``, ``locked``.
    """
    file = database_file()
    if file is not None and not file.exists():  # connecting would create an empty file
        return "database"
    try:
        if file is not None and shutil.disk_usage(file.parent).free < PROBE:
            return "full"
        why = writes.word(file)
        if why:
            return why
        behind = (
            not _needed_migrations() <= MigrationRecorder(connection).applied_migrations().keys()
        )
        return "migrations" if behind else ""
    except Error:
        return "database"


def database_file() -> Path | None:
    """Return the path of the SQLite file; None for another database or one in memory."""
    name = str(connection.settings_dict["NAME"])
    is_file = connection.vendor == "sqlite" and "memory" not in name
    return Path(name) if is_file else None


@remembered
def _needed_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this release; cached, as they can't change while it runs."""
    return frozenset(MigrationLoader(None).graph.nodes)


def disk_fault(file: Path) -> str:
    """Return ``full`` or ``readonly`` if the disk accepts no writes, else "".

    Writes `PROBE` bytes beside the database ``file``.
    """
    try:
        _write_beside(file)
    except OSError as error:
        return "full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "readonly"
    return ""


def _refuses_writes() -> str:
    """Return ``locked``, ``readonly`` or ``database`` if writes fail, else ""."""
    if connection.vendor == "postgresql":
        return _postgresql_is_read_only()
    try:
        _take_the_lock()
    except OperationalError as error:
        words = str(error).lower()
        if "locked" in words:
            return "locked"
        return "readonly" if "readonly" in words else "database"
    return ""


def _write_beside(file: Path) -> None:
    """Write a test file into the database's folder; raises OSError."""
    with tempfile.TemporaryFile(dir=file.parent, buffering=0) as probe:
        left = PROBE
        while left > 0:
            left -= probe.write(bytes(left))


def _take_the_lock() -> None:
    """Begin and roll back a write, waiting for `LOCK_SECONDS`; raises OperationalError."""
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {int(1000 * LOCK_SECONDS)}")
        try:
            if not connection.in_atomic_block:
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("ROLLBACK")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")


def _postgresql_is_read_only() -> str:
    """Return ``readonly`` if the server is a standby or set to read-only, else ""."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean"
        )
        return "readonly" if cursor.fetchone()[0] else ""
