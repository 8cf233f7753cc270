"""Copies of a PostgreSQL database by its own programs: pg_dump, pg_restore and psql."""

import os
import subprocess
import tempfile
from pathlib import Path

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

from config.database_file import unreadable_database_error
from config.systems import print_line, replace_file
from config.upkeep import BACKUP, record_task


def dump_database(connection: BaseDatabaseWrapper, copy: Path) -> None:
    """Back up a PostgreSQL database by ``pg_dump``; print the result, or why it failed.

    copy: the file to write.
    """
    part = copy.with_name(f"{copy.name}.part")
    try:
        part.touch(0o600)
        _run("pg_dump", connection, "--format=custom", f"--file={part}")
        replace_file(part, copy)
    except (DumpError, OSError) as fault:
        part.unlink(missing_ok=True)
        why = getattr(fault, "strerror", None) or fault
        print_line(_("The backup by pg_dump failed: %(why)s") % {"why": why})
    else:
        record_task(BACKUP)
        print_line(_("Saved: %(name)s") % {"name": copy})


def restore_dump(connection: BaseDatabaseWrapper, copy: Path) -> None:
    """Replace all tables of a PostgreSQL database by a backup of ``pg_dump``.

    copy: the backup file. Tables that a later version added are dropped. Runs in one transaction;
    raises CommandError if it fails, with nothing changed.
    """
    tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names()))
    clear = f"DROP TABLE {tables} CASCADE" if tables else "SELECT 1"
    connection.close()
    once = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
    try:
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=settings.DATA) as folder:
            script = Path(folder) / "script.sql"
            _run("pg_restore", None, "--no-owner", "--no-acl", f"--file={script}", str(copy))
            wanted = (f"--command={clear}", f"--file={script}", f"--output={os.devnull}")
            _run("psql", connection, *once, *wanted)
    except DumpError as fault:
        raise unreadable_database_error(copy, fault) from None


def migrations_in_dump(copy: Path) -> set[tuple[str, str]]:
    """Return the (app, name) pairs of the migrations applied in a backup by ``pg_dump``.

    copy: the backup file. Raises CommandError with the reason if it can't be read.
    """
    wanted = ("--data-only", "--table=django_migrations", "--file=-")
    try:
        told = _run("pg_restore", None, *wanted, str(copy))
    except DumpError as fault:
        raise unreadable_database_error(copy, fault) from None
    rows = [line.split("\t") for line in told.splitlines()]
    return {(row[1], row[2]) for row in rows if len(row) == 4}


class DumpError(Exception):
    """A program of PostgreSQL can't be run or failed; the message is the program's."""


def _run(program: str, connection: BaseDatabaseWrapper | None, *options: str) -> str:
    """Run a program, on a database if one is given; return what it printed. Raises DumpError."""
    words, more = list(options), None
    if connection is not None:
        client = connection.client
        given, more = client.settings_to_cmd_args_env(connection.settings_dict, options)
        words = list(given[1:])
    try:
        done = subprocess.run(  # noqa: S603 - the operator's own programs
            [program, *words],
            env=os.environ | (more or {}),
            capture_output=True,
            text=True,
            check=True,
        )
    except OSError as fault:
        raise DumpError(fault.strerror) from None
    except subprocess.CalledProcessError as fault:
        raise DumpError(fault.stderr.strip()) from None
    return done.stdout
