"""An SQLite database as a file: copied whole, looked through, put in the place of another."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps next to a database that is open
PRIVATE = 0o600


def address(path: Path) -> str:
    """Return the value of DATABASE_URL that means this file."""
    return f"sqlite:///{quote(str(path.resolve()))}"


def copy_whole(source: sqlite3.Connection, file: Path) -> None:
    """Write what the source holds into ``file`` (0600), a database of one file, and check it.

    Raises CommandError when the copy is damaged; then there is no such file.
    """
    remove(file)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    try:
        with closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            fault = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if fault != "ok":
            raise CommandError(_("The copy is damaged: %(fault)s.") % {"fault": fault})
    except sqlite3.Error as error:
        remove(file)
        raise CommandError(_("The copy is damaged: %(fault)s.") % {"fault": error}) from None
    except BaseException:
        remove(file)
        raise


def migrations_in(file: Path) -> set[tuple[str, str]]:
    """Return app and name of the migrations that the file has; none where it is no database.

    Raises CommandError with the reason when SQLite can't read it.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as database:
            wanted = "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
            if database.execute(wanted).fetchone() is None:
                return set()
            return set(database.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.Error as error:
        words = _("“%(file)s” can't be read as a database: %(fault)s.")
        raise CommandError(words % {"file": file, "fault": error}) from None


def holders(file: Path) -> list[int]:
    """Return the processes that have the database open, as far as Linux tells; else none."""
    names = {f"{file.resolve()}{ending}" for ending in ("", *BESIDE)}
    found = set()
    for handle in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):  # of somebody else, or closed meanwhile
            if str(handle.readlink()) in names:
                found.add(int(handle.parts[2]))
    return sorted(found - {os.getpid()})


def is_locked(file: Path) -> bool:
    """Say whether somebody else has the database open; else what waits in its WAL is in the file.

    SQLite leaves the WAL mode only for the last one who has the database open. A damaged file
    tells nothing and is not locked.
    """
    try:
        with closing(sqlite3.connect(file, timeout=1)) as database:
            return database.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete"
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False


def put_in_place(new: Path, file: Path, aside: Path) -> bool:
    """Make ``new`` the database ``file``; what was there is ``aside`` afterwards.

    Also what SQLite had left beside it, which would be played into the new one. At no moment is
    there no database. Return whether there was one before.
    """
    for ending in BESIDE:
        left = Path(f"{file}{ending}")
        if left.exists():
            left.rename(f"{aside}{ending}")
    before = file.exists()
    if before:
        try:
            os.link(file, aside)
        except OSError:  # a file system without links
            file.rename(aside)
        aside.chmod(PRIVATE)
    new.replace(file)
    sync_folder(file.parent)
    return before


def remove(file: Path) -> None:
    """Remove a database and what SQLite keeps beside it, as far as they are there."""
    for ending in ("", *BESIDE):
        Path(f"{file}{ending}").unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a pulled plug, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
