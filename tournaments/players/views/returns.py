"""Answers of the staff to a player who has asked to come back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from tournaments.pages.access import staff_event
from tournaments.pages.acting import acts, redirect_to_origin, show_origin, unreadable_request
from tournaments.pages.addresses import PLAYER
from tournaments.players.services.departures import come_back
from tournaments.players.services.returns import refuse_return
from tournaments.players.views.players import entry_of


@acts(show_origin)
def player_return(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take back a player who has asked for it, or refuse."""
    event, actor = staff_event(request, slug)
    entry, answer = entry_of(event, number), request.POST.get("answer")
    if answer == "accept":
        come_back(entry=entry, by=actor)
        words = _("%(name)s is back.")
    elif answer == "refuse":
        refuse_return(entry=entry, by=actor)
        words = _("%(name)s is told that coming back is refused.")
    else:
        raise unreadable_request()
    messages.success(request, words % {"name": entry.display_name})
    return redirect_to_origin(request, slug)


urlpatterns = [
    path(f"{PLAYER}return/", player_return, name="manage-player-return"),
]
