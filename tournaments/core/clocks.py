"""The clock of a round for pages, the API and polling, the machine's count of seconds that it is
measured by, and extra minutes of tables.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from config import systems
from config.alive import read_heartbeat
from config.wording import translate
from rules.events.clock import (
    Clock,
    ClockReading,
    ClockState,
    current_warning,
    format_clock,
    is_in_overtime,
    lost_minutes,
)
from rules.events.deck_checks import extension_due
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import match_defaults
from tournaments.core.names import attach_name_marks
from tournaments.core.rows import AnyClock, AnyRound
from tournaments.models import DeckCheck, Event, Match, Round, RoundClock, TimeExtension


@cache
def boot_id() -> str:
    """Return an identifier of the machine's present boot; "" outside Linux."""
    return systems.boot_id()


def current_moment() -> ClockReading:
    """Return the current wall-clock time and the machine's monotonic time.

    That is CLOCK_BOOTTIME, which all processes of a machine share; outside Linux there is only the
    wall-clock time.
    """
    if not boot_id():
        return ClockReading(timezone.now())
    return ClockReading(timezone.now(), systems.monotonic_seconds(), boot_id())


CLOCK_ADD, UNDONE, REDONE = "clock.add", "act.undone", "act.redone"
STORED = ("minutes", "state", "used", "since", "ticks", "machine")
TONES = {ClockState.PAUSED: "warn", ClockState.OVER: "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockDisplay:
    """A round timer as displayed at a table with ``extra`` minutes of time extension.

    ``left``: seconds left in the round, without ``extra``. ``until``: when the table's time
    ends, None unless running; ``end``: when the round's time ends or ended, None while stopped.
    ``version``: sent back by the buttons. ``face``: text such as "12:30"; ``tone``: CSS class.
    ``warnings`` (texts by minute) and ``words`` (texts by state) are JSON for ``clock.js``;
    ``overtime``: minutes after the end, 0 for none.
    """

    ordinal: int
    state: ClockState
    minutes: int
    extra: int
    left: float
    until: datetime | None
    end: datetime | None
    version: int
    face: str
    note: str
    tone: str
    warnings: str
    words: str
    overtime: int = 0

    @property
    def goes(self) -> bool:
        """Return whether the clock is running, overtime included."""
        return self.state in (ClockState.RUNNING, ClockState.OVER)

    @property
    def seconds(self) -> str:
        """Return the seconds left as a decimal string."""
        return f"{self.left:.2f}"


def clock_from_row(row: AnyClock | None, minutes: int) -> Clock:
    """Return the timer stored in a row; for None an unstarted timer of ``minutes``."""
    if row is None:
        return Clock(minutes=minutes)
    since = ClockReading(row.since, row.ticks, row.machine) if row.since else None
    return Clock(minutes=row.minutes, state=ClockState(row.state), used=row.used, since=since)


def timer_row(round_: AnyRound) -> AnyClock | None:
    """Return the stored timer of a round, None if never started.

    No query if prefetched.
    """
    return getattr(round_, "clock", None)


def clock_display(stage: StageFacts, round_: AnyRound, extra: int = 0) -> ClockDisplay | None:
    """Return the displayed timer of a round with open matches; no query.

    None without a time limit, once all results are final, or if the event is not running.
    ``extra``: minutes of the table's time extension.
    """
    playing = any(match.state != Match.State.FINAL for match in stage.matches_of(round_))
    if not (stage.plan.timed and playing and stage.event.state == Event.State.RUNNING):
        return None
    return clock_display_at(stage.event, round_, current_moment(), extra)


def current_clock_display(facts: EventFacts, extra: int = 0) -> ClockDisplay | None:
    """Return the displayed timer of the latest published round; no query.

    None before round 1 and where `clock_display` returns None. ``extra``: minutes of the table's
    time extension.
    """
    found = facts.latest_published
    return clock_display(*found, extra) if found else None


def clock_display_at(
    event: Event, round_: AnyRound, now: ClockReading, extra: int = 0
) -> ClockDisplay:
    """Return the timer of a round as displayed at the moment ``now``; no query."""
    row = timer_row(round_)
    clock = clock_from_row(row, event.minutes)
    state, own = clock.state_at(now, extra), clock.left(now, extra)
    warnings = {minutes: _last_minutes(minutes) for minutes in event.warnings}
    words = _state_words(event)
    warned = current_warning(event.warnings, own) if state is ClockState.RUNNING else 0
    note = warnings.get(warned, "") if state is ClockState.RUNNING else words[state]
    overtime = event.overtime or 0
    if state is ClockState.OVER and is_in_overtime(own, event.overtime):
        note = overtime_notice(overtime)
    return ClockDisplay(
        ordinal=round_.ordinal,
        state=state,
        minutes=clock.minutes,
        extra=extra,
        left=clock.left(now),
        end=now.at + timedelta(seconds=clock.left(now)) if clock.since else None,
        until=now.at + timedelta(seconds=own) if state is ClockState.RUNNING else None,
        version=row.version if row else 0,
        face=format_clock(own),
        note=note,
        tone=TONES.get(state, "warn" if warned else ""),
        warnings=json.dumps(warnings),
        words=json.dumps(words | {"overtime": overtime_notice(overtime)} | _copy_words()),
        overtime=overtime,
    )


def downtime_minutes(event: Event, round_: AnyRound) -> int:
    """Return the minutes that a round's timer lost while the server was down.

    0 if time has been added since then. At most one query, none if the server was not down.
    """
    absence = read_heartbeat().absence
    if absence is None:
        return 0
    minutes = lost_minutes(clock_from_row(timer_row(round_), event.minutes), *absence)
    return 0 if minutes and _was_added_to(event, round_, absence[1]) else minutes


def _was_added_to(event: Event, round_: AnyRound, since: datetime) -> bool:
    """Return whether minutes were added to a round's clock since a moment, and not taken back."""
    actions = (CLOCK_ADD, UNDONE, REDONE)
    lines = event.log.filter(action__in=actions, subject=str(round_.ordinal), at__gte=since)
    added = set[int]()
    for number, action, after in lines.order_by("number").values_list("number", "action", "after"):
        if action == CLOCK_ADD:
            added.add(number)
        elif action == UNDONE:
            added.discard(after["line"])
        elif after.get("action") == CLOCK_ADD:
            added.add(after["line"])
    return bool(added)


def clock_header(facts: EventFacts) -> str:
    """Return the ``X-Clock`` header, "<state> <seconds left>"; no query.

    It is of the latest published round, "" before round 1; 304 responses have it too.
    """
    found = facts.latest_published
    return clock_header_value(clock_from_row(found[1].clock, facts.event.minutes)) if found else ""


def clock_from_columns(stored: Iterable[Any], minutes: int) -> Clock:
    """Return the timer with these stored values (all None: no row).

    Values: minutes, state, used, since, ticks, machine of a ``RoundClock``, in this order.
    ``minutes``: the event's round time, for a timer without a row.
    """
    values = dict(zip(STORED, stored, strict=True))
    return clock_from_row(RoundClock(**values) if any(values.values()) else None, minutes)


def clock_header_value(clock: Clock) -> str:
    """Return the ``X-Clock`` header for a timer now: "<state> <seconds left>"."""
    return f"{clock.state} {clock.left(current_moment()):.2f}"


def latest_clock(event: Event) -> Clock | None:
    """Return the timer of the latest published round, None before round 1; one query."""
    item = _latest_round(event)
    return clock_from_row(timer_row(item), event.minutes) if item else None


def clock_json(event: Event, round_: AnyRound, *, timed: bool) -> dict[str, object] | None:
    """Return a round's timer for the API, None if not ``timed``; no query.

    Keys: state, remaining (seconds), minutes.
    """
    if not timed:
        return None
    clock, now = clock_from_row(timer_row(round_), event.minutes), current_moment()
    return {
        "state": str(clock.state_at(now)),
        "remaining": max(0, round(clock.left(now))),
        "minutes": clock.minutes,
    }


def clock_etag_parts(event: Event) -> Iterable[object]:
    """Yield the seconds left for an ETag if the latest round's timer is running.

    One query.
    """
    item = _latest_round(event)
    row = timer_row(item) if item else None
    if row is not None and row.state == RoundClock.State.RUNNING:
        yield round(clock_from_row(row, event.minutes).left(current_moment()))


def _latest_round(event: Event) -> Round | None:
    published = event.rounds.filter(state=Round.State.PUBLISHED)
    return published.select_related("clock").order_by("-ordinal").first()


def _state_words(event: Event) -> dict[str, str]:
    return {
        ClockState.READY: _("The timer has not started."),
        ClockState.RUNNING: _("The timer is running."),
        ClockState.PAUSED: _("The timer is paused."),
        ClockState.OVER: translate(match_defaults(event).time_up),
    }


def _copy_words() -> dict[str, str]:
    """Return the sentences of a clock without connection, in which ``clock.js`` puts the times."""
    return {"copy": _("as of TIME, offline"), "due": _("Was due to end at TIME")}


def overtime_notice(minutes: int) -> str:
    """Return the notice after a round's time is up, as "Overtime: 5 min".

    ``minutes`` is the whole overtime, not what is left of it.
    """
    return _("Overtime: %(minutes)s min") % {"minutes": minutes}


def _last_minutes(minutes: int) -> str:
    return _("Last minutes: %(minutes)s") % {"minutes": minutes}


def match_extensions(match: Match) -> tuple[TimeExtension, ...]:
    """Return a table's time extensions, oldest first, with their authors; one query.

    Also sets ``mark``, which tells players of the same name apart, on players whose deck checks
    caused them.
    """
    found = tuple(match.extensions.select_related("by", "check_made__entry").order_by("pk"))
    marks = {entry.number: entry.mark for entry in match.players}
    attach_name_marks((one.check_made.entry for one in found if one.check_made), marks)
    return found


def extension_minutes_due(check: DeckCheck, end: datetime) -> int:
    """Return the minutes of extension still owed to a match for its deck checks.

    That is with ``check`` ending at ``end``, less the minutes already given for checks; 0 if the
    match is over or missing. Two queries.
    """
    match = check.match
    if match is None or match.state == Match.State.FINAL:
        return 0
    others = match.deck_checks.filter(finished_at__isnull=False).exclude(pk=check.pk)
    spans = [(begin, done) for begin, done in others.values_list("started_at", "finished_at")]
    spans.append((check.started_at, end))
    for_checks = match.extensions.filter(check_made__isnull=False)
    given = for_checks.aggregate(total=Sum("minutes"))["total"] or 0
    return extension_due([(begin, done) for begin, done in spans if done], given)
