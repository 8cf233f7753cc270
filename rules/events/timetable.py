"""When rounds begin: planned from the start, their minutes and the breaks, moved by real starts.

A break is taken before the first round that would begin at its time or later. A round that has
begun moves everything after it, so the table follows the event and nobody has to correct it. An
event that begins on another day than planned has its breaks on the day it is played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from rules.errors import BadInput
from rules.json_reader import JsonObjectReader, WholeNumber, list_of, text

MOST_BREAKS = 6
LONGEST_BREAK = 600
LONGEST_LABEL = 40
DAY = 24 * 60


def format_minute(minute: int) -> str:
    """Return a minute of the day (0 is midnight) as "13:00"."""
    return f"{minute // 60:02}:{minute % 60:02}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """A break in an event's timetable; ``at`` is its minute of the day in local time."""

    at: int
    minutes: int
    label: str = ""

    @property
    def clock(self) -> str:
        """Return the break's time of day as "13:00"."""
        return format_minute(self.at)

    def as_json(self) -> dict[str, str | int]:
        """Return the break as JSON data, as it is stored in the event."""
        return {"at": self.clock, "minutes": self.minutes, "label": self.label}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """An entry of an event's timetable: a round (from 1) or a break (``round`` 0).

    ``real``: it has begun, so ``begins`` is a fact and not planned.
    """

    begins: datetime
    ends: datetime
    round: int = 0
    label: str = ""
    real: bool = False


def validate_breaks(breaks: Iterable[Break]) -> tuple[Break, ...]:
    """Return the breaks sorted by time of day; raises BadInput ``impossible_breaks``."""
    found = sorted(breaks, key=lambda one: one.at)
    good = all(
        0 <= one.at < DAY
        and 1 <= one.minutes <= LONGEST_BREAK
        and len(one.label) <= LONGEST_LABEL
        and one.label.isprintable()
        for one in found
    )
    if not good or len(found) > MOST_BREAKS or len({one.at for one in found}) < len(found):
        raise BadInput(
            "impossible_breaks",
            "Enter at most %(count)s breaks at different times. Each: up to %(most)s minutes, its "
            "name up to %(letters)s characters.",
            count=MOST_BREAKS,
            most=LONGEST_BREAK,
            letters=LONGEST_LABEL,
        )
    return tuple(found)


def make_break(at: str, minutes: object, label: str = "") -> Break:
    """Return a break of so many minutes that begins at a time such as "13:00".

    Raises BadInput ``unreadable_break``.
    """
    hour, _colon, minute = at.partition(":")
    good = all(part.isascii() and part.isdecimal() and len(part) <= 2 for part in (hour, minute))
    if not good or int(hour) > 23 or int(minute) > 59 or not isinstance(minutes, int):
        raise BadInput(
            "unreadable_break",
            "Enter each break as start, minutes and name, such as 13:00 40 Lunch.",
        )
    return Break(at=int(hour) * 60 + int(minute), minutes=minutes, label=label)


def read_breaks(stored: object) -> tuple[Break, ...]:
    """Return the breaks of stored JSON, sorted by time of day.

    Raises BadInput ``impossible_breaks``, ``unreadable_break``; WrongValue for another shape.
    """
    return validate_breaks(BREAKS(stored))


def _break_from_json(stored: object) -> Break:
    given = JsonObjectReader(stored, ("at", "minutes", "label"))
    minutes = given.read("minutes", WholeNumber(1, LONGEST_BREAK))
    return make_break(
        given.read("at", text(5)), minutes, given.read("label", text(LONGEST_LABEL), "")
    )


BREAKS = list_of(_break_from_json, MOST_BREAKS)


def timetable(
    start: datetime,
    lengths: Sequence[int],
    breaks: Iterable[Break],
    *,
    zone: ZoneInfo,
    between: int,
    begun: Mapping[int, datetime] | None = None,
) -> tuple[Slot, ...]:
    """Return an event's rounds and breaks in order, with their times.

    ``lengths`` are the minutes of each round, ``between`` those from the end of one to the next;
    ``begun`` maps round numbers (from 1) to the moment when the round actually began.
    """
    real = begun or {}
    start = actual_start(start, real.get(1), zone)
    waiting = list(_breaks_with_moments(start, breaks, zone))
    slots: list[Slot] = []
    now = start.astimezone(UTC)  # hours of a day on which the clocks change count as they are
    for number, minutes in enumerate(lengths, start=1):
        while number > 1 and waiting and waiting[0][0] <= real.get(number, now):
            moment, one = waiting.pop(0)
            begins = max(now, moment) if number in real else now
            ends = begins + timedelta(minutes=one.minutes)
            slots.append(Slot(begins=begins, ends=ends, label=one.label, real=number in real))
            now = ends
        now = real.get(number, now)
        ends = now + timedelta(minutes=minutes)
        slots.append(Slot(begins=now, ends=ends, round=number, real=number in real))
        now = ends + timedelta(minutes=between)
    return tuple(slots)


def actual_start(start: datetime, began: datetime | None, zone: ZoneInfo) -> datetime:
    """Return an event's planned start, or when round 1 began if on another day.

    ``began`` is the latter, None before it.
    """
    if began is None or began.astimezone(zone).date() == start.astimezone(zone).date():
        return start
    return began


def _breaks_with_moments(
    start: datetime, breaks: Iterable[Break], zone: ZoneInfo
) -> list[tuple[datetime, Break]]:
    day = start.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    found = [
        ((day + timedelta(days=later, minutes=one.at)).replace(tzinfo=zone), one)
        for later in range(2)
        for one in breaks
    ]
    return sorted((pair for pair in found if pair[0] > start), key=lambda pair: pair[0])
