"""The head of each event's log (number and digest of its last line) in a file beside the database.

It reveals that lines were cut off the end of a log. It is replaced atomically after the commit,
under a file lock, and never by an earlier head: it may lag behind the log, never lead.
"""

import contextlib
import json
import logging
import os
import tempfile
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import locks
from django.db import transaction

from tournaments.chain.keys import signed
from tournaments.models import Event
from tournaments.models.touched import forget

logger = logging.getLogger(__name__)
Head = dict[str, Any]


def keep_head(event: Event) -> None:
    """Store the head of an event's log in its file once the transaction is committed."""
    head = {
        "event": event.slug,
        "created": _created(event),
        "number": event.version,
        "digest": event.head,
        "signature": signed(event.version, event.head),
    }
    key = event.pk
    transaction.on_commit(lambda: _write(key, head), robust=True)


def kept_head(event: Event) -> Head | None:
    """Return the stored head of an event, None without a file. Raises ValueError, OSError."""
    path = _path(event.pk)
    if not path.exists():
        return None
    found = json.loads(path.read_text())
    if not isinstance(found, dict) or type(found.get("number")) is not int:
        raise ValueError(path.name)
    return found


def is_of(event: Event, head: Head) -> bool:
    """Return whether a head is of this event, not of one with the same key in another database."""
    return bool(head.get("created") == _created(event))


def drop_head(key: int) -> None:
    """Delete the file of a deleted event after the commit.

    Also drops the marks of its rows, as no further line of its log will be written.
    """
    forget()
    transaction.on_commit(lambda: _path(key).unlink(missing_ok=True), robust=True)


def _created(event: Event) -> str:
    return event.created_at.astimezone(UTC).isoformat(timespec="microseconds")


def _path(key: int) -> Path:
    return Path(settings.HEADS_DIR) / f"{key}.json"


def _write(key: int, head: Head) -> None:
    """Replace the file unless it is ahead; a failure is logged and does not undo the act."""
    try:
        with _locked():
            path = _path(key)
            former = _former(path)
            same = former.get("created") == head["created"]
            if not same or former.get("number", 0) < head["number"]:
                _replace(path, json.dumps(head, indent=1))
    except OSError as fault:
        logger.warning("The head of event %s could not be kept in its file: %s", key, fault)


def _former(path: Path) -> Head:
    with contextlib.suppress(FileNotFoundError, ValueError):
        found = json.loads(path.read_text())
        return found if isinstance(found, dict) else {}
    return {}


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    folder = Path(settings.HEADS_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as handle:
        locks.lock(handle, locks.LOCK_EX)
        try:
            yield
        finally:
            locks.unlock(handle)


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".head-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text + "\n")
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
