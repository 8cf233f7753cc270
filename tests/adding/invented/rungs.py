"""A page of an event: how many rungs of the ladder are behind the players."""

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.core.event_state import load_facts
from tournaments.pages.access import find_visible_event

PAGE = """{% extends "tournaments/event_base.html" %}
{% block event_title %}Rungs – {% endblock %}
{% block page %}<h2>Rungs</h2><p>Rungs climbed: {{ rungs }}.</p>{% endblock %}"""


@require_safe
def rungs(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how many rounds of ladders were made."""
    event, actor = find_visible_event(request, slug)
    stages = load_facts(event, for_staff=False).stages
    made = sum(len(stage.rounds) for stage in stages if stage.stage.kind == "ladder")
    context = {"event": event, "actor": actor, "rungs": made}
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


urlpatterns = [path("events/<slug:slug>/rungs/", rungs, name="rungs")]
