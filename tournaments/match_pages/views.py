"""The public page of a match."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from tournaments.core.event_state import EventFacts, cached_value
from tournaments.judging.selectors import event_rulings
from tournaments.match_pages.selectors import public_match_context
from tournaments.pages.access import EVENT, public_read
from tournaments.pages.views import polling_page


@public_read()
def public_match(request: HttpRequest, slug: str, ordinal: int, number: int) -> HttpResponse:
    """Show a match of a published round; Http404 for an unknown match or a bye."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        rulings = cached_value(facts, "rulings", partial(event_rulings, facts.event))
        found = public_match_context(facts, (ordinal, number), rulings)
        if found is None:
            raise Http404
        return {"shown": found}

    return polling_page(request, slug, "tournaments/match_pages/match.html", show)


urlpatterns = [
    path(f"{EVENT}pairings/<int:ordinal>/<int:number>/", public_match, name="public-match"),
]
