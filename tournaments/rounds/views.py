"""The public pairings of a round."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from tournaments.core.event_state import EventFacts, cached_value
from tournaments.core.visibility import public_leaders
from tournaments.judging.selectors import event_rulings
from tournaments.pages.access import public_read
from tournaments.pages.long_lists import PART_PARAMETERS, is_split_into_parts, parse_requested_part
from tournaments.pages.views import polling_page
from tournaments.rounds.selectors.pairings import pairings_page


@public_read(*PART_PARAMETERS)
def pairings(request: HttpRequest, slug: str, ordinal: int | None = None) -> HttpResponse:
    """Show a published round, by default the latest; ``ordinal`` is its number."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        leaders = cached_value(facts, "leaders", partial(public_leaders, facts.event))
        rulings = cached_value(facts, "rulings", partial(event_rulings, facts.event))
        shown = pairings_page(facts, ordinal, leaders, rulings)
        if shown is None and ordinal is not None:
            raise Http404
        return {
            "pairings": shown,
            "ordinal": ordinal,
            "wanted": parse_requested_part(request.GET),
            "long": shown is not None and is_split_into_parts(len(shown.names)),
        }

    return polling_page(request, slug, "tournaments/rounds/pairings.html", show)


urlpatterns = [
    path("events/<slug:slug>/pairings/", pairings, name="pairings"),
    path("events/<slug:slug>/pairings/<int:ordinal>/", pairings, name="pairings"),
]
