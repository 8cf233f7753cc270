"""Answers that are the same for everybody, which the server may keep finished.

A view or endpoint is marked with ``public_read`` and the query parameters that its answer depends
on. When ``tournaments.public.page_cache`` asks, there is a ``CachePermission`` in the request's
environment: ``allow_caching`` grants it, after asking the visibility rule for an anonymous reader,
and names the moment at which the answer changes by itself. Without it neither does anything.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Min, Q
from django.http import HttpRequest
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.offline import keep_offline
from rules.events.clock import ClockState
from tournaments.core.clocks import current_moment, latest_clock
from tournaments.core.permissions import Actor, can_view
from tournaments.models import Event

OFFER = "girone.offer"
PARAMETERS = "public_parameters"
EVERY_ACT = "follows_every_act"
MOMENTS: list[Callable[[Event], datetime | None]] = []
"""Each returns when the pages of a running event change by what a feature does at its time."""
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(slots=True)
class CachePermission:
    """A view's permission to cache its response for anonymous readers.

    ``granted``: whether it may be cached. ``until``: when it becomes outdated by itself. ``clock``:
    the page cache adds the remaining time of the round timer. ``running``: the event is running.
    """

    granted: bool = False
    until: datetime | None = None
    clock: bool = False
    running: bool = False


def public_read(*parameters: str, every_act: bool = False) -> Callable[[View], View]:
    """Decorate a view whose response to anonymous readers may be cached.

    parameters: query parameters that the response depends on; others prevent caching. every_act: a
    page of a series changes by each act of its events, not only when one begins, ends or is
    corrected. The view accepts GET and HEAD only, and signed-in readers can open the page offline.
    """

    def marked(view: View) -> View:
        read = view if isinstance(view, type) else require_safe(view)
        setattr(read, PARAMETERS, frozenset(parameters))
        setattr(read, EVERY_ACT, every_act)
        return keep_offline(read)

    return marked


def public_parameters(view: Any) -> frozenset[str] | None:
    """Return the query parameters of a view marked with ``public_read``, else None."""
    found: frozenset[str] | None = vars(getattr(view, "cls", view)).get(PARAMETERS)
    return found


def changes_with_every_act(view: Any) -> bool:
    """Return whether a view is marked with ``public_read(every_act=True)``."""
    return bool(vars(getattr(view, "cls", view)).get(EVERY_ACT))


def allow_caching(
    request: HttpRequest,
    actor: Actor,
    event: Event | None = None,
    *,
    clock: bool = False,
    seconds: bool = False,
) -> None:
    """Let the page cache store the response, if it is the same for all anonymous readers.

    clock: the page shows the round timer. seconds: the response itself holds its seconds. At most
    three queries, none if the response can't be stored.
    """
    found: CachePermission | None = request.META.get(OFFER)
    if found is None or actor.user is not None or actor.entry is not None:
        return
    if event is not None and not can_view(Actor(), event):
        return
    now = timezone.now()
    found.granted, found.clock = True, clock
    found.running = event is not None and event.state == Event.State.RUNNING
    found.until = (
        next_change(event, now, seconds=seconds) if event else next_registration_change(now)
    )


def allow_series_caching(
    request: HttpRequest, actor: Actor, events: Iterable[Event], *, seconds: bool = False
) -> None:
    """Let the page cache store a page of a series, if all anonymous readers get the same.

    events: those on the page, all public. seconds: the response holds the seconds of a running
    timer. At most three queries for each running event.
    """
    found: CachePermission | None = request.META.get(OFFER)
    if found is None or actor.user is not None or actor.entry is not None:
        return
    now = timezone.now()
    moments = (next_change(event, now, seconds=seconds) for event in events)
    found.granted = True
    found.until = min((moment for moment in moments if moment is not None), default=None)


def next_change(event: Event, now: datetime, *, seconds: bool = False) -> datetime | None:
    """Return when an event's public pages next change by time alone, None if never.

    seconds: the page shows a running timer, so that is in one second. At most three queries.
    """
    moments = _moments(event, now, seconds=seconds)
    return min((each for each in moments if each is not None and each > now), default=None)


def next_registration_change(now: datetime) -> datetime | None:
    """Return when registration for any event next opens or closes, or None; one query."""
    found = Event.objects.filter(state=Event.State.REGISTRATION).aggregate(
        opens=Min("registration_opens", filter=Q(registration_opens__gt=now)),
        closes=Min("registration_closes", filter=Q(registration_closes__gt=now)),
    )
    return min(filter(None, found.values()), default=None)


def _moments(event: Event, now: datetime, *, seconds: bool) -> Iterator[datetime | None]:
    if event.state == Event.State.REGISTRATION:
        yield from (event.registration_opens, event.registration_closes)
    if event.state != Event.State.RUNNING:
        return
    shown = event.announcements.filter(ended_at__isnull=True, until__gt=now)
    yield shown.aggregate(at=Min("until"))["at"]
    yield from (moment(event) for moment in MOMENTS)
    clock = latest_clock(event)
    if clock is not None and clock.state is ClockState.RUNNING:
        if seconds:
            yield now + timedelta(seconds=1)
        left = clock.left(current_moment())
        for minutes in (*event.warnings, 0, -(event.overtime or 0)):
            yield now + timedelta(seconds=left - 60 * minutes)
