"""Preview pictures, and pages for frames of other sites."""

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import override
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.diagrams.selectors.followed import shown_brackets
from tournaments.pages.access import confirmed_event
from tournaments.pages.addresses import EVENT
from tournaments.pages.long_lists import WantedPart
from tournaments.pages.offers import offer, public_read
from tournaments.sharing.addresses import parse_picture_name, picture_address
from tournaments.sharing.drawing import drawn_picture
from tournaments.sharing.pictures import picture_of
from tournaments.standings.selectors.standings import stage_standings

Show = Callable[[EventFacts], dict[str, Any]]
A_FRAME = csp_replace({"frame-ancestors": ["*"]})  # type: ignore[no-untyped-call]
"""Pages of ``/embed/`` may stand in the frames of any site: they have no form and no session."""


@public_read()
def picture(request: HttpRequest, slug: str, picture: str) -> HttpResponse:
    """Return a preview picture; the address of another version redirects to the current one."""
    wanted = parse_picture_name(picture)
    if wanted is None:
        raise Http404
    event, actor = confirmed_event(request, slug)
    if wanted.version != event.version:
        return redirect(picture_address(event, wanted.subject, wanted.language))
    with override(wanted.language):
        content = picture_of(read_facts(event), wanted.kind, wanted.number)
    if content is None:
        raise Http404
    offer(request, actor, event)
    return HttpResponse(drawn_picture(content), content_type="image/png")


@public_read()
@A_FRAME  # type: ignore[arg-type]
@xframe_options_exempt
@require_safe
def embedded_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the current tables for a frame."""
    return _embedded(
        request,
        slug,
        "tournaments/sharing/standings.html",
        lambda facts: {"stages": stage_standings(facts)[:1], "wanted": WantedPart()},
    )


@public_read()
@A_FRAME  # type: ignore[arg-type]
@xframe_options_exempt
@require_safe
def embedded_bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the brackets for a frame."""
    template = "tournaments/sharing/bracket.html"
    return _embedded(request, slug, template, lambda facts: {"shown": shown_brackets(facts)})


def _embedded(request: HttpRequest, slug: str, template: str, show: Show) -> HttpResponse:
    event, actor = confirmed_event(request, slug)
    context = {"event": event, "actor": actor, "own_number": 0} | show(read_facts(event))
    offer(request, actor, event)
    return render(request, template, context)


urlpatterns = [
    path(f"{EVENT}pictures/<slug:picture>.png", picture, name="picture"),
    path(f"{EVENT}embed/standings/", embedded_standings, name="embed-standings"),
    path(f"{EVENT}embed/bracket/", embedded_bracket, name="embed-bracket"),
]
