"""Pages of questions: the organiser's, a player's own answers, and answers by the staff."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from config.web import RuleFormView, status_of
from config.wording import explain
from rules.errors import RuleError
from rules.events.questions import MOST_QUESTIONS
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import registration_of
from tournaments.events.views import OrganiserFormView
from tournaments.models import Entry, Event
from tournaments.players.views.access import player_of
from tournaments.players.views.player import PlayerPage
from tournaments.questions.forms import BESIDE, KINDS, AnswersForm, QuestionForm
from tournaments.questions.selectors import answers_of, questions_in, typed
from tournaments.questions.services import add_question, change_answers, remove_question


class Questions(OrganiserFormView):
    """The questions of an event, each with a button that removes it, and the form of a new one."""

    template_name, form_class = "tournaments/questions/questions.html", QuestionForm
    beside = BESIDE

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Remove the question named by ``remove``, else add one."""
        key = request.POST.get("remove")
        if not key:
            return super().post(request, *args, **kwargs)
        try:
            remove_question(event=self.event, key=key[:80], by=self.actor)
        except RuleError as refused:
            messages.error(request, explain(refused))
            response = self.get(request, *args, **kwargs)
            response.status_code = status_of(refused)
            return response
        messages.success(request, _("The question is removed."))
        return redirect("tournaments:manage-questions", self.event.slug)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the questions with the names of their kinds."""
        labels = dict(KINDS)
        shown = [(one, labels[one.kind]) for one in questions_in(self.event)]
        full = len(shown) >= MOST_QUESTIONS
        return super().get_context_data(questions=shown, full=full, most=MOST_QUESTIONS, **kwargs)

    def act(self, form: QuestionForm) -> HttpResponse:
        """Add the question."""
        values = form.cleaned_data | {"choices": form.cleaned_data["choices"].splitlines()}
        add_question(event=self.event, **values, by=self.actor)
        messages.success(self.request, _("The question is stored."))
        return redirect("tournaments:manage-questions", self.event.slug)


class OwnAnswers(RuleFormView):
    """A player's answers: a form until registration closes, then to read."""

    template_name, form_class = "tournaments/questions/own_answers.html", AnswersForm
    event: Event
    entry: Entry
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the reader's entry; 403 without one."""
        self.event, self.entry, self.actor = player_of(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the questions and the stored answers."""
        asked = {"questions": questions_in(self.event), "answers": typed(self.event, self.entry)}
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
        messages.success(self.request, _("Your answers are stored."))
        return redirect("tournaments:me", self.event.slug)


class PlayerAnswers(PlayerPage):
    """Store the answers of a player, by the staff; errors show the player's page again."""

    http_method_names = ("post", "options")

    def get_form(self, form_class: type[Form] | None = None) -> Form:
        """Return the form of answers."""
        return self.answers_form(**self.get_form_kwargs())

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the bound form."""
        context = super().get_context_data(**kwargs)
        return context | {"answers": context["form"]}

    def act(self, form: AnswersForm) -> HttpResponse:
        """Store the answers."""
        change_answers(entry=self.entry, answers=form.answers, by=self.actor)
        messages.success(self.request, _("The answers are stored."))
        return redirect("tournaments:manage-player", self.event.slug, self.entry.number)
