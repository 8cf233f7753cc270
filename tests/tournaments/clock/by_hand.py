"""Clocks run by hand: the machine's own, and that of a round."""

from datetime import UTC, datetime, timedelta

from rules.events.clock import ClockAction, Moment
from tournaments.clock import services as clock
from tournaments.core.clocks import current_clock
from tournaments.core.event_state import load_facts
from tournaments.models import Event

START, PAUSE, RESUME, ADD, RESET = ClockAction


class Time:
    """The machine's clock and its own count of seconds, moved by hand."""

    def __init__(self) -> None:
        self.at, self.ticks, self.machine = datetime(2026, 12, 5, 9, tzinfo=UTC), 100.0, "laptop"

    def pass_by(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)
        self.ticks += seconds

    def __call__(self) -> Moment:
        return Moment(self.at, self.ticks, self.machine)


def act(event, action, by, minutes=0, expected=None, ordinal=1):
    return clock.run_clock(
        event=event, ordinal=ordinal, action=action, minutes=minutes, expected=expected, by=by
    )


def shown(event, extra=0):
    return current_clock(load_facts(Event.objects.get(pk=event.pk)), extra)
