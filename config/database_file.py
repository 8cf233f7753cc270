"""SQLite databases as files: copy, inspect, replace."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from config import systems

BESIDE = ("-wal", "-shm", "-journal")  # files that SQLite keeps beside an open database


def database_url(path: Path) -> str:
    """Return the value of DATABASE_URL for an SQLite file."""
    return f"sqlite:///{quote(str(path.resolve()))}"


def unreadable_database_error(file: Path | str, why: object) -> CommandError:
    """Return the CommandError that a database file can't be read; why: SQLite's reason."""
    return CommandError(_("“%(file)s” can’t be read: %(why)s.") % {"file": file, "why": why})


def copy_database(source: sqlite3.Connection, file: Path) -> None:
    """Copy a database into ``file`` (mode 0600, without WAL) and check its integrity.

    source: an open connection. Raises CommandError if the copy is damaged, after removing it.
    """
    remove_database(file)
    systems.create_file(file).close()
    try:
        with closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            fault = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if fault != "ok":
            raise unreadable_database_error(file, fault)
    except sqlite3.Error as error:
        remove_database(file)
        raise unreadable_database_error(file, error) from None
    except BaseException:
        remove_database(file)
        raise


def open_read_only(file: Path) -> sqlite3.Connection:
    """Return a read-only connection to a database file; raises sqlite3.Error."""
    return sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)


def read_version_number(file: Path) -> int:
    """Return the ``user_version`` of a database file. Raises CommandError with SQLite's reason."""
    try:
        with closing(open_read_only(file)) as database:
            return int(database.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error as error:
        raise unreadable_database_error(file, error) from None


def applied_migrations(file: Path) -> set[tuple[str, str]]:
    """Return the (app, name) pairs of the migrations applied in a database file.

    Raises CommandError with the reason if SQLite can't read it.
    """
    try:
        with closing(open_read_only(file)) as database:
            wanted = "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
            if database.execute(wanted).fetchone() is None:
                return set()
            return set(database.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.Error as error:
        raise unreadable_database_error(file, error) from None


def processes_using(file: Path) -> list[int]:
    """Return the ids of other processes that have the database open; Linux only, else empty."""
    return systems.processes_using(f"{file.resolve()}{ending}" for ending in ("", *BESIDE))


def is_database_in_use(file: Path) -> bool:
    """Return whether another process has the database open; if not, merge its WAL into the file.

    A damaged file counts as not in use.
    """
    try:
        with closing(sqlite3.connect(file, timeout=1)) as database:
            return database.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete"
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False


def require_database_closed(database: Path) -> None:
    """Raise CommandError if another process has the database open."""
    if open_in := processes_using(database):
        numbers = ", ".join(map(str, open_in))
        raise CommandError(f"{database_in_use_message()} ({numbers})")
    if database.exists() and is_database_in_use(database):
        raise CommandError(database_in_use_message())


def database_in_use_message() -> str:
    """Return the message that another process has the database open."""
    return _("The database is open in another process. Stop the site first.")


def replace_database(new: Path, file: Path, aside: Path) -> bool:
    """Move the database ``new`` to ``file``, and the old one, if any, to ``aside``.

    Return whether there was an old one. Its WAL moves along, as it would otherwise be applied to
    the new database. If the file system has hard links, ``file`` exists at every moment.
    """
    for ending in BESIDE:
        left = Path(f"{file}{ending}")
        if left.exists():
            left.rename(f"{aside}{ending}")
    before = file.exists()
    if before:
        systems.link_or_move(file, aside)
        with suppress(OSError):  # a stick (FAT) keeps no modes
            aside.chmod(systems.PRIVATE)
    systems.replace_file(new, file)
    systems.sync_folder(file.parent)
    return before


def remove_database(file: Path) -> None:
    """Remove a database and the files that SQLite keeps beside it, if they exist."""
    for ending in ("", *BESIDE):
        Path(f"{file}{ending}").unlink(missing_ok=True)
