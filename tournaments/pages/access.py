"""Find the event of a request, who reads it, and check their role there."""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.core.permissions import (
    Actor,
    can_judge,
    can_manage,
    can_view,
    is_staff,
)
from tournaments.models import Entry, Event
from tournaments.players.selectors.players import live_link
from tournaments.results.services.reports import confirm_if_due

LINKS = "personal_links"


def actor_of(request: HttpRequest, event: Event | None = None) -> Actor:
    """Return who asks: the signed-in user, and the entry whose link they opened in the event."""
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, entry=entry_by_link(request, event) if event else None)


def entry_by_link(request: HttpRequest, event: Event) -> Entry | None:
    """Return the entry of the personal link that this browser opened, unless revoked."""
    link_id = request.session.get(LINKS, {}).get(str(event.pk))
    if link_id is None:
        return None
    link = live_link(link_id)
    return link.entry if link is not None and link.entry.event_id == event.pk else None


def remember_link(request: HttpRequest, event: Event, link_id: int) -> None:
    """Keep an opened personal link in the session, under a new session key."""
    request.session.cycle_key()
    request.session[LINKS] = request.session.get(LINKS, {}) | {str(event.pk): link_id}


def confirmed_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event, its due reports confirmed, and who asks; see ``find_confirmed``."""
    return find_confirmed(slug, lambda event: actor_of(request, event))


def find_confirmed(slug: str, asking: Callable[[Event], Actor]) -> tuple[Event, Actor]:
    """Return an event and who asks, after its reports that are due have been confirmed.

    This is the one write that reading an event does; pages and the API find their event here.
    Raises Http404 where there is no such event for who asks. One query for the event, those of
    ``asking`` and ``can_view``, one more where reports of the event confirm themselves.
    """
    event = get_object_or_404(Event, slug=slug)
    actor = asking(event)
    if not can_view(actor, event):
        raise Http404
    return confirm_if_due(event), actor


def staff_only(allowed: bool) -> None:
    """Raise PermissionDenied (403) unless allowed."""
    if not allowed:
        raise PermissionDenied(
            _("This page is for the staff of the event. Sign in with the account that has a role.")
        )


def staff_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they are on its staff."""
    event, actor = confirmed_event(request, slug)
    staff_only(is_staff(actor, event))
    return event, actor


def organiser_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they organise it."""
    event, actor = confirmed_event(request, slug)
    staff_only(can_manage(actor, event))
    return event, actor


def judged_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they check decks there."""
    event, actor = confirmed_event(request, slug)
    staff_only(can_judge(actor, event))
    return event, actor
