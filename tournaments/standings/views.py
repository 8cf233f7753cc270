"""The public pages of the standings and the final ranking."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from config.web import done, posted
from tournaments.core.event_state import EventFacts
from tournaments.core.kept_places import kept_in_words
from tournaments.core.permissions import is_staff
from tournaments.pages.access import actor_of, organiser_event
from tournaments.pages.long_lists import PART_PARAMETERS, is_long, wanted_of
from tournaments.pages.offers import public_read
from tournaments.pages.views import live_page, unreadable_request
from tournaments.prospects.selectors.prospects import current_stage
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.standings.selectors.rows import columns
from tournaments.standings.selectors.standings import (
    drawn_lots,
    earlier_standings,
    event_reasons,
    held_labels,
    stage_standings,
    with_held,
)
from tournaments.standings.services import release_standings


def _for_reader(request: HttpRequest, facts: EventFacts) -> EventFacts:
    if held_labels(facts) and is_staff(actor_of(request, facts.event), facts.event):
        return with_held(facts)
    return facts


@public_read(*PART_PARAMETERS, "after")
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of every stage.

    ``after`` is the number of an earlier round: then the tables as they were after it.
    """
    sent = request.GET.get("after", "")
    ordinal = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 4 else 0

    def show(facts: EventFacts) -> Mapping[str, Any]:
        held = held_labels(facts)
        facts = _for_reader(request, facts)
        earlier = earlier_standings(facts, ordinal) if ordinal else None
        stages = (earlier,) if earlier else stage_standings(facts)
        has_tables = any(stage.tables for stage in stages)
        return {
            "stages": stages,
            "held": held,
            "kept": () if earlier else kept_in_words(facts),
            "last_ordinal": facts.last_ordinal,
            "legend": columns(facts) if has_tables else (),
            "foreseen": current_stage(facts) is not None,
            "earlier": earlier is not None,
            "wanted": wanted_of(request.GET, after=str(ordinal) if earlier else ""),
            "long": any(is_long(len(table.rows)) for stage in stages for table in stage.tables),
        }

    return live_page(request, slug, "tournaments/standings/standings.html", show)


@posted
def release(request: HttpRequest, slug: str) -> HttpResponse:
    """Release the standings that are held back; back to the desk if its button was used."""
    event, actor = organiser_event(request, slug)
    ordinal = request.POST.get("expected_round", "")
    if not (ordinal.isascii() and ordinal.isdecimal() and len(ordinal) < 6):
        raise unreadable_request()
    release_standings(event=event, expected_round=int(ordinal), by=actor)
    back = "desk" if request.POST.get("back") == "desk" else "standings"
    return done(request, _("Everybody sees the standings now."), f"tournaments:{back}", slug)


@public_read(*PART_PARAMETERS)
def why(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the reason for each rank, and tied players criterion by criterion."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        tables = event_reasons(_for_reader(request, facts))
        return {"tables": tables, "lots": drawn_lots(facts), "wanted": wanted_of(request.GET)}

    return live_page(request, slug, "tournaments/standings/why.html", show)


@public_read(*PART_PARAMETERS)
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the final ranking."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        found = ranking_page(facts)
        return {
            "ranking": found,
            "kept": kept_in_words(facts),
            "wanted": wanted_of(request.GET),
            "long": is_long(len(found.rows)),
        }

    return live_page(request, slug, "tournaments/standings/ranking.html", show)


urlpatterns = [
    path("events/<slug:slug>/standings/", standings, name="standings"),
    path("events/<slug:slug>/standings/release/", release, name="standings-release"),
    path("events/<slug:slug>/standings/why/", why, name="why"),
    path("events/<slug:slug>/ranking/", ranking, name="ranking"),
]
