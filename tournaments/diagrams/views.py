"""The pages with an event's bracket, and with its formula as a diagram."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.core.event_state import EventFacts
from tournaments.diagrams.selectors.drawn_brackets import drawings
from tournaments.diagrams.selectors.formula_layout import picture
from tournaments.diagrams.selectors.formula_picture import formula_columns
from tournaments.events.selectors.events import registration_of
from tournaments.events.selectors.rules_in_words import plan_or_reason
from tournaments.pages.offers import public_read
from tournaments.pages.views import live_page


@public_read()
@require_safe
def formula(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the formula as a picture and as a list."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        players = 0 if facts.plan else registration_of(facts.event).players
        plan, note = plan_or_reason(facts.event, players)
        columns = formula_columns(facts, plan) if plan else ()
        return {"columns": columns, "picture": picture(columns), "note": note}

    return live_page(request, slug, "tournaments/formulas/formula.html", show)


@public_read("p")
@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the brackets of an event; ``p`` is the number of a player whose path is lit."""
    sent = request.GET.get("p", "")
    follow = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 6 else 0

    def show(facts: EventFacts) -> Mapping[str, Any]:
        return {"drawings": drawings(facts, follow), "follow": follow}

    return live_page(request, slug, "tournaments/diagrams/bracket.html", show)


urlpatterns = [
    path("events/<slug:slug>/bracket/", bracket, name="bracket"),
    path("events/<slug:slug>/formula/", formula, name="formula"),
]
