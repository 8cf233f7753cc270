"""The pairings of a round, for everybody."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.core.event_state import EventFacts
from tournaments.core.views import live_page
from tournaments.selectors.clock import current_clock
from tournaments.selectors.notes import rulings_of
from tournaments.selectors.pairings import pairings_page
from tournaments.selectors.shown_lists import public_leaders


@require_safe
def pairings(request: HttpRequest, slug: str, ordinal: int | None = None) -> HttpResponse:
    """Show a published round, the latest unless another is asked for."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        leaders, rulings = public_leaders(facts.event), rulings_of(facts.event)
        shown = pairings_page(facts, ordinal, leaders, rulings)
        if shown is None and ordinal is not None:
            raise Http404
        clock = current_clock(facts) if shown and shown.is_latest else None
        return {"pairings": shown, "ordinal": ordinal, "clock": clock}

    return live_page(request, slug, "tournaments/public/pairings.html", show, clock=True)
