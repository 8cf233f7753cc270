"""The next evening of a series, made from the latest by one act."""

from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from tournaments.core.permissions import Actor, can_create_events, require_permission
from tournaments.models import Event, Series, SeriesEvent
from tournaments.repeats.selectors import managed_events
from tournaments.repeats.services import repeat_event
from tournaments.series.services import begin_series, record_series

PASSED = timedelta(days=1)
"""How long after its beginning an event that never started is no next one any more."""


@transaction.atomic
def make_next_event(
    *, series: Series, starts_at: datetime | None = None, name: str = "", by: Actor
) -> tuple[Event, bool]:
    """Return the next evening of a series, and whether it was made now.

    It repeats the latest evening, as ``repeat_event`` does, and is added to the series. If there is
    one to come (with ``starts_at``: one that begins then), that is returned. Finals are no
    evenings. Raises RuleError ``no_evening``, PermissionDenied; as ``begin_series`` and
    ``repeat_event``.
    """
    series = begin_series(series, by=by)
    require_permission(can_create_events(by))
    evenings = Event.objects.filter(memberships__in=series.members.filter(invited={}))
    if not evenings.exists():
        raise RuleError("no_evening", "Add an event to the series first.")
    own = managed_events(by).filter(pk__in=evenings).order_by("starts_at", "pk")
    started = own.filter(plan__isnull=False).last()
    there = _there(evenings, started, starts_at, by)
    event = there or _repeated(started or own.last(), name, starts_at, by)
    _member, added = SeriesEvent.objects.get_or_create(series=series, event=event)
    if added:
        record_series(series, "series.next_made", by=by, event=event.slug)
    return event, there is None


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
