"""The public page of a player, and of a person across events."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from config.web import redirect_with_message
from tournaments.core.event_state import EventFacts
from tournaments.core.kept_places import reassignment_texts
from tournaments.pages.access import public_read
from tournaments.pages.views import polling_page
from tournaments.player_pages.selectors import (
    load_public_profile,
    player_page_context,
    public_profile_key,
)
from tournaments.player_pages.services import publish_profile, unpublish_profile

PAGES = "tournaments/player_pages"


@public_read()
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's public page in an event; 404 for an unknown number."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        found = player_page_context(facts, number)
        if found is None:
            raise Http404
        return {
            "shown": found,
            "kept": reassignment_texts(facts, number),
            "person_key": public_profile_key(facts.event, number),
        }

    return polling_page(request, slug, f"{PAGES}/player.html", show)


@require_safe
@never_cache
def person(request: HttpRequest, key: str) -> HttpResponse:
    """Show a person's page across events; 404 unless they have published it.

    It is never cached, so it is gone at once when they hide it.
    """
    found = load_public_profile(key, request.GET.get("page", 1))
    if found is None:
        raise Http404
    return render(request, f"{PAGES}/person.html", {"shown": found})


@require_POST
@login_required
def choose_person(request: HttpRequest) -> HttpResponse:
    """Publish or hide the signed-in user's page across events."""
    user = get_object_or_404(User, pk=request.user.pk)
    if request.POST.get("shown") == "yes":
        publish_profile(user=user)
    else:
        unpublish_profile(user=user)
    return redirect_with_message(request, _("Saved."), "profile")


urlpatterns = [
    path("events/<slug:slug>/players/<int:number>/", player, name="player"),
    path("people/<slug:key>/", person, name="person"),
    path("me/people/", choose_person, name="person-choose"),
]
