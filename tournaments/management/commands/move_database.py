"""``manage.py move_database --from sqlite:///FILE``: fill an empty PostgreSQL from an SQLite file.

Run with the ``DATABASE_URL`` of the new database. Exit 0; 1 if ``verify`` finds differences, 2 if
the databases are refused or a row can't be copied. Unless 0, the new database is as it was.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

from config import env
from config.database_file import database_in_use_message, processes_using, require_database_closed
from config.databases import moving
from config.databases.upgrades import recorded_version_number, require_supported_version
from tournaments.management import NotDoneError
from tournaments.models import Event
from tournaments.verification.event import verify_event

DIFFERENT = 1
OLD = "moved_from"
"""Alias of the old database while the command runs."""


class DifferencesError(Exception):
    """Error: ``verify`` finds differences in the copy, the same as in the original."""


class Command(BaseCommand):
    """Command that copies an SQLite database to PostgreSQL.

    It compares and verifies the copy in the same transaction.
    """

    help = (
        "Fills the empty, migrated PostgreSQL database of DATABASE_URL from an SQLite file: exit "
        "0, 1 not done because `verify` finds differences, 2 not done."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the old database."""
        parser.add_argument(
            "--from", dest="old", required=True, help="the old database: sqlite:///FILE"
        )
        parser.add_argument(
            "--as-is", action="store_true", help="move also events in which verify finds something"
        )

    def handle(self, *args: Any, old: str, as_is: bool, **options: Any) -> None:
        """Move the database, or raise CommandError and leave the new one as it was."""
        try:
            with open_old_database(sqlite_file(old)) as source:
                check_migrations_match(source)
                check_new_database_empty()
                self.move(source, as_is=as_is)
        except DifferencesError:
            self.stderr.write(
                _("The old database has the same errors. Fix them there, or use --as-is.")
            )
            sys.exit(DIFFERENT)
        except (CommandError, DatabaseError, moving.CopyError, OSError) as error:
            raise NotDoneError(copy_error_text(error)) from None
        self.stdout.write(_("Done. Keep the old file as a backup."))

    def move(self, source: BaseDatabaseWrapper, *, as_is: bool) -> None:
        """Copy and prove all rows in one transaction of each database.

        Raises CommandError, CopyError, DatabaseError, DifferencesError; then nothing is stored.
        """
        with transaction.atomic(using=OLD), transaction.atomic():
            moving.lock_tables(connection)
            check_new_database_empty()  # somebody may have written since the first look
            wanted = moving.copy_rows(source, connection)
            self.compare(wanted)
            found = self.verify()
            if found and not as_is:
                raise DifferencesError
            moving.set_sequences(source, connection)
            check_not_opened_elsewhere(source)

    def compare(self, wanted: dict[str, moving.TableContent]) -> None:
        """Read everything back; raise CommandError if a row is another one."""
        found = moving.read_contents(connection)
        wrong = sorted(table for table in wanted if wanted[table] != found[table])
        if wrong:
            words = _("Rows differ in the new database: %(tables)s.")
            raise CommandError(words % {"tables": ", ".join(wrong)})
        for table, content in wanted.items():
            if content.rows:
                self.stdout.write(f"{table}: {content.rows}")

    def verify(self) -> bool:
        """Compute every event in the new database again; return whether anything differs."""
        events, different = list(Event.objects.order_by("pk")), False
        for event in events:
            for finding in verify_event(event):
                self.stdout.write(f"{event.slug}: {finding}")
                different = True
        self.stdout.write(_("Events verified: %(count)s.") % {"count": len(events)})
        if not different:
            self.stdout.write(_("No differences found."))
        return different


def sqlite_file(address: str) -> Path:
    """Return the path of the SQLite file in a database URL (``sqlite:///FILE``).

    Raises CommandError for another URL or a missing file.
    """
    if not address.startswith("sqlite:///"):
        raise CommandError(_("The old database must be sqlite:///FILE."))
    try:
        found = env.parse_database_url(address)
    except ImproperlyConfigured:
        raise CommandError(_("The old database must be sqlite:///FILE.")) from None
    file = Path(str(found["NAME"]))
    if not file.is_file():
        raise CommandError(_("“%(name)s” does not exist.") % {"name": file})
    return file.resolve()


@contextmanager
def open_old_database(file: Path) -> Iterator[BaseDatabaseWrapper]:
    """Context manager: the connection to the old SQLite ``file``, opened exclusively.

    Raises CommandError while another process has it open, or if the new one isn't PostgreSQL.
    """
    if connection.vendor != "postgresql":
        raise CommandError(_("DATABASE_URL must name the new PostgreSQL database."))
    require_database_closed(file)
    described = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {"timeout": 1, "transaction_mode": "EXCLUSIVE"},
    }
    connections.settings[OLD] = connections.configure_settings({OLD: described, "default": {}})[OLD]
    try:
        yield connections[OLD]
    finally:
        connections[OLD].close()
        del connections[OLD]
        del connections.settings[OLD]


def check_migrations_match(source: BaseDatabaseWrapper) -> None:
    """Raise CommandError unless both databases have exactly the known migrations.

    ``source`` is the connection to the old one.
    """
    lacking = _("Run manage.py migrate for “%(name)s” first (%(names)s).")
    for each in (source, connection):
        name, names = each.settings_dict["NAME"], moving.unapplied_migrations(each)
        if names:
            shown = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
            raise CommandError(lacking % {"name": name, "names": shown})
        require_supported_version(
            name, recorded_version_number(each), moving.unknown_migrations(each)
        )


def check_not_opened_elsewhere(source: BaseDatabaseWrapper) -> None:
    """Raise CommandError if another process has opened the old database."""
    if processes_using(Path(source.settings_dict["NAME"])):
        raise CommandError(database_in_use_message())


def check_new_database_empty() -> None:
    """Raise CommandError if the new database has rows."""
    found = moving.tables_with_rows(connection)
    if found:
        words = _("The new database is not empty (%(tables)s).")
        raise CommandError(words % {"tables": ", ".join(found[:3])})


def copy_error_text(error: Exception) -> str:
    """Return the message for an error during the copy."""
    if isinstance(error, moving.CopyError):
        words = _("A row of %(table)s can’t be stored in the new database: %(why)s")
        return words % {"table": error.table or "?", "why": error.why}
    return str(error).strip()
