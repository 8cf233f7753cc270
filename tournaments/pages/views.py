"""Pages that poll for changes, the clock's header, short addresses and QR codes."""

from collections.abc import Callable, Mapping
from typing import Any

import segno
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from config.addresses import absolute_url
from config.web import not_modified, page, version_tag
from tournaments.core.announcements import announcements_in
from tournaments.core.clocks import clock_header
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor
from tournaments.core.short_addresses import code_of
from tournaments.models import Event
from tournaments.pages.access import confirmed_event
from tournaments.pages.offers import offer

CLOCK = "X-Clock"


def with_clock(response: HttpResponse, facts: EventFacts) -> HttpResponse:
    """Add the ``X-Clock`` header, also to 304 responses; no query."""
    if header := clock_header(facts):
        response[CLOCK] = header
    return response


ContextOf = Callable[[EventFacts], Mapping[str, Any]]


def live_page(
    request: HttpRequest, slug: str, template: str, context_of: ContextOf, *, clock: bool = False
) -> HttpResponse:
    """Return the page, or when polled its fragment or 304.

    The fragment of ``rounds/pairings.html`` is ``rounds/_pairings.html``.
    """
    event, actor = confirmed_event(request, slug)
    facts = read_facts(event)
    folder, _slash, name = template.rpartition("/")
    announced = announcements_in(facts)
    shown_announcements = [each.pk for each in announced]
    tag = version_tag(request, event.version, name, request.GET.urlencode(), *shown_announcements)
    polls = bool(getattr(request, "htmx", None))
    if polls and (same := not_modified(request, tag)):
        return with_clock(same, facts) if clock else same
    context = {"event": event, "actor": actor, "own_number": _own_number(actor, event)}
    context |= {"announcements": announced, "fragment": f"{folder}/_{name}"}
    context |= context_of(facts)
    offer(request, actor, event, clock=clock)
    response = page(
        request,
        template,
        context,
        fragment="tournaments/public/_live.html",
        tag=tag if polls else None,
    )
    return with_clock(response, facts) if polls and clock else response


def _own_number(actor: Actor, event: Event) -> int:
    entry = actor.entry_in(event)
    return entry.number if entry else 0


def qr_code(text: str) -> SafeString:
    """Return a QR code as inline SVG without style attributes, as the CSP requires."""
    drawn = segno.make_qr(text, error="m").svg_inline(
        border=3, light="#fff", dark="#000", svgclass="qr", lineclass=None, omitsize=True
    )
    return mark_safe(drawn)  # noqa: S308 - made of squares, not of the text


def short_address_of(request: HttpRequest, event: Event) -> str:
    """Return the absolute short address of an event; no query."""
    path = reverse("tournaments:short-address", args=[code_of(event.pk)])
    return absolute_url(request, path)


def without_scheme(address: str) -> str:
    """Return an address as it is printed: the site and the path."""
    return address.split("://", 1)[-1].rstrip("/")
