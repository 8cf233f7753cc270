"""An event drawn everywhere that shows events to all: what can't be drawn is not restored.

``tournaments.start`` connects it to ``archive.reader.event_restored``: what it raises undoes the
restore.
"""

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import resolve, reverse

from config.addresses import default_host
from tournaments.api.serialization import event_json
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import EventFilters
from tournaments.models import Event
from tournaments.public.selectors.listed import listed_events, render_in_lists

PAGES = ("tournaments:event", "tournaments:event-calendar")


def render_event(event: Event) -> None:
    """Render an event's pages and list rows once, to detect damaged data.

    Raises any error of the rendering. Drafts and unlisted events are rendered as if public. Changes
    are rolled back.
    """
    with transaction.atomic():
        Event.objects.filter(pk=event.pk).update(listed=True)
        Event.objects.filter(pk=event.pk, state=Event.State.DRAFT).update(
            state=Event.State.REGISTRATION
        )
        shown = Event.objects.get(pk=event.pk)
        for name in PAGES:
            _answer(reverse(name, args=[shown.slug]))
        render_in_lists(shown)
        _draw_row(shown)
        event_json(shown)
        transaction.set_rollback(True)


def _draw_row(event: Event) -> None:
    """Draw the list of events with this one alone. Raises LookupError if it is left out."""
    lists = listed_events(Actor(), filters=EventFilters(key=event.pk))
    if lists["is_empty"]:
        raise LookupError("the list of events leaves it out")
    context = {"lists": lists, "filters": EventFilters(), "sent": {}, "games": ()}
    request = _anonymous_request(reverse("tournaments:event-list"))
    render_to_string("tournaments/public/event_list.html", context, request)


def _answer(path: str) -> None:
    """Call the view of a path without middleware and caches; raises what the view raises."""
    request = _anonymous_request(path)
    view, args, named = resolve(path)
    view(request, *args, **named)


def _anonymous_request(path: str) -> HttpRequest:
    """Return the request of somebody without account."""
    request = HttpRequest()
    request.method, request.path, request.path_info = "GET", path, path
    request.META |= {"HTTP_HOST": default_host()}
    request.user, request.session = AnonymousUser(), SessionStore()
    request.resolver_match = resolve(path)
    return request
