"""The log of an event."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from config.web import render_page
from tournaments.log_page.selectors import load_log_page
from tournaments.models import Restoration
from tournaments.pages.access import EVENT, find_organiser_event
from tournaments.pages.long_lists import parse_requested_part
from tournaments.undo.selectors import undo_options


@require_safe
def event_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show organisers the log of an event, with buttons to undo."""
    event, actor = find_organiser_event(request, slug)
    wanted = parse_requested_part(request.GET)
    offer = undo_options(event)
    undoable = (offer.last, *offer.others)
    context = {
        "event": event,
        "actor": actor,
        "log": load_log_page(event, wanted.find, request.GET.get("page", "1")),
        "wanted": wanted,
        "last": offer.last,
        "again": offer.again,
        "undoable": {act.line.number for act in undoable if act and not act.why_not},
        "brought": Restoration.objects.filter(event=event).select_related("by").first(),
    }
    template, fragment = "tournaments/log_page/log.html", "tournaments/log_page/_lines.html"
    return render_page(request, template, context, fragment=fragment)


urlpatterns = [
    path(f"{EVENT}log/", event_log, name="log"),
]
