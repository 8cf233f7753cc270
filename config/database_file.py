"""SQLite databases as files: copy, inspect, replace."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

BESIDE = ("-wal", "-shm", "-journal")  # files that SQLite keeps beside an open database
PRIVATE = 0o600


def database_url(path: Path) -> str:
    """Return the value of DATABASE_URL for this file."""
    return f"sqlite:///{quote(str(path.resolve()))}"


def unreadable(file: Path, why: object) -> CommandError:
    """Return the error for a file that is no database, or a damaged one."""
    return CommandError(_("“%(file)s” can't be read: %(why)s.") % {"file": file, "why": why})


def copy_database(source: sqlite3.Connection, file: Path) -> None:
    """Copy the source into ``file`` (mode 0600), a database without WAL, and check it.

    Raises CommandError if the copy is damaged, after removing it.
    """
    remove(file)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    try:
        with closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            fault = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if fault != "ok":
            raise unreadable(file, fault)
    except sqlite3.Error as error:
        remove(file)
        raise unreadable(file, error) from None
    except BaseException:
        remove(file)
        raise


def migrations_in(file: Path) -> set[tuple[str, str]]:
    """Return (app, name) of the migrations applied in the file; empty if there are none.

    Raises CommandError with the reason if SQLite can't read it.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as database:
            wanted = "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
            if database.execute(wanted).fetchone() is None:
                return set()
            return set(database.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.Error as error:
        raise unreadable(file, error) from None


def processes_using(file: Path) -> list[int]:
    """Return the ids of the processes that have the database open; Linux only, else empty."""
    names = {f"{file.resolve()}{ending}" for ending in ("", *BESIDE)}
    found = set()
    for handle in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):  # another user's process, or closed meanwhile
            if str(handle.readlink()) in names:
                found.add(int(handle.parts[2]))
    return sorted(found - {os.getpid()})


def is_locked(file: Path) -> bool:
    """Return whether the database is open elsewhere; if not, its WAL is merged into the file.

    SQLite leaves WAL mode only for the last connection. A damaged file counts as not locked.
    """
    try:
        with closing(sqlite3.connect(file, timeout=1)) as database:
            return database.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete"
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False


def refuse_open(database: Path) -> None:
    """Raise CommandError while any process has the database open."""
    if open_in := processes_using(database):
        numbers = ", ".join(map(str, open_in))
        raise CommandError(f"{words_of_open()} ({numbers})")
    if database.exists() and is_locked(database):
        raise CommandError(words_of_open())


def words_of_open() -> str:
    """Return what is said where another process has a database open."""
    return _("The database is open in another process. Stop the site first.")


def put_in_place(new: Path, file: Path, aside: Path) -> bool:
    """Replace the database ``file`` by ``new``; the old one becomes ``aside``.

    Its WAL moves along, which would otherwise be applied to the new one. The path always exists.
    Return whether there was a database before.
    """
    for ending in BESIDE:
        left = Path(f"{file}{ending}")
        if left.exists():
            left.rename(f"{aside}{ending}")
    before = file.exists()
    if before:
        try:
            os.link(file, aside)
        except OSError:  # a file system without hard links
            file.rename(aside)
        aside.chmod(PRIVATE)
    new.replace(file)
    sync_folder(file.parent)
    return before


def remove(file: Path) -> None:
    """Remove a database and the files SQLite keeps beside it, if they exist."""
    for ending in ("", *BESIDE):
        Path(f"{file}{ending}").unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
