"""The organiser's pages of questions, and of the contact that is asked for."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.api import status_code
from config.web import redirect_with_message
from config.wording import add_rule_error, error_message
from rules.errors import BadInput, RuleError
from rules.events import questions as rule
from rules.events.questions import MOST_QUESTIONS, Question, question_removed_error
from rules.people import contacts
from tournaments.events.services import change_event
from tournaments.pages.access import EVENT, OrganiserFormView
from tournaments.players.selectors.answers import contact_terms, event_questions
from tournaments.questions.services import (
    add_question,
    change_question,
    move_question,
    questions_fingerprint,
    remove_question,
)

KINDS = (
    (rule.TEXT, gettext_lazy("Text")),
    (rule.CHOICE, gettext_lazy("Choices")),
    (rule.YES_NO, gettext_lazy("Yes or no")),
    (rule.CONSENT, gettext_lazy("Consent")),
)
BESIDE = {"bad_question": "text", "bad_choices": "choices", "too_many_questions": "text"}
"""The field at which a refusal of a new question stands, by its code."""
BESIDE_TERMS = {"bad_memberships": "memberships", "bad_name": "why", "bad_days": "days"}
"""The same of what contact an event asks for."""


class QuestionForm(forms.Form):
    """Form for a new question to players who register."""

    text = forms.CharField(
        label=gettext_lazy("Question"),
        max_length=rule.LONGEST_QUESTION,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Answer type"), choices=KINDS)
    choices = forms.CharField(
        label=gettext_lazy("Choices"),
        max_length=rule.MOST_CHOICES * (rule.LONGEST_CHOICE + 2),
        required=False,
        help_text=gettext_lazy("For choices, one per line."),
        widget=forms.Textarea(attrs={"rows": 4, "class": "short"}),
    )
    required = forms.BooleanField(
        label=gettext_lazy("Answer required"),
        required=False,
    )


class ChangeQuestionForm(QuestionForm):
    """Form to change a question; its kind is fixed, and only a choice has choices.

    ``seen``: fingerprint of the question that the page showed.
    """

    kind = None  # type: ignore[assignment]
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, question: Question) -> None:
        self.question, self.kind_label = question, dict(KINDS)[question.kind]
        super().__init__(
            data,
            auto_id=f"q-{question.key}-%s",
            initial={
                "text": question.text,
                "required": question.required,
                "choices": "\n".join(question.choices),
                "seen": questions_fingerprint(question),
            },
        )
        if question.kind != rule.CHOICE:
            del self.fields["choices"]


class ContactTermsForm(forms.Form):
    """Form for the contact details that an event asks for, why, and how long they are kept."""

    email = forms.BooleanField(label=gettext_lazy("Email address"), required=False)
    memberships = forms.CharField(
        label=gettext_lazy("Memberships"),
        required=False,
        max_length=contacts.MOST_MEMBERSHIPS * (contacts.LONGEST_MEMBERSHIP + 2),
        help_text=gettext_lazy("One per line, for example Play! Pokémon ID."),
        widget=forms.Textarea(attrs={"rows": 3, "class": "short"}),
    )
    why = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=contacts.LONGEST_REASON,
        help_text=gettext_lazy(
            "Shown to players. If you leave this empty, contact details are optional."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days after the event until contacts are deleted"),
        min_value=contacts.LEAST_DAYS,
        max_value=contacts.MOST_DAYS,
        initial=contacts.USUAL_DAYS,
    )

    def clean(self) -> dict[str, Any]:
        """Reject what an event can't ask for, at its field."""
        values = super().clean() or {}
        if not self.errors:
            try:
                contacts.read_terms(self.terms)
            except BadInput as refused:
                add_rule_error(self, refused, BESIDE_TERMS)
        return values

    @property
    def terms(self) -> Mapping[str, object]:
        """Return the terms as they are stored; call it on a valid form."""
        lines = self.cleaned_data["memberships"].splitlines()
        return self.cleaned_data | {"memberships": [line for line in lines if line.strip()]}


class QuestionsPage(OrganiserFormView):
    """Page of the event's questions, to add, change, move or remove them."""

    template_name, form_class = "tournaments/questions/questions.html", QuestionForm
    beside = BESIDE
    changing: ChangeQuestionForm | None = None

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
                messages.error(request, error_message(refused))
            else:
                add_rule_error(self.changing, refused, BESIDE)
            return self.shown(status_code(refused))
        return redirect("tournaments:manage-questions", self.event.slug)

    def move_or_remove(self, request: HttpRequest, named: str, key: str) -> None:
        """Move or remove a question."""
        if named == "remove":
            remove_question(event=self.event, key=key, by=self.actor)
            messages.success(request, _("Removed."))
            return
        seen = request.POST.get("seen", "")
        move_question(event=self.event, key=key, up=named == "up", seen=seen, by=self.actor)
        messages.success(request, _("Saved."))

    def change(self, request: HttpRequest, key: str) -> HttpResponse:
        """Change a question, or show its form again with what was typed."""
        found = next((one for one in event_questions(self.event) if one.key == key), None)
        if found is None:
            raise question_removed_error()
        form = ChangeQuestionForm(request.POST, question=found)
        if not form.is_valid():
            self.changing = form
            return self.shown(HTTPStatus.BAD_REQUEST)
        # Whoever is told of another's change and sends again has seen it.
        self.changing = ChangeQuestionForm(
            request.POST.dict() | {"seen": questions_fingerprint(found)}, question=found
        )
        values = form.cleaned_data
        values["choices"] = values.get("choices", "").splitlines()
        change_question(event=self.event, key=key, **values, by=self.actor)
        words = _("Saved.")
        return redirect_with_message(
            request, words, "tournaments:manage-questions", self.event.slug
        )

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
        asked = event_questions(self.event)
        return super().get_context_data(
            changes=[self._form(one) for one in asked],
            seen=questions_fingerprint(*asked),
            full=len(asked) >= MOST_QUESTIONS,
            most=MOST_QUESTIONS,
            **kwargs,
        )

    def _form(self, question: Question) -> ChangeQuestionForm:
        changing = self.changing
        if changing is not None and changing.question.key == question.key:
            return changing
        return ChangeQuestionForm(question=question)

    def act(self, form: QuestionForm) -> HttpResponse:
        """Add the question."""
        values = form.cleaned_data | {"choices": form.cleaned_data["choices"].splitlines()}
        add_question(event=self.event, **values, by=self.actor)
        words = _("Saved.")
        return redirect_with_message(
            self.request, words, "tournaments:manage-questions", self.event.slug
        )


class ContactSettingsPage(OrganiserFormView):
    """Page to edit which contact details the event asks for, why, and how long they are kept."""

    template_name, form_class = "tournaments/questions/contact.html", ContactTermsForm

    def get_initial(self) -> dict[str, Any]:
        """Fill in what is asked for now."""
        terms = contact_terms(self.event)
        return terms.as_json() | {"memberships": "\n".join(terms.memberships)}

    def act(self, form: ContactTermsForm) -> HttpResponse:
        """Store what is asked for."""
        change_event(event=self.event, changes={"contact_terms": form.terms}, by=self.actor)
        words = _("Saved.")
        return redirect_with_message(
            self.request, words, "tournaments:manage-contact", self.event.slug
        )


urlpatterns = [
    path(f"{EVENT}manage/contact/", ContactSettingsPage.as_view(), name="manage-contact"),
    path(f"{EVENT}manage/questions/", QuestionsPage.as_view(), name="manage-questions"),
]
