"""Pages of a player's answers to the event's questions: their own, and the form of the staff."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.web import RuleFormView, done
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event
from tournaments.pages.addresses import EVENT, PLAYER
from tournaments.players.forms import AnswersForm
from tournaments.players.selectors.answers import answers_of, questions_in, stored_answers
from tournaments.players.selectors.registration import registration_of
from tournaments.players.services.answers import change_answers
from tournaments.players.views.access import player_of
from tournaments.players.views.player import PlayerPage


class OwnAnswers(RuleFormView):
    """A player's answers: a form until registration closes, then to read."""

    template_name, form_class = "tournaments/players/own_answers.html", AnswersForm
    event: Event
    entry: Entry
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the reader's entry; 403 without one."""
        self.event, self.entry, self.actor = player_of(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the questions and the stored answers."""
        asked = {
            "questions": questions_in(self.event),
            "answers": stored_answers(self.event, self.entry),
        }
        return super().get_form_kwargs() | asked

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the answers to read, and whether they can change."""
        return super().get_context_data(
            event=self.event,
            entry=self.entry,
            answered=answers_of(self.event, self.entry),
            changes=registration_of(self.event).is_open,
            **kwargs,
        )

    def act(self, form: AnswersForm) -> HttpResponse:
        """Store the answers."""
        change_answers(entry=self.entry, answers=form.answers, by=self.actor)
        return done(self.request, _("Your answers are stored."), "tournaments:me", self.event.slug)


class PlayerAnswers(PlayerPage):
    """Store the answers of a player, by the staff; errors show the player's page again."""

    http_method_names = ("post", "options")
    own = "answers"

    def act(self, form: AnswersForm) -> HttpResponse:
        """Store the answers."""
        change_answers(entry=self.entry, answers=form.answers, by=self.actor)
        messages.success(self.request, _("The answers are stored."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)


urlpatterns = [
    path(f"{PLAYER}answers/", PlayerAnswers.as_view(), name="manage-player-answers"),
    path(f"{EVENT}me/answers/", OwnAnswers.as_view(), name="my-answers"),
]
