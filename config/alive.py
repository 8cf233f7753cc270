"""When the site ran last, and at which address: a small file beside the database.

The serving process writes it every few seconds (``start_heartbeat``). What it held before tells a
process that begins, or a machine that wakes, how long the site was away, as by a power cut, and
whether its address is another one now. Pages read it; no database, log or archive holds it.
"""

import json
import logging
import os
import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

from django.conf import settings

from config import systems

EVERY = 15
"""Seconds between two writes."""
NOTICED = 60
"""Seconds for which the site must have been away."""

log = logging.getLogger("config.alive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """Contents of the file that the running site rewrites every 15 seconds.

    Times are seconds since 1970, 0 for never. ``at`` is when the site last ran; ``gone`` and
    ``back`` are the last outage's start and end. ``former`` is the address that ``address``
    replaced at ``moved``, "" if it has not changed.
    """

    at: float = 0.0
    address: str = ""
    gone: float = 0.0
    back: float = 0.0
    former: str = ""
    moved: float = 0.0

    @property
    def absence(self) -> tuple[datetime, datetime] | None:
        """Return (start, end) of the last outage; None if there was none."""
        if not self.back:
            return None
        return datetime.fromtimestamp(self.gone, UTC), datetime.fromtimestamp(self.back, UTC)

    @property
    def moved_at(self) -> datetime | None:
        """Return when the site's address changed; None if it has not."""
        return datetime.fromtimestamp(self.moved, UTC) if self.former else None


def read_heartbeat() -> Heartbeat:
    """Return the contents of the heartbeat file; empty ones if it is missing or unreadable."""
    try:
        return Heartbeat(**json.loads(Path(settings.ALIVE_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Heartbeat()


def initial_heartbeat(before: Heartbeat, now: float, address: str) -> Heartbeat:
    """Return the heartbeat to write when the site starts.

    before: the file's contents from the last run. now: seconds since 1970. The result includes the
    outage since ``before`` and a change of address; a return to the former address clears the
    change.
    """
    found = next_heartbeat(before, now, now - before.at) if before.at else replace(before, at=now)
    return update_heartbeat_address(found, now, address)


def update_heartbeat_address(before: Heartbeat, now: float, address: str) -> Heartbeat:
    """Return a heartbeat updated for the address at which the site is now served.

    address: "" if there is no network; the address before is kept then. now: seconds since 1970,
    stored if the address changed. A return to the former address clears the change.
    """
    found = before
    if before.address and address and address != before.address:
        back_again = address == before.former
        former = "" if back_again else before.former or before.address
        found = replace(found, former=former, moved=0.0 if back_again else now)
    return replace(found, address=address or before.address)


def next_heartbeat(before: Heartbeat, now: float, passed: float) -> Heartbeat:
    """Return the next heartbeat; ``passed`` over ``NOTICED`` seconds counts as an outage.

    now: seconds since 1970. passed: seconds since ``before`` was written, sleep included.
    """
    if passed <= NOTICED:
        return replace(before, at=now)
    return replace(before, at=now, gone=now - passed, back=now)


def start_heartbeat() -> None:
    """Write the heartbeat file now, then every ``EVERY`` seconds in a daemon thread."""
    path, known = (
        Path(settings.ALIVE_FILE),
        initial_heartbeat(read_heartbeat(), time.time(), settings.SITE_ADDRESS),
    )
    if _write(path, known):
        Thread(target=_go_on, args=(path, known), name="alive", daemon=True).start()


def _go_on(path: Path, known: Heartbeat) -> None:
    last, written = systems.monotonic_seconds(), True
    while written:
        time.sleep(EVERY)
        now, at = systems.monotonic_seconds(), time.time()
        known, last = next_heartbeat(known, at, now - last), now
        known = update_heartbeat_address(
            known, at, settings.SITE_ADDRESS
        )  # a hall may open meanwhile
        written = _write(path, known)


def _write(path: Path, known: Heartbeat) -> bool:
    """Write the file as a whole, so that a power cut leaves the old or the new one; whether."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")  # several workers write it
    try:
        with draft.open("w", encoding="utf-8") as file:
            json.dump(asdict(known), file)
            file.flush()
            os.fsync(file.fileno())
        systems.replace_file(draft, path)
    except OSError as fault:
        log.warning("Nobody will know how long the site was away: %s (%s)", fault.strerror, path)
        return False
    return True
