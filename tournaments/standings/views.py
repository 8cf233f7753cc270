"""The public page of the standings."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.generic import RedirectView

from config.web import post_only, redirect_with_message
from tournaments.core.event_state import EventFacts
from tournaments.core.permissions import can_enter_results, is_staff
from tournaments.pages.access import find_actor, find_organiser_event, public_read
from tournaments.pages.long_lists import PART_PARAMETERS, is_split_into_parts, parse_requested_part
from tournaments.pages.views import bad_request_error, polling_page
from tournaments.prospects.selectors import has_known_prospects
from tournaments.standings.selectors.ranking import standings_page
from tournaments.standings.selectors.standings import hidden_round_labels, include_hidden_results
from tournaments.standings.services import release_standings


def _for_reader(request: HttpRequest, facts: EventFacts) -> EventFacts:
    if hidden_round_labels(facts) and is_staff(find_actor(request, facts.event), facts.event):
        return include_hidden_results(facts)
    return facts


def standings_content(request: HttpRequest, facts: EventFacts, ordinal: int = 0) -> dict[str, Any]:
    """Return the context of ``standings_page``, with the part of a long list requested."""
    found = standings_page(facts, ordinal)
    tables = [table.rows for stage in found["stages"] for table in stage.tables]
    lists = (*tables, found["final"]["rows"]) if found["final"] else tables
    return found | {
        "can_copy": True,
        "wanted": parse_requested_part(request.GET, after=str(ordinal) if found["earlier"] else ""),
        "long": any(is_split_into_parts(len(rows)) for rows in lists),
    }


def _match_keys(facts: EventFacts) -> Mapping[tuple[int, int], int]:
    """Return the keys of matches by round and number; no query."""
    return {
        (item.ordinal, match.number): match.pk
        for stage in facts.stages
        for item in stage.regular_rounds
        for match in stage.matches_of(item)
    }


@public_read(*PART_PARAMETERS, "after")
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the final standings as far as known, and the standings of every stage.

    ``?after=`` is the number of an earlier round: then standings after it.
    """
    sent = request.GET.get("after", "")
    ordinal = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 4 else 0

    def show(facts: EventFacts) -> Mapping[str, Any]:
        held = hidden_round_labels(facts)
        public, facts = facts, _for_reader(request, facts)
        actor = find_actor(request, facts.event)
        changes = can_enter_results(actor, facts.event)
        return standings_content(request, facts, ordinal) | {
            "match_keys": _match_keys(facts) if changes else None,
            "held": held,
            "can_copy": facts is public,
            "last_ordinal": facts.last_ordinal,
            "foreseen": has_known_prospects(facts),
        }

    return polling_page(request, slug, "tournaments/standings/standings.html", show)


@post_only
def publish_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish hidden standings; redirect to the desk if its button was used."""
    event, actor = find_organiser_event(request, slug)
    ordinal = request.POST.get("expected_round", "")
    if not (ordinal.isascii() and ordinal.isdecimal() and len(ordinal) < 6):
        raise bad_request_error()
    release_standings(event=event, expected_round=int(ordinal), by=actor)
    back = "desk" if request.POST.get("back") == "desk" else "standings"
    return redirect_with_message(request, _("Saved."), f"tournaments:{back}", slug)


FORMER = RedirectView.as_view(
    pattern_name="tournaments:standings", permanent=True, query_string=True
)
"""The addresses that the final standings and the reasons for each rank had."""

urlpatterns = [
    path("events/<slug:slug>/standings/", standings, name="standings"),
    path("events/<slug:slug>/standings/release/", publish_standings, name="standings-release"),
    path("events/<slug:slug>/standings/why/", FORMER),
    path("events/<slug:slug>/ranking/", FORMER),
]
