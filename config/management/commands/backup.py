"""``manage.py backup FILE``: a whole copy of the database while the site runs."""

import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _


class Command(BaseCommand):
    """Copies an SQLite database by SQLite's own backup, which sees every acknowledged write."""

    help = "Copies the SQLite database to FILE while the site runs, and checks the copy."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file to write."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Write the copy beside the wanted file, check it, then put it in place."""
        if connection.vendor != "sqlite":
            raise CommandError(_("Only SQLite is copied this way. Use pg_dump for PostgreSQL."))
        if not file.parent.is_dir():
            raise CommandError(_("There is no folder %(name)s.") % {"name": file.parent})
        connection.ensure_connection()
        part = file.with_name(f"{file.name}.part")
        with closing(sqlite3.connect(part)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            fault = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if fault != "ok":
            part.unlink()
            raise CommandError(_("The copy is damaged: %(fault)s.") % {"fault": fault})
        part.replace(file)
        self.stdout.write(_("Saved: %(name)s") % {"name": file})
