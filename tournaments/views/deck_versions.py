"""Every version of a list, and what changed between two: for its player and for the staff."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.web import page
from tournaments.models import Entry
from tournaments.players.views.access import player_of
from tournaments.players.views.players import entry_of
from tournaments.selectors.deck_versions import VersionsPage, versions_page
from tournaments.views.organiser_decklists import judged_event


@require_safe
def my_deck_versions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every list that was handed in for the player, and what changed."""
    event, entry, _actor = player_of(request, slug)
    context = {"event": event, "entry": entry, "versions": _versions(request, entry)}
    return _unkept(page(request, "tournaments/player/versions.html", context))


@require_safe
def decklist_versions(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show every list that was handed in for a player, and what changed."""
    event, actor = judged_event(request, slug)
    entry = entry_of(event, number)
    context = {"event": event, "actor": actor, "entry": entry}
    context["versions"] = _versions(request, entry)
    return _unkept(page(request, "tournaments/organiser/versions.html", context))


def _versions(request: HttpRequest, entry: Entry) -> VersionsPage:
    first, second = (request.GET.get(key, "") for key in ("first", "second"))
    return versions_page(entry, first=first, second=second)


def _unkept(response: HttpResponse) -> HttpResponse:
    """Let no browser keep what only some may read."""
    response["Cache-Control"] = "private, no-store"
    return response
