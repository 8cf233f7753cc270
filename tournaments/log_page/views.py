"""The log of an event."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from config.web import page
from tournaments.log_page.selectors import line_in_words, log_page
from tournaments.models import Restoration
from tournaments.pages.access import EVENT, organiser_event
from tournaments.undo.selectors import acts_to_offer


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log, with undo buttons where undo is possible."""
    event, actor = organiser_event(request, slug)
    word = request.GET.get("word", "").replace("\x00", "").strip()[:80]
    shown = log_page(event, word, request.GET.get("page", "1"))
    offer = acts_to_offer(event)
    context = {
        "event": event,
        "actor": actor,
        "log": shown,
        "word": word,
        "last": offer.last,
        "last_words": line_in_words(offer.last.line) if offer.last else None,
        "again": line_in_words(offer.again) if offer.again else None,
        "undoable": {act.line.number for act in offer.others},
        "brought": Restoration.objects.filter(event=event).select_related("by").first(),
    }
    return page(request, "tournaments/log_page/log.html", context)


urlpatterns = [
    path(f"{EVENT}log/", log, name="log"),
]
