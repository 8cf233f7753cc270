"""The page for a projector or a second screen."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.clock.selectors import current_clock
from tournaments.core.event_state import EventFacts
from tournaments.pages.offers import public_read
from tournaments.pages.views import live_page, qr_code, short_address_of, without_scheme
from tournaments.screen.selectors import parts_due


@public_read("view")
@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is due: names and tables, the clock, standings, the bracket, the podium."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        address = short_address_of(request, facts.event)
        return {
            "screen": parts_due(facts),
            "clock": current_clock(facts),
            "qr": qr_code(address),
            "address": without_scheme(address),
        }

    return live_page(request, slug, "tournaments/screen/screen.html", show, clock=True)
