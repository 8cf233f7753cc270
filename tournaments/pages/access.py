"""Find the event of a request, who reads it, and check their role there; the base of organisers'
forms; and the answers that are the same for everybody, which the server may keep finished.

A view or endpoint is marked with ``public_read`` and the query parameters that its answer depends
on. When ``tournaments.public.page_cache`` asks, there is a ``CachePermission`` in the request's
environment: ``allow_caching`` grants it, after asking the visibility rule for an anonymous reader,
and names the moment at which the answer changes by itself. Without it neither does anything.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from config.offline import keep_offline
from config.web import RuleFormView
from rules.events.clock import ClockState
from tournaments.core.clocks import current_moment, latest_clock
from tournaments.core.permissions import Actor, can_judge, can_manage, can_view, is_staff
from tournaments.core.slugs import event_short_code
from tournaments.models import Entry, Event
from tournaments.models.entry import annotate_sign_in_requests

LINKS = "personal_links"
Allowed = Callable[[Actor, Event], bool]
CAUSED_BY_TIME: list[Callable[[Event], Event]] = []
"""The writes that time causes; each stores what is due and returns the event as it then is."""


def join_url(request: HttpRequest, event: Event) -> str:
    """Return the absolute short URL where players sign in to an event by phone; no query."""
    return absolute_url(
        request, reverse("tournaments:join-short", args=[event_short_code(event.pk)])
    )


def short_event_url(request: HttpRequest, event: Event) -> str:
    """Return the absolute short URL of an event's page; no query."""
    path = reverse("tournaments:short-address", args=[event_short_code(event.pk)])
    return absolute_url(request, path)


def find_actor(request: HttpRequest, event: Event | None = None) -> Actor:
    """Return the actor of a request: its user, and the entry whose personal link it opened.

    entry: None without ``event``. At most one query.
    """
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, entry=entry_by_link(request, event) if event else None)


def entry_by_link(request: HttpRequest, event: Event) -> Entry | None:
    """Return the entry of the event whose personal link this session opened.

    None if there is none, or the link was revoked. At most one query.
    """
    link_id = remembered_link_id(request, event)
    if link_id is None:
        return None
    live = Entry.objects.filter(links=link_id, links__revoked_at__isnull=True)
    entry = annotate_sign_in_requests(live).order_by().first()
    if entry is None or entry.event_id != event.pk:
        return None
    entry.event = event
    return entry


def remembered_link_id(request: HttpRequest, event: Event) -> int | None:
    """Return the primary key of the personal link that the session opened for an event.

    None if there is none; the link may be revoked. No query.
    """
    link_id: int | None = request.session.get(LINKS, {}).get(str(event.pk))
    return link_id


def remember_link(request: HttpRequest, event: Event, link_id: int) -> None:
    """Store an opened personal link in the session, and renew the session key.

    link_id: the link's primary key.
    """
    request.session.cycle_key()
    request.session[LINKS] = request.session.get(LINKS, {}) | {str(event.pk): link_id}


def find_visible_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return (event, actor) for a page; Http404 if the actor may not see the event.

    Writes that are due by time run first, see `load_visible_event`.
    """
    return load_visible_event(slug, lambda event: find_actor(request, event))


def load_visible_event(slug: str, asking: Callable[[Event], Actor]) -> tuple[Event, Actor]:
    """Return (event, actor); Http404 if there is no such event or the actor may not see it.

    ``asking`` is called with the event and returns the actor. Writes that are due by time, such as
    confirming reports (``CAUSED_BY_TIME``), run first. One query for the event, those of ``asking``
    and ``can_view``, one more if the event confirms reports by time.
    """
    event = Event.objects.filter(slug=slug).order_by().first()
    if event is None:
        raise Http404
    actor = asking(event)
    if not can_view(actor, event):
        raise Http404
    return apply_due_writes(event), actor


def apply_due_writes(event: Event) -> Event:
    """Run the writes that are due by time (``CAUSED_BY_TIME``); return the event."""
    for write in CAUSED_BY_TIME:
        event = write(event)
    return event


def require_role(allowed: Allowed, actor: Actor, event: Event) -> None:
    """Raise PermissionDenied unless ``allowed(actor, event)``.

    The message names the account that the user is signed in with. At most one query.
    """
    if not allowed(actor, event):
        raise PermissionDenied(_why_closed(actor, event))


def _why_closed(actor: Actor, event: Event) -> str:
    whose = _("This page is for the staff of the event.")
    if actor.user is None:
        return whose
    if is_staff(actor, event):
        whose = _("Your role can’t open this page.")
    return f"{whose} " + _("You are signed in as %(name)s.") % {"name": actor.user.name}


def find_staff_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return (event, actor) for a page; PermissionDenied unless the actor is event staff.

    Http404 if the actor may not see the event.
    """
    event, actor = find_visible_event(request, slug)
    require_role(is_staff, actor, event)
    return event, actor


def find_organiser_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return (event, actor) for a page; PermissionDenied unless the actor is an organiser.

    Http404 if the actor may not see the event.
    """
    event, actor = find_visible_event(request, slug)
    require_role(can_manage, actor, event)
    return event, actor


def find_judge_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return (event, actor) for a page; PermissionDenied unless the actor may judge.

    That is judges and organisers. Http404 if the actor may not see the event.
    """
    event, actor = find_visible_event(request, slug)
    require_role(can_judge, actor, event)
    return event, actor


EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
PLAYERS = f"{MANAGE}players/"
PLAYER = f"{PLAYERS}<int:number>/"
DESK = f"{EVENT}desk/"
ROUND = f"{DESK}rounds/<int:ordinal>/"
MATCH = f"{EVENT}matches/<int:match_id>/"


class OrganiserFormView(RuleFormView):
    """Base class of forms that change an event, by default for organisers.

    ``may`` is the required permission, called with actor and event. ``event`` and ``actor`` are set
    before the request is handled.
    """

    may: Allowed = staticmethod(can_manage)
    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the event; 403 for others than ``may`` allows."""
        self.event, self.actor = find_visible_event(request, kwargs["slug"])
        require_role(self.may, self.actor, self.event)
        return self.prepare() or super().dispatch(request, *args, **kwargs)

    def prepare(self) -> HttpResponse | None:
        """Read what the form needs; return where to go instead where there is nothing to do."""
        return None

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and the actor."""
        return super().get_context_data(**{"event": self.event, "actor": self.actor} | kwargs)


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
