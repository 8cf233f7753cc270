"""A player hands in a decklist, as often as they like until the lists lock."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from config.web import RuleFormView
from decks.forms import PasteForm
from tournaments.models import Event
from tournaments.selectors.deck_locks import decklists_locked
from tournaments.selectors.player import deck_of_submission, submission_of
from tournaments.services.decklists import submit_decklist
from tournaments.views.player_access import player_of


class MyDeck(RuleFormView):
    """The own list: what was pasted, what is wrong with it, and a place to paste again."""

    template_name, form_class = "tournaments/player/deck.html", PasteForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the player and the list that counts."""
        self.event, self.entry, self.actor = player_of(request, kwargs["slug"])
        self.submission = submission_of(self.entry)
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self) -> dict[str, Any]:
        """Offer the text as it was pasted last."""
        return {"text": self.submission.decklist.raw} if self.submission else {}

    def act(self, form: Form) -> HttpResponse:
        """Keep the list, legal or not, and show what is wrong with it."""
        submission = submit_decklist(
            entry=self.entry, text=form.cleaned_data["text"], by=self.actor
        )
        if submission.decklist.legal:
            messages.success(self.request, _("Your list is kept, and it is legal."))
        else:
            messages.warning(
                self.request, _("Your list is kept, but it is not legal yet. See what to mend.")
            )
        return redirect("tournaments:my-deck", self.event.slug)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the list that counts, and whether it can still be changed."""
        return super().get_context_data(
            event=self.event,
            entry=self.entry,
            submission=self.submission,
            decklist=deck_of_submission(self.submission),
            locked=decklists_locked(self.event),
            collected=self.event.decklists != Event.Decklists.OFF,
            **kwargs,
        )
