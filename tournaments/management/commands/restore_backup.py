"""``manage.py restore_backup FILE``: replace the database by a copy made by ``backup``.

For PostgreSQL the copy is one by ``pg_dump``. Exit 0; 1 if restored but ``verify`` found
differences; 2 if nothing was changed.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from config import upkeep
from config.checks import is_sqlite_file
from config.data_folder import site_command
from config.database_file import (
    applied_migrations,
    copy_database,
    database_in_use_message,
    database_url,
    is_database_in_use,
    open_read_only,
    read_version_number,
    remove_database,
    replace_database,
    require_database_closed,
)
from config.databases.dumps import dump_database, migrations_in_dump, restore_dump
from config.databases.upgrades import require_supported_version
from tournaments.management import NotDoneError

DIFFERENT = 1
STEPS = (["migrate", "--verbosity", "0"], ["erase_person", "--again"], ["outbox", "--drop"])
"""Commands that a copy goes through before it is the database, in this order."""
VERIFY = ["verify", "--all"]
OURS = ("accounts", "decks", "tournaments")


class Command(BaseCommand):
    """Command that checks and migrates a backup, and replaces the database with it."""

    help = (
        "Puts a copy made by `backup` in the place of the SQLite database, which is kept aside: "
        "exit 0, 1 restored with differences that `verify` names, 2 nothing was changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the backup file and the options."""
        parser.add_argument("file", type=Path, help="a file written by backup")
        parser.add_argument(
            "--check", action="store_true", help="a drill: all but putting it in place"
        )

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        """Restore, or with ``check`` try it on a temporary copy."""
        if connection.vendor == "postgresql" and not check:
            self.restore_dump(file)
            return
        try:
            different = self.drill(file) if check else self.restore(file)
        except CommandError as error:
            raise NotDoneError(str(error)) from None
        if different:
            sys.exit(DIFFERENT)

    def restore_dump(self, file: Path) -> None:
        """Replace the tables of PostgreSQL, which ``pg_dump`` copies first; then as with SQLite."""
        try:
            require_file(file)
            require_own_data(file, migrations_in_dump(file), 0)
            dump_database(
                connection, replaced_database_path(Path(settings.DATA) / connection.vendor)
            )
            restore_dump(connection, file)
        except CommandError as error:
            raise NotDoneError(str(error)) from None
        for step in STEPS:
            call_command(*step)
        self.stdout.write(_("Restored: %(name)s") % {"name": connection.settings_dict["NAME"]})
        call_command(*VERIFY)

    def drill(self, file: Path) -> bool:
        """Try the restoration on a temporary copy; return whether ``verify`` found differences."""
        sqlite_path()
        with tempfile.TemporaryDirectory(prefix="girone-") as folder:
            return self.prepare(file, Path(folder) / "drill.sqlite3")

    def restore(self, file: Path) -> bool:
        """Replace the database; return whether ``verify`` found differences.

        Raises CommandError before any change.
        """
        database = sqlite_path()
        if file.resolve() == database:
            raise CommandError(_("This file is the database itself."))
        require_database_closed(database)
        new = database.with_name(f"{database.name}.restoring")
        kept = replaced_database_path(database)
        try:
            different = self.prepare(file, new)
            require_database_closed(database)  # somebody may have started the site meanwhile
            before = replace_database(new, database, kept)
            upkeep.move_task_record(upkeep.VERIFY, new, database)
        finally:
            remove_database(new)
            upkeep.task_record_file(new, upkeep.VERIFY).unlink(missing_ok=True)
            shutil.rmtree(f"{new}.pages", ignore_errors=True)
        self.stdout.write(_("Restored: %(name)s") % {"name": database})
        if before:
            self.stdout.write(_("Saved: %(name)s") % {"name": kept})
        return different

    def prepare(self, file: Path, new: Path) -> bool:
        """Copy the backup to ``new``, migrate it, and verify all its events.

        Return whether there are differences. Raises CommandError for an invalid or damaged file,
        or one of a newer version of Girone.
        """
        check_backup(file)
        try:
            with closing(open_read_only(file)) as source:
                copy_database(source, new)
        except (OSError, sqlite3.Error) as error:
            words = _("“%(file)s” can’t be written: %(why)s.")
            raise CommandError(words % {"file": new, "why": error}) from None
        for step in STEPS:
            done = run_command(step, new)
            if done.returncode:
                raise CommandError(last_line(done.stderr))
        verified = run_command(VERIFY, new)
        self.stdout.write(verified.stdout, ending="")
        if verified.returncode not in (0, DIFFERENT) or not verified.stdout:
            raise CommandError(last_line(verified.stderr))
        if is_database_in_use(new):  # also puts what waits in its WAL into the file
            raise CommandError(database_in_use_message())
        return bool(verified.returncode)


def sqlite_path() -> Path:
    """Return the path of the SQLite file. Raises CommandError for other databases."""
    if connection.vendor != "sqlite":
        raise CommandError(
            _("This only works with SQLite. For PostgreSQL, use pg_dump and pg_restore.")
        )
    if not is_sqlite_file(connection.settings_dict):
        raise CommandError(
            _("This only works with SQLite. For PostgreSQL, use pg_dump and pg_restore.")
        )
    connection.close()
    return Path(connection.settings_dict["NAME"]).resolve()


def replaced_database_path(database: Path) -> Path:
    """Return a new file name, with the time, under which to keep a replaced database."""
    return database.with_name(f"{database.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")


def check_backup(file: Path) -> None:
    """Raise CommandError for a file that isn't a backup, or of a newer version."""
    require_file(file)
    require_own_data(file, applied_migrations(file), read_version_number(file))


def require_file(file: Path) -> None:
    """Raise CommandError if there is no such file."""
    if not file.is_file():
        raise CommandError(_("“%(name)s” does not exist.") % {"name": file})


def require_own_data(file: Path, migrations: set[tuple[str, str]], number: int) -> None:
    """Raise CommandError for data of another program, or of a newer version.

    ``migrations`` are the (app, name) applied in the copy, ``number`` its ``user_version``.
    """
    found = {(app, name) for app, name in migrations if app in OURS}
    if not found:
        raise CommandError(_("“%(name)s” contains no Girone data.") % {"name": file})
    known = MigrationLoader(None).disk_migrations
    require_supported_version(
        file, number, sorted(f"{app} {name}" for app, name in found - set(known))
    )


def run_command(command: list[str], database: Path) -> subprocess.CompletedProcess[str]:
    """Run a ``manage.py`` command on an SQLite database; return the finished process.

    ``command`` is its name and arguments.
    """
    return subprocess.run(  # noqa: S603 - our own commands
        [*site_command(), *command],
        env=os.environ | {"DATABASE_URL": database_url(database), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def last_line(text: str) -> str:
    """Return the last line of a command's output, which names the error, or "?"."""
    return next(reversed(text.strip().splitlines()), "?")
