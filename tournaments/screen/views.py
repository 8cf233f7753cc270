"""The page for a projector or a second screen, and the choice of what it shows."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from config.web import post_only, redirect_with_message
from tournaments.core.clocks import current_clock_display
from tournaments.core.event_state import EventFacts
from tournaments.models import Event
from tournaments.pages.access import find_staff_event, join_url, public_read, short_event_url
from tournaments.pages.views import polling_page, qr_code, strip_scheme
from tournaments.screen.selectors import invites_to_join, screen_parts
from tournaments.screen.services import pin_view


@public_read("view")
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hall screen: names and tables, timer, standings, bracket or podium."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        shown = screen_parts(facts)
        joins = invites_to_join(facts.event, shown)
        address = (join_url if joins else short_event_url)(request, facts.event)
        if facts.event.state == Event.State.DRAFT:
            address = ""  # a phone would find nothing there
        return {
            "screen": shown,
            "players": sum(entry.plays for entry in facts.entries.values()),
            "joins": joins,
            "clock": current_clock_display(facts),
            "qr": address and qr_code(address),
            "address": address and strip_scheme(address),
        }

    return polling_page(request, slug, "tournaments/screen/screen.html", show)


@post_only
def pin(request: HttpRequest, slug: str) -> HttpResponse:
    """Pin a view on the hall screen, or unpin it."""
    event, actor = find_staff_event(request, slug)
    pin_view(event=event, view=request.POST.get("view", ""), by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


urlpatterns = [
    path("events/<slug:slug>/screen/", screen, name="screen"),
    path("events/<slug:slug>/screen/pin/", pin, name="screen-pin"),
]
