"""The current time, with a monotonic count that changes of the system clock do not affect."""

import time
from functools import cache
from pathlib import Path

from django.utils import timezone

from rules.events.clock import Moment

BOOT = Path("/proc/sys/kernel/random/boot_id")
COUNT = getattr(time, "CLOCK_BOOTTIME", None)


@cache
def boot_of_machine() -> str:
    """Return an identifier of this boot of this machine; "" outside Linux."""
    try:
        return BOOT.read_text().strip()[:40]
    except OSError:
        return ""


def moment_now() -> Moment:
    """Return the current time with CLOCK_BOOTTIME, which all processes of a machine share.

    Outside Linux it holds the wall-clock time alone.
    """
    if COUNT is None or not boot_of_machine():
        return Moment(timezone.now())
    return Moment(timezone.now(), time.clock_gettime(COUNT), boot_of_machine())
