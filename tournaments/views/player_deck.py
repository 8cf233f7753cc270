"""A player writes a list, keeps it as a draft, hands it in as often as the lock allows."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.web import page, rule_errors
from tournaments.core.access import confirmed_event
from tournaments.forms.decklists import DeckForm, MendForm, WrittenForm
from tournaments.models import Event
from tournaments.players.views.access import player_of
from tournaments.selectors.player_deck import PlayerDeck, player_deck
from tournaments.services.deck_drafts import drop_draft, keep_draft
from tournaments.services.decklists import submit_decklist
from tournaments.views.deck_editor import Checking, DeckEditor, Mending


class MyDeck(DeckEditor):
    """The own list: its receipt, a place to write, and all that is wrong with what is there."""

    template_name = "tournaments/player/deck.html"
    form_class: type[Form] = DeckForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the player; who is nobody any more gets back what they typed."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request, *args, **kwargs)
        try:
            self.event, self.entry, self.actor = player_of(request, kwargs["slug"])
        except PermissionDenied:
            if request.method != "POST" or not request.POST.get("text"):
                raise
            return _typed_text(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def shown_deck(self) -> PlayerDeck:
        """Return the own list with the draft."""
        return player_deck(self.event, self.entry)

    def act(self, form: Any) -> HttpResponse:
        """Keep the list, legal or not, and show what is wrong with it."""
        handed = submit_decklist(
            entry=self.entry,
            **self.list_of(form),
            expected=form.cleaned_data["expected"],
            by=self.actor,
        )
        if handed.decklist.legal:
            messages.success(self.request, _("Your list is handed in, and it is legal."))
        else:
            words = _("Your list is handed in, but it is not legal yet. See what to mend.")
            messages.warning(self.request, words)
        return redirect("tournaments:my-deck", self.event.slug)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and where the editor sends its text."""
        slug = self.event.slug
        return super().get_context_data(
            event=self.event,
            entry=self.entry,
            collected=self.event.decklists != Event.Decklists.OFF,
            buttons="tournaments/player/_deck_buttons.html",
            check_url=reverse("tournaments:my-deck-check", args=[slug]),
            mend_url=reverse("tournaments:my-deck-mend", args=[slug]),
            **kwargs,
        )


class CheckMyDeck(Checking, MyDeck):
    """What is wrong with the text, while it is being typed."""

    form_class = WrittenForm


class MendMyDeck(Mending, MyDeck):
    """A suggestion accepted by one tap."""

    form_class = MendForm


class KeepMyDraft(MyDeck):
    """Keep what is written as a draft."""

    http_method_names = ["post"]
    form_class = WrittenForm

    def act(self, form: Any) -> HttpResponse:
        """Store the draft; nobody but the player reads it."""
        keep_draft(entry=self.entry, text=self.text_of(form), by=self.actor)
        messages.info(
            self.request,
            _("Your draft is kept, and only you can read it. It is not handed in yet."),
        )
        return redirect("tournaments:my-deck", self.event.slug)


@require_POST
@rule_errors
def drop_my_draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Throw the draft away."""
    _event, entry, actor = player_of(request, slug)
    drop_draft(entry=entry, by=actor)
    messages.success(request, _("The draft is gone. What you handed in stays."))
    return redirect("tournaments:my-deck", slug)


def _typed_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Give back what was typed: the session is over, or the link was revoked."""
    event, _actor = confirmed_event(request, slug)
    context = {"event": event, "text": request.POST["text"]}
    return page(request, "tournaments/player/deck_lost.html", context, status=403)
