"""Definitions of time zones for calendars: how the hours of a zone go, for the years asked for."""

from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from icalendar import Timezone

from tournaments.core.moments import FIRST_YEAR, LAST_YEAR

MOST_KNOWN = 2_000
"""Definitions that a process keeps: each zone with some spans of years."""


def is_told(moment: datetime) -> bool:
    """Return whether a calendar's zone definitions cover a moment; others are written in UTC."""
    return FIRST_YEAR <= moment.year <= LAST_YEAR


@lru_cache(maxsize=MOST_KNOWN)
def zone_definition(zone: str, first: int, last: int) -> bytes:
    """Return the lines that define a zone from the year before ``first`` to the one after ``last``.

    Made once a process; 1 ms for three years, 10 ms for a hundred.
    """
    begins, ends = date(first - 1, 1, 1), date(last + 2, 1, 1)
    hours = _ZoneUntilYear(ZoneInfo(zone), last + 2)
    made = Timezone.from_tzinfo(hours, zone, first_date=begins, last_date=ends)
    return made.to_ical()


class _ZoneUntilYear(tzinfo):
    """A time zone that raises OverflowError after a year, which ends icalendar's search there.

    Without an end it looks for the next change of the clocks up to year 9999, for 25 ms.
    """

    def __init__(self, zone: ZoneInfo, last: int) -> None:
        self.zone, self.last = zone, last

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """Return the zone's offset. Raises OverflowError after the last year."""
        if moment is not None and moment.year > self.last:
            raise OverflowError
        return self.zone.utcoffset(moment)

    def dst(self, moment: datetime | None) -> timedelta | None:
        """Return the part of the offset that is summer time."""
        return self.zone.dst(moment)

    def tzname(self, moment: datetime | None) -> str | None:
        """Return the name of the zone's time."""
        return self.zone.tzname(moment)
