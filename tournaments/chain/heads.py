"""The head of each event's log (number and digest of its last line) in a file beside the database.

It reveals that lines were cut off the end of a log. It is replaced atomically after the commit,
under a file lock, and never by an earlier head: it may lag behind the log, never lead. The head of
a deleted event moves to the file of its address (``addresses``).

Each line tells in the closed words of ``FILE`` which line its file had when it was written, and in
which folder of which machine: a file that is set back or removed contradicts them.
"""

import contextlib
import logging
import socket
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import transaction

from tournaments.chain.files import heads_folder, locked_folder, read_json, write_json
from tournaments.chain.keys import signed
from tournaments.models import Event

logger = logging.getLogger(__name__)
Head = dict[str, Any]
FILE = "file"
"""Place of the words of a line that tell what its event's file had."""


def head_of(event: Event) -> Head:
    """Return the head of an event's log, signed by this site."""
    return {
        "event": event.slug,
        "created": _creation_time(event),
        "number": event.version,
        "digest": event.head,
        "signature": signed(event.version, event.head),
    }


def keep_head(event: Event) -> None:
    """Store the head of an event's log in its file once the transaction is committed."""
    head, key = head_of(event), event.pk
    transaction.on_commit(lambda: _write(key, head), robust=True)


def kept_head(event: Event) -> Head | None:
    """Return the stored head of an event, None without a file. Raises ValueError, OSError."""
    path = head_path(event.pk)
    found = read_json(path)
    if found is None:
        return None
    if not isinstance(found, dict) or type(found.get("number")) is not int:
        raise ValueError(path.name)
    return found


def seen_head(event: Event) -> dict[str, Any]:
    """Return the line number in the event's head file, with ``folder_mark``, for a new log line.

    Empty without a file of this event. No query.
    """
    with contextlib.suppress(ValueError, OSError):
        head = kept_head(event)
        if head is not None and is_of(event, head) and head["number"] <= event.version:
            return {"line": head["number"], "folder": folder_mark()}
    return {}


def folder_mark() -> str:
    """Return a digest of this machine and the folder of its heads; others have files of their own.

    Raises OSError.
    """
    where = f"{socket.gethostname()}:{heads_folder().resolve()}"
    return sha256(where.encode()).hexdigest()[:16]


def is_of(event: Event, head: Head) -> bool:
    """Return whether a head is of this event, not of one with the same key in another database."""
    return bool(head.get("created") == _creation_time(event))


def head_path(key: int) -> Path:
    """Return the file of the event with this key."""
    return heads_folder() / f"{key}.json"


def _creation_time(event: Event) -> str:
    return event.created_at.astimezone(UTC).isoformat(timespec="microseconds")


def _write(key: int, head: Head) -> None:
    """Replace the file unless it is ahead; a failure is logged and does not undo the act."""
    try:
        with locked_folder():
            path = head_path(key)
            former = _head_of_former_format(path)
            same = former.get("created") == head["created"]
            if not same or former.get("number", 0) < head["number"]:
                write_json(path, head)
    except OSError as fault:
        logger.warning("The head of event %s could not be kept in its file: %s", key, fault)


def _head_of_former_format(path: Path) -> Head:
    with contextlib.suppress(ValueError):
        found = read_json(path)
        return found if isinstance(found, dict) else {}
    return {}
