"""``manage.py backup FILE|FOLDER``: a consistent copy of the database while the site runs."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from config import systems
from config.checks import is_sqlite_file
from config.database_file import copy_database, remove_database
from config.upkeep import BACKUP, record_task

NAMES = "girone-*.sqlite3"
MOST_COPIES = 100


def parse_copies(text: str) -> int:
    """Return the value of ``--keep`` as an integer, at least 1; raises ArgumentTypeError."""
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(_("A whole number."))
    return int(text)


class Command(BaseCommand):
    """Copies an SQLite database by SQLite's backup API, which includes every committed write."""

    help = (
        "Copies the SQLite database to FILE while the site runs, and checks the copy. In a folder "
        "the copy is named by the moment, and only the newest ones are kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file to write, or a folder")
        parser.add_argument(
            "--keep",
            type=parse_copies,
            default=MOST_COPIES,
            help=f"copies in a folder ({MOST_COPIES})",
        )

    def handle(self, *args: Any, file: Path, keep: int, **options: Any) -> None:
        """Write the copy under a temporary name, check it, then rename it."""
        require_sqlite()
        folder = file if file.is_dir() else None
        if folder:
            file = folder / f"girone-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.sqlite3"
        if not file.parent.is_dir():
            raise CommandError(_("“%(name)s” does not exist.") % {"name": file.parent})
        require_data()
        part = file.with_name(f"{file.name}.part")
        try:
            copy_database(connection.connection, part)
            systems.replace_file(part, file)
        except OSError as error:
            remove_database(part)
            words = _("“%(file)s” can’t be written: %(why)s.")
            raise CommandError(words % {"file": file, "why": error.strerror}) from None
        systems.sync_folder(file.parent)
        record_task(BACKUP)
        self.stdout.write(_("Saved: %(name)s") % {"name": file})
        for old in outdated_copies(folder, file, keep) if folder else []:
            old.unlink()


def require_sqlite() -> None:
    """Raise CommandError, naming the alternative, if the database is not SQLite."""
    if connection.vendor != "sqlite":
        raise CommandError(
            _("This only works with SQLite. For PostgreSQL, use pg_dump and pg_restore.")
        )


def require_data() -> None:
    """Raise CommandError if the database is missing, unreadable or was never migrated."""
    name = connection.settings_dict["NAME"]
    try:
        there = not is_sqlite_file(connection.settings_dict) or Path(name).exists()
        if there and any(MigrationRecorder(connection).applied_migrations()):
            return
    except DatabaseError as error:
        words = _("“%(file)s” can’t be read: %(why)s.")
        raise CommandError(words % {"file": name, "why": error}) from None
    words = _("“%(name)s” contains no Girone data.")
    raise CommandError(words % {"name": name})


def outdated_copies(folder: Path, newest: Path, keep: int) -> list[Path]:
    """Return the backups to delete, so that ``newest`` and the latest others are ``keep`` files.

    Includes temporary files of interrupted backups older than an hour.
    """
    others = sorted((path for path in folder.glob(NAMES) if path != newest), reverse=True)
    long_ago = newest.stat().st_mtime - 3600
    parts = [path for path in folder.glob(f"{NAMES}.part*") if path.stat().st_mtime < long_ago]
    return others[keep - 1 :] + parts
