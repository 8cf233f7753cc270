"""State of the site for its operator: versions, disk, database, last backup and check, queues.

A command that backs up or verifies the whole site leaves a small file beside the database
(``record_task``). Its time is when that was done, so ``touch`` notes a backup by another program.
"""

import json
import platform
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import Error, connection

from config import VERSION
from config.health import database_file
from config.systems import replace_file

BACKUP, VERIFY = "backup", "verify"
SQLITE_FILES = ("", "-wal")

Counts = Mapping[str, int]


QUEUES: dict[str, Callable[[], Counts]] = {}
"""Queues of the site by name, entered by those who keep them; each counts its rows by state."""


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """When a backup or check of the logs last succeeded.

    ``differences``: number of events in which the check found errors.
    """

    at: datetime
    differences: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteInfo:
    """State of the site: versions, sizes in bytes, last backup and check, queues.

    None: unknown or never done. ``queues`` are numbers of rows by state, by the queue's name.
    """

    version: str
    python: str
    database: str
    database_bytes: int | None
    disk_free: int | None
    disk_bytes: int | None
    backup: TaskRecord | None
    verified: TaskRecord | None
    queues: Mapping[str, Counts] = field(default_factory=dict)


def record_task(kind: str, *, differences: int = 0) -> None:
    """Record that a backup or check succeeded now, in a file beside the database.

    kind: ``BACKUP`` or ``VERIFY``. differences: events with errors. A folder that can't be written
    is ignored.
    """
    file = _note(kind)
    if file is not None:
        with suppress(OSError):
            file.write_text(json.dumps({"differences": differences}))


def task_record_file(database: Path, kind: str) -> Path:
    """Return the path of the file that records a task.

    database: path of the database. kind: ``BACKUP`` or ``VERIFY``.
    """
    return Path(f"{database}.{kind}")


def move_task_record(kind: str, old: Path, new: Path) -> None:
    """Move the record of a task when database ``new`` takes the place of ``old``.

    kind: ``BACKUP`` or ``VERIFY``.
    """
    if (note := task_record_file(old, kind)).exists():
        replace_file(note, task_record_file(new, kind))


def last_task_record(kind: str) -> TaskRecord | None:
    """Return the record of the site's last backup or check; None if there is none.

    kind: ``BACKUP`` or ``VERIFY``. None too if it can't be read.
    """
    file = _note(kind)
    if file is None:
        return None
    try:
        at, text = datetime.fromtimestamp(file.stat().st_mtime, UTC), file.read_text()
        return TaskRecord(at, int(json.loads(text or "{}").get("differences", 0)))
    except (OSError, ValueError, AttributeError, TypeError):
        return None


def site_info() -> SiteInfo:
    """Return the state of the site; one query for PostgreSQL, and those of the queues."""
    disk_free = disk_bytes = None
    with suppress(OSError):
        usage = shutil.disk_usage(_beside().parent)
        disk_free, disk_bytes = usage.free, usage.total
    return SiteInfo(
        version=VERSION,
        python=platform.python_version(),
        database=connection.display_name,
        database_bytes=_database_bytes(),
        disk_free=disk_free,
        disk_bytes=disk_bytes,
        backup=last_task_record(BACKUP),
        verified=last_task_record(VERIFY),
        queues={name: found for name, counts in QUEUES.items() if (found := _counted(counts))},
    )


def _counted(counts: Callable[[], Counts]) -> Counts:
    try:
        return counts()
    except Error:
        return {}


def _beside() -> Path:
    """Return the path whose folder holds the site's data, and with which its notes begin."""
    return database_file() or Path(settings.DATA) / connection.vendor


def _note(kind: str) -> Path | None:
    """Return the file of a note; None for a database in memory."""
    if database_file() is None and connection.vendor == "sqlite":
        return None
    return task_record_file(_beside(), kind)


def _database_bytes() -> int | None:
    file = database_file()
    if file is not None:
        files = (Path(f"{file}{ending}") for ending in SQLITE_FILES)
        return sum(each.stat().st_size for each in files if each.exists())
    if connection.vendor != "postgresql":
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    except Error:
        return None
