"""When the site ran last, and at which address: a small file beside the database.

The serving process writes it every few seconds (``watch``). What it held before tells a process
that begins, or a machine that wakes, how long the site was away, as by a power cut, and whether its
address is another one now. Pages read it; no database, log or archive holds it.
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

EVERY = 15
"""Seconds between two writes."""
NOTICED = 60
"""Seconds for which the site must have been away."""

COUNT = getattr(time, "CLOCK_BOOTTIME", None)

log = logging.getLogger("config.alive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alive:
    """The file; moments in seconds since 1970.

    ``at`` is when the site last ran, ``gone`` and ``back`` the last time it was away (0: never),
    ``former`` the address that it had before it began at another one (``moved``), else "".
    """

    at: float = 0.0
    address: str = ""
    gone: float = 0.0
    back: float = 0.0
    former: str = ""
    moved: float = 0.0

    @property
    def absence(self) -> tuple[datetime, datetime] | None:
        """Return since when the site was away, and until when; None if it never was."""
        if not self.back:
            return None
        return datetime.fromtimestamp(self.gone, UTC), datetime.fromtimestamp(self.back, UTC)

    @property
    def moved_at(self) -> datetime | None:
        """Return when the site began at another address, None while it is at the one it had."""
        return datetime.fromtimestamp(self.moved, UTC) if self.former else None


def read_alive() -> Alive:
    """Return what the file says, nothing where there is none or it can't be read."""
    try:
        return Alive(**json.loads(Path(settings.ALIVE_FILE).read_text()))
    except (OSError, ValueError, TypeError):
        return Alive()


def after_start(before: Alive, now: float, address: str) -> Alive:
    """Return what is written when the site begins: how long it was away, which address it left.

    Codes of an address to which it comes back are right again.
    """
    found = after_beat(before, now, now - before.at) if before.at else replace(before, at=now)
    if before.address and address and address != before.address:
        back_again = address == before.former
        former = "" if back_again else before.former or before.address
        found = replace(found, former=former, moved=0.0 if back_again else now)
    return replace(found, address=address or before.address)


def after_beat(before: Alive, now: float, passed: float) -> Alive:
    """Return what is written ``passed`` seconds after the last time, sleep of the machine too."""
    if passed <= NOTICED:
        return replace(before, at=now)
    return replace(before, at=now, gone=now - passed, back=now)


def watch() -> None:
    """Write the file now, and from a thread as long as this process serves."""
    path, known = (
        Path(settings.ALIVE_FILE),
        after_start(read_alive(), time.time(), settings.SITE_ADDRESS),
    )
    if _write(path, known):
        Thread(target=_go_on, args=(path, known), name="alive", daemon=True).start()


def _go_on(path: Path, known: Alive) -> None:
    last, written = _seconds(), True
    while written:
        time.sleep(EVERY)
        now = _seconds()
        known, last = after_beat(known, time.time(), now - last), now
        written = _write(path, known)


def _seconds() -> float:
    """Return seconds that no setting of the system's clock changes, those of sleep among them."""
    return time.clock_gettime(COUNT) if COUNT is not None else time.monotonic()


def _write(path: Path, known: Alive) -> bool:
    """Write the file as a whole, so that a power cut leaves the old or the new one; whether."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")  # several workers write it
    try:
        with draft.open("w") as file:
            json.dump(asdict(known), file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as fault:
        log.warning("Nobody will know how long the site was away: %s (%s)", fault.strerror, path)
        return False
    return True
