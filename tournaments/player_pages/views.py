"""The public page of a player."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.core.event_state import EventFacts
from tournaments.pages.offers import public_read
from tournaments.pages.views import live_page
from tournaments.player_pages.selectors.page import page_of


@public_read()
@require_safe
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player of an event; raises Http404 for a number that nobody has."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        found = page_of(facts, number)
        if found is None:
            raise Http404
        return {"shown": found}

    return live_page(request, slug, "tournaments/player_pages/player.html", show)
