"""The clock of a round: the time left for a table, robust against changes of the system clock.

The stored state is the seconds used before the current run and the moment it started; the time
left is derived from these and the current moment, so it survives a restart.

A run is measured by the machine's monotonic clock, unaffected by adjustments and daylight saving
time. Moments of different machines, or before and after a reboot, are distinguished by
``machine`` and compared in UTC.

Source: tournament rules, A match (time limit).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from math import ceil, floor

from rules.errors import BadInput
from rules.events.lifecycle import next_state

MOST_MINUTES = 60
"""Maximum minutes added for all at once: more is a typing error."""

MOST_WARNINGS = 6
LONGEST_WARNING = 600


class ClockState(StrEnum):
    """The states of a round timer.

    ``OVER`` (time is up) is never stored, but derived from a running timer.
    """

    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"


class ClockAction(StrEnum):
    """The actions of staff on a round timer; ``RESET`` undoes an accidental start."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    ADD = "add"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class ClockReading:
    """A moment in UTC (``at``), and in ticks of a machine's monotonic clock if available.

    ``ticks`` are seconds, comparable only between readings of the same ``machine``.
    """

    at: datetime
    ticks: float | None = None
    machine: str = ""

    def since(self, earlier: "ClockReading") -> float:
        """Return the seconds since an earlier moment, never negative."""
        if self.ticks is not None and earlier.ticks is not None and self.machine == earlier.machine:
            return max(0.0, self.ticks - earlier.ticks)
        return max(0.0, (self.at - earlier.at).total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A round timer of ``minutes``.

    ``since`` is its last start, None while it is stopped; ``used`` are the seconds counted before.
    """

    minutes: int
    state: ClockState = ClockState.READY
    used: float = 0.0
    since: ClockReading | None = None

    def used_at(self, now: ClockReading) -> float:
        """Return the seconds used up to a moment."""
        return self.used + (now.since(self.since) if self.since else 0.0)

    def left(self, now: ClockReading, extra_minutes: int = 0) -> float:
        """Return the seconds left for a table with extra minutes; negative after time is up."""
        return (self.minutes + extra_minutes) * 60 - self.used_at(now)

    def state_at(self, now: ClockReading, extra_minutes: int = 0) -> ClockState:
        """Return the state to display."""
        over = self.state is ClockState.RUNNING and self.left(now, extra_minutes) <= 0
        return ClockState.OVER if over else self.state


def apply_clock_action(
    clock: Clock, action: ClockAction, now: ClockReading, minutes: int = 0
) -> Clock:
    """Return the round timer after an action.

    ``minutes`` are added for all tables, by ``ADD`` only. Raises RuleError ``clock_started``,
    ``clock_not_running``, ``clock_not_paused``, ``clock_not_started``; BadInput
    ``impossible_minutes``.
    """
    state = ClockState(next_state("clock", clock.state, action))
    if minutes and action is not ClockAction.ADD:
        raise BadInput(
            "impossible_minutes",
            "Choose one of the options.",
        )
    match action:
        case ClockAction.START | ClockAction.RESUME:
            return replace(clock, state=state, since=now)
        case ClockAction.PAUSE:
            return replace(clock, state=state, used=clock.used_at(now), since=None)
        case ClockAction.RESET:
            return Clock(minutes=clock.minutes)
    return replace(clock, minutes=clock.minutes + validate_minutes(minutes))


def validate_minutes(minutes: int) -> int:
    """Return the minutes to add to a round timer if valid, from 1 to 60.

    Raises BadInput ``impossible_minutes``.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        raise BadInput(
            "impossible_minutes",
            "Enter a whole number from %(least)s to %(most)s.",
            least=1,
            most=MOST_MINUTES,
        )
    return minutes


def elapsed_minutes(clock: Clock, now: ClockReading) -> int:
    """Return the whole minutes that a round timer has counted, at most 60."""
    return min(MOST_MINUTES, floor(clock.used_at(now) / 60))


def lost_minutes(clock: Clock, gone: datetime, back: datetime) -> int:
    """Return the minutes that a timer counted during an outage, rounded, at most 60.

    ``gone`` and ``back`` are the begin and end of the outage. 0 if the timer was not running, was
    started afterwards, or was already over when the outage began.
    """
    if clock.state is not ClockState.RUNNING or clock.since is None or clock.since.at >= back:
        return 0
    if clock.left(ClockReading(gone)) <= 0:
        return 0
    away = (back - max(gone, clock.since.at)).total_seconds()
    return min(MOST_MINUTES, floor(away / 60 + 0.5))


def current_warning(warnings: Iterable[int], left: float) -> int:
    """Return the last warning reached, in minutes before the end, with ``left`` seconds left.

    0 before the first of the ``warnings``, and when time is up.
    """
    given = [minutes for minutes in warnings if 0 < left <= minutes * 60]
    return min(given, default=0)


def validate_warnings(minutes: Sequence[int]) -> tuple[int, ...]:
    """Return the warning times, in minutes before the end, without duplicates, longest first.

    Raises BadInput ``impossible_warnings``.
    """
    wanted = sorted(set(minutes), reverse=True)
    if len(wanted) > MOST_WARNINGS or not all(1 <= each <= LONGEST_WARNING for each in wanted):
        raise BadInput(
            "impossible_warnings",
            "Enter at most %(count)s warnings of 1 to %(most)s minutes.",
            count=MOST_WARNINGS,
            most=LONGEST_WARNING,
        )
    return tuple(wanted)


def validate_overtime(minutes: int | None) -> int | None:
    """Return the minutes of overtime, None for 0; raises BadInput ``impossible_overtime``."""
    if minutes is not None and not 0 <= minutes <= MOST_MINUTES:
        raise BadInput(
            "impossible_overtime",
            "Enter a whole number from %(least)s to %(most)s.",
            least=0,
            most=MOST_MINUTES,
        )
    return minutes or None


def is_in_overtime(left: float, overtime: int | None) -> bool:
    """Return whether the timer is in overtime, with ``left`` seconds left (negative: over).

    ``overtime`` is its length in minutes, None without one.
    """
    return overtime is not None and -60 * overtime < left <= 0


def format_clock(left: float) -> str:
    """Return seconds left as "49:07", or "+2:13" after time is up."""
    seconds = ceil(left)
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'+' if seconds < 0 else ''}{minutes}:{rest:02}"
