"""The next evening of a series: a repetition of one of its evenings, by *Repeat* or from here."""

from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from rules.series.points import MOST_EVENTS
from tournaments.core.permissions import Actor, can_create_events, require_permission
from tournaments.models import Event, Series, SeriesEvent
from tournaments.repeats.selectors import managed_events
from tournaments.repeats.services import repeat_event
from tournaments.series.selectors import can_manage_series
from tournaments.series.services import lock_series, parse_event_slugs, save_and_log_series

PASSED = timedelta(days=1)
"""How long after its beginning an event that never started is no next one any more."""


@transaction.atomic
def make_next_event(
    *, series: Series, starts_at: datetime | None = None, name: str = "", by: Actor
) -> tuple[Event, bool]:
    """Return (next event of a series, whether it was created now).

    It repeats the latest event other than a final, with ``repeat_event``, unless the next one
    exists already; with ``starts_at``, one with that start. It is added to the series. Raises
    RuleError ``no_evening`` without an event to repeat; BadInput ``invalid_events`` for a full
    series; PermissionDenied; the errors of ``lock_series`` and ``repeat_event``.
    """
    series = lock_series(series, by=by)
    require_permission(can_create_events(by))
    evenings = Event.objects.filter(memberships__in=series.members.filter(invited={}))
    if not evenings.exists():
        raise RuleError("no_evening", "Add an event to the series first.")
    own = managed_events(by).filter(pk__in=evenings).order_by("starts_at", "pk")
    started = own.filter(plan__isnull=False).last()
    there = _there(evenings, started, starts_at, by)
    event = there or _repeated(started or own.last(), name, starts_at, by)
    _add(series, event, by)
    return event, there is None


def add_repetition(*, event: Event, by: Actor, **_more: Any) -> None:
    """Add a repetition of an event to the series of the repeated one.

    Receiver of the signal ``event_repeated``. Series that are closed or full, or that the actor
    doesn't organise, are skipped.
    """
    evenings = SeriesEvent.objects.filter(event=event.source_id, invited={})
    wanted = Series.objects.filter(pk__in=evenings.values("series"), closed_at=None)
    for series in wanted.select_for_update().order_by("pk"):
        if can_manage_series(by, series) and series.members.count() < MOST_EVENTS:
            _add(series, event, by)


def _add(series: Series, event: Event, by: Actor) -> None:
    """Add an event to a locked series, if it isn't there."""
    slugs = [*series.members.values_list("event__slug", flat=True)]
    if event.slug not in slugs:
        parse_event_slugs([*slugs, event.slug])
        SeriesEvent.objects.create(series=series, event=event)
        save_and_log_series(series, "series.next_made", by=by, event=event.slug)


def _there(
    evenings: QuerySet[Event], started: Event | None, starts_at: datetime | None, by: Actor
) -> Event | None:
    """Return the evening that begins then, or is to come; also one that repeats the latest."""
    if starts_at is not None:
        return evenings.filter(starts_at=starts_at).first()
    repeated = managed_events(by).filter(source=started) if started else Event.objects.none()
    known = Event.objects.filter(Q(pk__in=evenings) | Q(pk__in=repeated))
    to_come = known.filter(plan__isnull=True, starts_at__gt=timezone.now() - PASSED)
    return to_come.order_by("starts_at", "pk").first()


def _repeated(source: Event | None, name: str, starts_at: datetime | None, by: Actor) -> Event:
    """Repeat an evening; None if the actor manages none. Raises PermissionDenied."""
    if source is None:
        raise PermissionDenied
    return repeat_event(source=source, name=name, starts_at=starts_at, by=by)
