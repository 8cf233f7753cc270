"""Pages on which players edit, draft and submit their own list."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.web import post_only, redirect_with_message, render_page
from decks.labels import submission_verdict
from decks.stored_formats import base_format
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.decklists.forms import DeckForm, DeckTextForm
from tournaments.decklists.selectors.versions import player_deck_context, versions_context
from tournaments.decklists.services import delete_draft, store_draft, submit_decklist
from tournaments.decklists.views.staff import (
    CheckMixin,
    DeckEditor,
    FixMixin,
    check_event_has_decks,
    event_for_deck_judge,
)
from tournaments.models import Entry, Event
from tournaments.pages.access import PLAYER, find_visible_event
from tournaments.players.views.access import require_own_entry
from tournaments.players.views.players import get_entry_or_404


class MyDeck(DeckEditor):
    """Page of the player's own decklist: receipt, editor, violations."""

    template_name = "tournaments/decklists/deck.html"
    form_class: type[Form] = DeckForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the player; without one, return the typed text so that it is not lost."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request, *args, **kwargs)
        try:
            self.event, self.entry, self.actor = require_own_entry(request, kwargs["slug"])
        except PermissionDenied:
            if request.method != "POST" or not request.POST.get("text"):
                raise
            return _typed_text(request, kwargs["slug"])
        check_event_has_decks(self.event)
        return super().dispatch(request, *args, **kwargs)

    def shown_deck(self) -> dict[str, Any]:
        return player_deck_context(self.event, self.entry)

    def act(self, form: Any) -> HttpResponse:
        """Submit the list, legal or not, and redirect to its violations."""
        handed = submit_decklist(
            entry=self.entry,
            **self.list_of(form),
            expected=form.cleaned_data["expected"],
            by=self.actor,
        )
        if handed.decklist.legal:
            shape = base_format(self.event.format_key)
            words = submission_verdict(shape, _("Your decklist has been submitted."))
            messages.success(self.request, words)
        return redirect("tournaments:my-deck", self.event.slug)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and the URLs of the editor."""
        slug = self.event.slug
        return super().get_context_data(
            event=self.event,
            entry=self.entry,
            collected=self.event.decklists != Event.Decklists.OFF,
            buttons="tournaments/decklists/_player_buttons.html",
            check_url=reverse("tournaments:my-deck-check", args=[slug]),
            mend_url=reverse("tournaments:my-deck-mend", args=[slug]),
            **kwargs,
        )


class CheckMyDeck(CheckMixin, MyDeck):
    """Check the player's text while it is typed; nothing is stored."""

    form_class = DeckTextForm


class FixMyDeck(FixMixin, MyDeck):
    """Apply a suggested fix to the player's text; nothing is stored."""


class SaveMyDraft(MyDeck):
    """Store the player's text as a draft (POST)."""

    http_method_names = ["post"]
    form_class = DeckTextForm

    def act(self, form: Any) -> HttpResponse:
        """Store the draft, visible only to the player."""
        store_draft(entry=self.entry, text=self.text_of(form), by=self.actor)
        messages.info(
            self.request,
            _("Draft saved, but not submitted yet."),
        )
        return redirect("tournaments:my-deck", self.event.slug)


@post_only
def delete_my_draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the player's draft; redirect to the decklist."""
    _event, entry, actor = require_own_entry(request, slug)
    delete_draft(entry=entry, by=actor)
    words = _("Removed.")
    return redirect_with_message(request, words, "tournaments:my-deck", slug)


def _typed_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the typed text after the session expired or the link was revoked."""
    event, _actor = find_visible_event(request, slug)
    context = {"event": event, "text": request.POST["text"]}
    return render_page(request, "tournaments/decklists/deck_lost.html", context, status=403)


@require_safe
@cache_control(private=True, no_store=True)
def my_deck_versions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show players the versions of their own decklist and the differences."""
    event, entry, _actor = require_own_entry(request, slug)
    context = {"event": event, "entry": entry, "versions": _versions(request, entry)}
    return render_page(request, "tournaments/decklists/my_versions.html", context)


@require_safe
@cache_control(private=True, no_store=True)
def decklist_versions(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show staff the versions of a player's decklist and their differences."""
    event, actor = event_for_deck_judge(request, slug)
    (entry,) = attach_name_marks([get_entry_or_404(event, number)], load_name_marks(event))
    context = {"event": event, "actor": actor, "entry": entry}
    context["versions"] = _versions(request, entry)
    return render_page(request, "tournaments/decklists/versions.html", context)


def _versions(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    first, second = (request.GET.get(key, "") for key in ("first", "second"))
    return versions_context(entry, first=first, second=second)


MINE = "events/<slug:slug>/me/deck/"
LIST = f"{PLAYER}decklist/"

urlpatterns = [
    path(MINE, MyDeck.as_view(), name="my-deck"),
    path(f"{MINE}check/", CheckMyDeck.as_view(), name="my-deck-check"),
    path(f"{MINE}mend/", FixMyDeck.as_view(), name="my-deck-mend"),
    path(f"{MINE}draft/", SaveMyDraft.as_view(), name="my-deck-draft"),
    path(f"{MINE}draft/drop/", delete_my_draft, name="my-deck-draft-drop"),
    path(f"{MINE}versions/", my_deck_versions, name="my-deck-versions"),
    path(f"{LIST}versions/", decklist_versions, name="manage-player-decklist-versions"),
]
