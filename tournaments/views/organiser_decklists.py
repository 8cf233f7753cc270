"""All lists of an event at a glance, and what to tell the players whose list is wanting."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from config.web import page
from tournaments.core.access import staff_only
from tournaments.core.permissions import Actor, can_see_decks
from tournaments.events.views import staff_event
from tournaments.models import Event
from tournaments.selectors.deck_messages import messages_for
from tournaments.selectors.deck_overview import lists_page

LANGUAGES = ("it", "en")


def judged_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they read every list of it."""
    event, actor = staff_event(request, slug)
    staff_only(can_see_decks(actor, event))
    return event, actor


@require_safe
def decklists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which lists are missing, illegal or late, and since when."""
    event, actor = judged_event(request, slug)
    shown = lists_page(event, request.GET.get("filter", ""))
    asked = request.GET.get("language")
    language = asked if asked in LANGUAGES else str(get_language())
    link = request.build_absolute_uri(reverse("tournaments:my-deck", args=[slug]))
    told = messages_for(event, shown.wanting, link=link, language=language, locked=shown.locked)
    context = {
        "event": event,
        "actor": actor,
        "shown": shown,
        "told": told,
        "language": language,
    }
    return page(request, "tournaments/organiser/decklists.html", context)
