"""Data of other versions: newer data is refused, older data is backed up before it is migrated.

A database of SQLite tells by its ``user_version`` which version prepared it last; so do copies of
it. Beside it lie the backups, named by the moment and that version.
"""

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from config import VERSION
from config.checks import is_sqlite_file
from config.database_file import unreadable_database_error
from config.databases.dumps import dump_database
from config.databases.moving import unapplied_migrations, unknown_migrations

MOST_BACKUPS = 3
UNKNOWN = "unknown"
"""The version of a database that was written before versions were kept in it."""


def version_number(version: str) -> int:
    """Return a version like "1.2.3" as an integer that sorts like versions: 1002003."""
    major, minor, patch = map(int, version.split("."))
    return (major * 1000 + minor) * 1000 + patch


def version_from_number(number: int) -> str:
    """Return the version text of a ``version_number``; ``UNKNOWN`` for 0."""
    if not number:
        return UNKNOWN
    return f"{number // 1_000_000}.{number // 1000 % 1000}.{number % 1000}"


def require_supported_version(name: object, number: int, unknown: list[str]) -> None:
    """Raise CommandError if a newer version of the program wrote the database.

    name: of the database, for the message. number: its ``user_version``. unknown: its migrations
    that this version lacks.
    """
    if number > version_number(VERSION):
        names = version_from_number(number)
    elif unknown:
        names = ", ".join(unknown[:3]) + (" …" if len(unknown) > 3 else "")
    else:
        return
    words = _(
        "“%(name)s” was written by a newer version of Girone (%(names)s). Install that version."
    )
    raise CommandError(words % {"name": name, "names": names})


def back_up_before_migration(connection: BaseDatabaseWrapper) -> None:
    """Back up a database if it has data and unapplied migrations; keep the newest three backups.

    For PostgreSQL ``pg_dump`` writes into the data folder; if that fails, the reason is printed.
    Raises CommandError if a newer version wrote the database, if it can't be read, or if an SQLite
    backup can't be written.
    """
    name = connection.settings_dict["NAME"]
    try:
        number = recorded_version_number(connection)
        require_supported_version(name, number, unknown_migrations(connection))
        has_data = bool(MigrationRecorder(connection).applied_migrations())
        if not (has_data and unapplied_migrations(connection)):
            return
    except DatabaseError as error:
        raise unreadable_database_error(name, error) from None
    is_file = is_sqlite_file(connection.settings_dict)
    if not is_file and connection.vendor == "sqlite":
        return
    file = Path(name) if is_file else Path(settings.DATA) / connection.vendor
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    copy = file.with_name(f"{file.name}.{moment}-version-{version_from_number(number)}")
    if is_file:
        call_command("backup", copy, skip_checks=True)
    else:
        dump_database(connection, copy)
    for old in upgrade_backups(file)[:-MOST_BACKUPS]:
        old.unlink()


def upgrade_backups(file: Path) -> list[Path]:
    """Return the backups of a database that upgrades made, oldest first.

    file: the database's path, by which they are named.
    """
    found = file.parent.glob(f"{file.name}.*-version-*")
    return sorted(copy for copy in found if copy.suffix != ".part")


def recorded_version_number(connection: BaseDatabaseWrapper) -> int:
    """Return the number of the version that last prepared a database.

    0 if unknown, as always for PostgreSQL.
    """
    if connection.vendor != "sqlite":
        return 0
    with connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA user_version").fetchone()[0])


def record_version(connection: BaseDatabaseWrapper) -> None:
    """Record in an SQLite database that this version has prepared it."""
    number = version_number(VERSION)
    if connection.vendor == "sqlite" and recorded_version_number(connection) != number:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA user_version = {number}")
