"""Find the event of a request, who reads it, and check their role there; the base of organisers'
forms.
"""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from config.addresses import absolute_url
from config.web import RuleFormView
from tournaments.core.permissions import (
    Actor,
    can_judge,
    can_manage,
    can_view,
    is_staff,
)
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
