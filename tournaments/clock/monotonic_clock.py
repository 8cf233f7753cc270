"""The present moment, with a count of seconds that setting the machine's clock does not touch."""

import time
from functools import cache
from pathlib import Path

from django.utils import timezone

from rules.events.clock import Moment

BOOT = Path("/proc/sys/kernel/random/boot_id")
COUNT = getattr(time, "CLOCK_BOOTTIME", None)


@cache
def machine() -> str:
    """Return what tells this machine since it was switched on from every other; "" if nothing."""
    try:
        return BOOT.read_text().strip()[:40]
    except OSError:
        return ""


def moment_now() -> Moment:
    """Return the present moment; all processes of a machine count alike, also after a restart.

    Where the machine does not count (Linux does) there is the time of day alone.
    """
    if COUNT is None or not machine():
        return Moment(timezone.now())
    return Moment(timezone.now(), time.clock_gettime(COUNT), machine())
