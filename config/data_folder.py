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
    """Return whether the program was packaged by PyInstaller, without Python or sources on disk."""
    return bool(getattr(sys, "frozen", False))


def site_command() -> tuple[str, ...]:
    """Return the arguments that start a management command of this site in a new process.

    The caller appends the command's name and arguments.
    """
    if is_frozen():
        return (sys.executable,)
    script = ("-m", "girone") if not is_checkout() else (str(PROGRAM / "manage.py"),)
    return (sys.executable, *script)


def data_folder() -> Path:
    """Return the folder of the site's data.

    GIRONE_DATA if set; else the program's folder if it is a repository or holds a database; else
    the user's data folder (on Linux ~/.local/share/girone).
    """
    named = os.environ.get("GIRONE_DATA", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    if is_checkout() or (PROGRAM / DATABASE).exists():
        return PROGRAM
    return Path(platformdirs.user_data_dir("girone", appauthor=False))


def move_data(source: Path, target: Path) -> list[str]:
    """Move a stopped site's data to another folder; return the moved files' names in order.

    Everything is copied before anything is removed. Raises FileExistsError with the name of a file
    that the target already has, or OSError if the target can't be written; nothing has moved then.
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
        with source.open("rb") as old, systems.create_file(target) as new:
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
