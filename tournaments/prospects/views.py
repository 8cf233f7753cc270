"""The page of who has qualified or is eliminated, or of the final places of a last stage."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from config.web import not_modified_response, render_page, version_tag
from tournaments.core.facts_cache import read_facts
from tournaments.pages.access import allow_caching, find_visible_event, public_read
from tournaments.prospects.selectors import final_places_table, may_see_prospects, prospect_groups


@public_read()
def prospects(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who can still advance; 404 if the event hides prospects from the reader."""
    event, actor = find_visible_event(request, slug)
    if not may_see_prospects(actor, event):
        raise Http404
    tag = version_tag(request, event.version, "prospects")
    polls = bool(getattr(request, "htmx", None))
    if polls and (same := not_modified_response(request, tag)):
        return same
    allow_caching(request, actor, event)
    facts = read_facts(event)
    return render_page(
        request,
        "tournaments/prospects/prospects.html",
        {
            "event": event,
            "actor": actor,
            "facts": facts,
            "groups": prospect_groups(facts),
            "final": final_places_table(facts),
            "held": bool(facts.open_stage and facts.open_stage.held),
        },
        fragment="tournaments/prospects/_prospects.html",
        tag=tag if polls else None,
    )


urlpatterns = [
    path("events/<slug:slug>/prospects/", prospects, name="prospects"),
]
