"""The page that deletes an event which has never started."""

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.api import status_of
from config.web import done, page
from config.wording import explain
from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.core.typed_names import check_typed
from tournaments.events.services.events import delete_event
from tournaments.pages.access import organiser_event
from tournaments.pages.addresses import MANAGE

STAYS = gettext_noop("Nothing was deleted: type “%(name)s”, the name of the event.")


def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what goes with the event; delete it once its name is typed."""
    event, actor = organiser_event(request, slug)
    error, status = "", 200
    if request.method == "POST":
        try:
            check_typed(request.POST.get("confirm", ""), event.name, otherwise=STAYS)
            delete_event(event=event, by=actor)
        except RuleError as refused:
            error, status = explain(refused), status_of(refused)
        else:
            words = _("The event is deleted: %(name)s.") % {"name": event.name}
            return done(request, words, "tournaments:my-events")
    context = {
        "event": event,
        "actor": actor,
        "error": error,
        "players": event.entries.count(),
        "archive": reverse("tournaments_api:archive", args=[slug]),
    }
    return page(request, "tournaments/events/delete.html", context, status=status)


urlpatterns = [path(f"{MANAGE}delete/", delete, name="manage-delete")]
