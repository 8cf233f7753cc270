"""JSON files in ``HEADS_DIR``, beside the database: replaced atomically, under one lock.

``KEY.json`` is the head of an event's log by its key, ``addresses/SLUG.json`` the heads of events
that were deleted (``heads``); ``keys/NAME.json`` a key of another site, ``lost/DIGEST.json`` a line
whose key is lost (``accepted``).
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import locks

ADDRESSES, KEYS, LOST = "addresses", "keys", "lost"
"""Folders beside the heads."""
ACCEPTED = (KEYS, LOST)
"""Folders with what the operator has accepted."""


def heads_folder() -> Path:
    """Return the folder of the heads; it need not be there yet."""
    return Path(settings.HEADS_DIR)


def read_json(path: Path) -> Any:
    """Return the JSON of a file, None without the file. Raises ValueError, OSError."""
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def locked_folder(folder: Path | None = None) -> Iterator[Path]:
    """Hold the lock of the folder, which is made where it is missing. Raises OSError."""
    folder = folder or heads_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as handle:
        locks.lock(handle, locks.LOCK_EX)
        try:
            yield folder
        finally:
            locks.unlock(handle)


def write_json(path: Path, content: Any) -> None:
    """Replace a file, which only its owner may read; its folder is made. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".head-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(json.dumps(content, indent=1) + "\n")
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
