"""The organiser's pages of questions, and of the contact that is asked for."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.api import status_of
from config.web import done
from config.wording import add_refusal, explain
from rules.errors import RuleError
from rules.events.questions import MOST_QUESTIONS, Question, no_question
from tournaments.events.services.events import change_event
from tournaments.pages.access import EVENT, OrganiserFormView
from tournaments.players.selectors.answers import contact_terms, questions_in
from tournaments.questions.forms import (
    BESIDE,
    ChangeForm,
    ContactTermsForm,
    QuestionForm,
)
from tournaments.questions.services import (
    add_question,
    change_question,
    fingerprint_of,
    move_question,
    remove_question,
)


class Questions(OrganiserFormView):
    """The questions of an event in their order, each to be changed, moved or removed; a new one."""

    template_name, form_class = "tournaments/questions/questions.html", QuestionForm
    beside = BESIDE
    changing: ChangeForm | None = None

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Apply the button's action to the question it names; without one add the question."""
        named = next(
            (name for name in ("remove", "change", "up", "down") if name in request.POST), ""
        )
        if not named:
            return super().post(request, *args, **kwargs)
        key = request.POST[named][:80]
        try:
            if named == "change":
                return self.change(request, key)
            self.move_or_remove(request, named, key)
        except RuleError as refused:
            if self.changing is None:
                messages.error(request, explain(refused))
            else:
                add_refusal(self.changing, refused, BESIDE)
            return self.shown(status_of(refused))
        return redirect("tournaments:manage-questions", self.event.slug)

    def move_or_remove(self, request: HttpRequest, named: str, key: str) -> None:
        """Move or remove a question."""
        if named == "remove":
            remove_question(event=self.event, key=key, by=self.actor)
            messages.success(request, _("The question is removed."))
            return
        seen = request.POST.get("seen", "")
        move_question(event=self.event, key=key, up=named == "up", seen=seen, by=self.actor)
        messages.success(request, _("The questions are asked in the new order."))

    def change(self, request: HttpRequest, key: str) -> HttpResponse:
        """Change a question, or show its form again with what was typed."""
        found = next((one for one in questions_in(self.event) if one.key == key), None)
        if found is None:
            raise no_question()
        form = ChangeForm(request.POST, question=found)
        if not form.is_valid():
            self.changing = form
            return self.shown(HTTPStatus.BAD_REQUEST)
        # Whoever is told of another's change and sends again has seen it.
        self.changing = ChangeForm(
            request.POST.dict() | {"seen": fingerprint_of(found)}, question=found
        )
        values = form.cleaned_data
        values["choices"] = values.get("choices", "").splitlines()
        change_question(event=self.event, key=key, **values, by=self.actor)
        words = _("The question is changed.")
        return done(request, words, "tournaments:manage-questions", self.event.slug)

    def shown(self, status: int) -> HttpResponse:
        """Return the page after a refusal."""
        response = self.get(self.request)
        response.status_code = status
        return response

    def get_form_kwargs(self) -> dict[str, Any]:
        """Leave the form of a new question unbound when the request changes another question."""
        kwargs = super().get_form_kwargs()
        if self.changing is not None:
            kwargs |= {"data": None, "files": None}
        return kwargs

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the questions with their forms."""
        asked = questions_in(self.event)
        return super().get_context_data(
            changes=[self._form(one) for one in asked],
            seen=fingerprint_of(*asked),
            full=len(asked) >= MOST_QUESTIONS,
            most=MOST_QUESTIONS,
            **kwargs,
        )

    def _form(self, question: Question) -> ChangeForm:
        changing = self.changing
        if changing is not None and changing.question.key == question.key:
            return changing
        return ChangeForm(question=question)

    def act(self, form: QuestionForm) -> HttpResponse:
        """Add the question."""
        values = form.cleaned_data | {"choices": form.cleaned_data["choices"].splitlines()}
        add_question(event=self.event, **values, by=self.actor)
        words = _("The question is stored.")
        return done(self.request, words, "tournaments:manage-questions", self.event.slug)


class ContactAsked(OrganiserFormView):
    """What contact the event asks for at registration, why, and how long it is kept."""

    template_name, form_class = "tournaments/questions/contact.html", ContactTermsForm

    def get_initial(self) -> dict[str, Any]:
        """Fill in what is asked for now."""
        terms = contact_terms(self.event)
        return terms.as_json() | {"memberships": "\n".join(terms.memberships)}

    def act(self, form: ContactTermsForm) -> HttpResponse:
        """Store what is asked for."""
        change_event(event=self.event, changes={"contact_terms": form.terms}, by=self.actor)
        words = _("What is asked for is stored.")
        return done(self.request, words, "tournaments:manage-contact", self.event.slug)


urlpatterns = [
    path(f"{EVENT}manage/contact/", ContactAsked.as_view(), name="manage-contact"),
    path(f"{EVENT}manage/questions/", Questions.as_view(), name="manage-questions"),
]
