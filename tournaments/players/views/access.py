"""The player who reads a page, and opening personal links."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.clients import is_too_often
from config.problems import GoneError, too_many
from tournaments.core.permissions import Actor
from tournaments.matches.selectors import find_match
from tournaments.models import Entry, Event, Match
from tournaments.pages.access import confirmed_event, remember_link
from tournaments.players.selectors.players import link_of_token

WRONG_LINKS = 20
WRONG_SECONDS = 10 * 60


def player_of(request: HttpRequest, slug: str) -> tuple[Event, Entry, Actor]:
    """Return (event, the reader's entry, an actor with this player's rights only).

    Raises PermissionDenied (403) without an entry.
    """
    event, actor = confirmed_event(request, slug)
    entry = actor.entry_in(event)
    if entry is None:
        raise PermissionDenied(
            _("This page belongs to a player of the event. Open your personal link, or sign in.")
        )
    entry.event = event
    by_account = actor.user is not None and entry.user_id == actor.user.pk
    return event, entry, Actor(user=actor.user) if by_account else Actor(entry=entry)


def no_match(event: Event) -> GoneError:
    """Return the 404 for a match that is not the reader's or was undone."""
    words = _("This match is not yours, or was taken back. Nothing was stored: go to your page.")
    return GoneError(words, back=reverse("tournaments:me", args=[event.slug]))


def stored_match(event: Event, match_id: int) -> Match:
    """Return a match to write to; raises the error of ``no_match`` if it was undone; one query."""
    match = find_match(event, match_id)
    if match is None:
        raise no_match(event)
    return match


@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Open a personal link: the session acts as the player from now on.

    Links are looked up by hash, so that timing reveals nothing. Guesses are throttled by client;
    a valid link works even then.
    """
    link = link_of_token(token)
    if link is None:
        if is_too_often("wrong-link", request, most=WRONG_LINKS, seconds=WRONG_SECONDS):
            return too_many(request)
        words = _("This link does not work, or not any more. Ask the organiser for a new one.")
        raise GoneError(words, back="/")
    event = link.entry.event
    remember_link(request, event, link.pk)
    response = redirect("tournaments:me", event.slug)
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "no-store"
    return response


urlpatterns = [
    path("p/<str:token>/", open_link, name="open-link"),
]
