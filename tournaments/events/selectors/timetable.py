"""The timetable of an event: when each round begins, moved by the rounds that have begun."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from rules.events.timetable import Slot, actual_start, read_breaks, timetable
from rules.formulas.adviser import TURN_ROUND, matches_by_round
from rules.formulas.forecast import (
    EventTimes,
    end_time,
    next_time_of_day,
    plan_slots,
    round_lengths,
)
from rules.plans import FormulaPlan
from rules.stages.base import stage_kind, state_with_all_seats
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import stage_and_round_label, time_and_day_text
from tournaments.core.rows import RoundRow
from tournaments.models import Event, RoundClock, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """The timetable of an event.

    ``rows``: dicts of rounds and breaks. ``starts``: planned, or real if played on another day.
    ``overnight``: it ends on a later day. ``played``: nothing is left to play.
    """

    rows: tuple[dict[str, Any], ...]
    starts: datetime
    ends: datetime
    overnight: bool
    played: bool


def event_timetable(facts: EventFacts, plan: FormulaPlan | None) -> Timetable | None:
    """Return an event's timetable, None without a plan or once finished; no query.

    ``plan`` is the provisional one before the start.
    """
    event = facts.event
    if plan is None or event.state == Event.State.FINISHED:
        return None
    lengths = list(round_lengths(plan, event.minutes))
    begun: dict[int, datetime] = {}
    stopped: dict[int, datetime | None] = {}  # begun before: their ends are later, not they
    for number, item in _published_rounds(facts, plan):
        if item.clock is not None:
            lengths[number - 1] = item.clock.minutes
        if (moment := _beginning_of(item)) is not None:
            begun[number] = moment
        if item.clock is not None and item.clock.used:
            stopped[number] = item.published_at
    slots = timetable(
        event.starts_at,
        lengths,
        read_breaks(event.breaks),
        zone=event.zone,
        between=TURN_ROUND,
        begun=begun,
    )
    labels = list(zip(_labels(facts, plan), _labels(facts, plan, short=True), strict=True))
    days = [slot.begins.astimezone(event.zone).date() for slot in slots]
    rows = tuple(
        _row(slot, labels, stopped.get(slot.round), new_day=day != before)
        for slot, day, before in zip(slots, days, [*days[:1], *days], strict=False)
    )
    if not rows:
        return None
    ends = end_time(slots)
    overnight = ends.astimezone(event.zone).date() != days[0]
    last = facts.stages[-1] if facts.stages else None
    played = last is not None and _is_played(last)
    starts = actual_start(event.starts_at, begun.get(1), event.zone)
    return Timetable(rows=rows, starts=starts, ends=ends, overnight=overnight, played=played)


def planned_end(event: Event, plan: FormulaPlan, starts: datetime) -> datetime:
    """Return when an event that starts at ``starts`` ends by its plan; no query."""
    breaks = read_breaks(event.breaks)
    times = EventTimes(start=starts, zone=event.zone, minutes=event.minutes, breaks=breaks)
    return end_time(plan_slots(plan, times))


def late_end_warning(facts: EventFacts) -> str:
    """Return a warning if an event will end after its latest end, else ""; no query."""
    event = facts.event
    if event.ends_by is None:
        return ""
    found = event_timetable(facts, facts.plan)
    if found is None or found.played:
        return ""
    until = next_time_of_day(found.starts, event.ends_by, event.zone)
    if found.ends <= until:
        return ""
    return _("Ends around %(time)s, but must end by %(until)s.") % {
        "until": time_and_day_text(until, found.starts, event.zone),
        "time": time_and_day_text(found.ends, found.starts, event.zone),
    }


def _is_played(stage: StageFacts) -> bool:
    """Return whether a stage has begun and nothing of it is left to play."""
    begun = stage.stage.state != Stage.State.PENDING
    return begun and stage.rounds_done and not stage.missing


def open_stage_end(facts: EventFacts) -> datetime | None:
    """Return when the open stage ends by the timetable, None if unknown; no query.

    Unknown while the timer is paused, or if the stage has another number of rounds than planned.
    """
    stage, plan, found = facts.open_stage, facts.plan, event_timetable(facts, facts.plan)
    if stage is None or plan is None or found is None:
        return None
    lengths = [len(matches_by_round(planned)) for planned in plan.stages[: stage.stage.number]]
    clock = stage.last_round.clock if stage.last_round else None
    paused = clock is not None and clock.state == RoundClock.State.PAUSED
    if paused or not lengths or stage.total_rounds != lengths[-1]:
        return None
    rounds = [row for row in found.rows if not row["is_break"]]
    return rounds[sum(lengths) - 1]["ends"]


def _published_rounds(facts: EventFacts, plan: FormulaPlan) -> Iterator[tuple[int, RoundRow]]:
    """Yield the published rounds of the schedule with their number in the plan, from 1."""
    before = 0
    for at, stage in enumerate(plan.stages):
        planned = len(matches_by_round(stage))
        rounds = facts.stages[at].regular_rounds if at < len(facts.stages) else ()
        yield from ((before + number, item) for number, item in enumerate(rounds[:planned], 1))
        before += planned


def _beginning_of(round_: RoundRow) -> datetime | None:
    """Return when a round began: by its clock, pauses left out, else when it was published."""
    if round_.clock is not None and round_.clock.since is not None:
        return round_.clock.since - timedelta(seconds=round_.clock.used)
    return round_.published_at


def _labels(facts: EventFacts, plan: FormulaPlan, *, short: bool = False) -> Iterator[str]:
    """Yield the labels of all rounds: "Groups · Round 2", "Knock-out · Semi-finals", "Final".

    They are numbered through the event, as ``round_label`` does with those that are made.
    """
    made = {at: item.ordinal for at, item in _published_rounds(facts, plan)}
    return round_labels(plan, made, short=short)


def round_labels(
    plan: FormulaPlan, made: Mapping[int, int], *, short: bool = False
) -> Iterator[str]:
    """Yield the labels of all rounds of a plan: "Groups · Round 2", "Final".

    ``made``: {position in the plan, from 1: ordinal of an existing round}. ``short``: the number
    alone, or a name such as "Final".
    """
    several, at, ordinal = len(plan.stages) > 1, 0, 0
    for stage in plan.stages:
        label, state = translate(stage.label), state_with_all_seats(stage)
        for number, _matches in enumerate(matches_by_round(stage), start=1):
            at += 1
            ordinal = made.get(at, ordinal + 1)
            words = str(ordinal) if short else _("Round %(number)s") % {"number": ordinal}
            if stage_kind(stage).names_rounds:
                name = translate(stage_kind(stage).describe_round(state, number))
                words = words if short and "," in name else name
            yield stage_and_round_label(label, words) if several and not short else words


def _row(
    slot: Slot, labels: list[tuple[str, str]], published: datetime | None, *, new_day: bool
) -> dict[str, Any]:
    """A round or a break; ``real``: it has begun, else its times are a plan.

    ``new_day``: it begins on another day than the row before.
    """
    pause = slot.label or _("Break")
    label, short = labels[slot.round - 1] if slot.round else (pause, pause)
    return {
        "label": label,
        "short": short,
        "begins": published or slot.begins,
        "ends": slot.ends,
        "is_break": not slot.round,
        "real": slot.real,
        "new_day": new_day,
    }


def planned_starts(facts: EventFacts) -> dict[tuple[int, int], datetime]:
    """Return {(stage number, round number): planned start} of rounds to come.

    No query.
    """
    found = event_timetable(facts, facts.plan)
    if found is None or facts.plan is None:
        return {}
    rounds = (
        (stage.stage.number, number)
        for stage, planned in zip(facts.stages, facts.plan.stages, strict=False)
        for number in range(1, len(matches_by_round(planned)) + 1)
    )
    rows = (row for row in found.rows if not row["is_break"])
    return {at: row["begins"] for at, row in zip(rounds, rows, strict=False) if not row["real"]}
