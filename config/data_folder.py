"""Where a site keeps what is its own: database, key, erasures, certificates, collected files."""

import os
import shutil
import sys
from pathlib import Path

import platformdirs

PROGRAM = Path(__file__).resolve().parent.parent
"""The folder of the program's packages, templates and catalogues; nothing is written there."""
KEPT = (
    ".env",
    ".secret-key",
    *(
        f"db.sqlite3{ending}"
        for ending in ("", "-wal", "-shm", ".alive", ".pages", ".backup", ".verify")
    ),
    "erasures.jsonl",
    "certificate",
)
"""What a data folder may hold that belongs to its site; collected files are made anew."""


def is_checkout() -> bool:
    """Return whether the program runs from its repository, not as an installed package."""
    return (PROGRAM / "manage.py").is_file()


def site_command() -> tuple[str, ...]:
    """Return how another process runs a command of this site; its name and arguments follow."""
    script = ("-m", "girone") if not is_checkout() else (str(PROGRAM / "manage.py"),)
    return (sys.executable, *script)


def data_folder() -> Path:
    """Return the folder of the site's data.

    It is GIRONE_DATA where that is set, the repository where the program runs from it, else the
    user's folder for data of programs (on Linux ~/.local/share/girone).
    """
    named = os.environ.get("GIRONE_DATA", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    if is_checkout():
        return PROGRAM
    return Path(platformdirs.user_data_dir("girone", appauthor=False))


def move_data(source: Path, target: Path) -> list[str]:
    """Move a site's data to another folder; return the names of what was moved, in order.

    Raises FileExistsError with the name of a file that the target has already: nothing is moved
    then. The site must not run.
    """
    names = [name for name in KEPT if (source / name).exists()]
    for name in names:
        if (target / name).exists():
            raise FileExistsError(name)
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.move(source / name, target / name)
    return names
