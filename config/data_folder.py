"""Where a site keeps what is its own: database, key, erasures, certificates, collected files."""

import os
import shutil
import sys
from contextlib import suppress
from errno import ENOTDIR
from pathlib import Path

import platformdirs

from config import systems

PROGRAM = Path(__file__).resolve().parent.parent
"""The folder of the program's packages, templates and catalogues; nothing is written there."""
DATABASE, KEY = "db.sqlite3", ".secret-key"
KEPT = (".env", KEY, f"{DATABASE}*", "erasures.jsonl", "certificate")
"""What a data folder may hold that belongs to its site; collected files are made anew.

Beside the database lie its log of writes, rendered pages, and copies made by upgrades.
"""


PAUSED, FAILED = ".paused", "failed"
"""The file of a data folder that tells servers to begin with the page of an update; its text once
the update has failed.
"""


def is_checkout() -> bool:
    """Return whether the program runs from its repository, not as an installed package."""
    return (PROGRAM / "manage.py").is_file()


def is_frozen() -> bool:
    """Return whether PyInstaller made the program: it has no Python, and no sources on disk."""
    return bool(getattr(sys, "frozen", False))


def site_command() -> tuple[str, ...]:
    """Return how another process runs a command of this site; its name and arguments follow."""
    if is_frozen():
        return (sys.executable,)
    script = ("-m", "girone") if not is_checkout() else (str(PROGRAM / "manage.py"),)
    return (sys.executable, *script)


def data_folder() -> Path:
    """Return the folder of the site's data.

    It is GIRONE_DATA where that is set, the folder of the program where that is a repository or
    holds a database, else the user's folder for data of programs (on Linux ~/.local/share/girone).
    """
    named = os.environ.get("GIRONE_DATA", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    if is_checkout() or (PROGRAM / DATABASE).exists():
        return PROGRAM
    return Path(platformdirs.user_data_dir("girone", appauthor=False))


def move_data(source: Path, target: Path) -> list[str]:
    """Move a site's data to another folder; return the names of what was moved, in order.

    Nothing is removed before all is copied. Raises FileExistsError with the name of a file that
    the target has already, OSError if it can't be written: nothing is moved then. The site must
    not run.
    """
    names = [each.name for kept in KEPT for each in sorted(source.glob(kept))]
    for name in names:
        if (target / name).exists():
            raise FileExistsError(name)
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
    target.mkdir(parents=True, exist_ok=True)
    try:
        for name in names:
            _copy(source / name, target / name)
    except OSError:
        for name in names:
            _remove(target / name)
        raise
    for name in names:
        _remove(source / name)
    return names


def _copy(source: Path, target: Path) -> None:
    """Copy a file or a folder so that it is on the disk; a stick (FAT) may keep no modes."""
    if source.is_dir():
        target.mkdir(mode=0o700)
        for each in source.iterdir():
            _copy(each, target / each.name)
    else:
        with source.open("rb") as old, systems.open_new(target) as new:
            shutil.copyfileobj(old, new)
            new.flush()
            os.fsync(new.fileno())
    with suppress(OSError):
        shutil.copymode(source, target)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
