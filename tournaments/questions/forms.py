"""The forms of a question, new or to be changed, and of the contact that an event asks for."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import add_refusal
from rules.errors import BadInput
from rules.events import questions as rule
from rules.events.questions import Question
from rules.people import contacts
from tournaments.questions.services import fingerprint_of

KINDS = (
    (rule.TEXT, _("Text")),
    (rule.CHOICE, _("Choice")),
    (rule.YES_NO, _("Yes or no")),
    (rule.CONSENT, _("Consent, given by ticking it")),
)
BESIDE = {"bad_question": "text", "bad_choices": "choices", "too_many_questions": "text"}
"""The field at which a refusal of a new question stands, by its code."""
BESIDE_TERMS = {"bad_memberships": "memberships", "bad_name": "why", "bad_days": "days"}
"""The same of what contact an event asks for."""


class QuestionForm(forms.Form):
    """A new question."""

    text = forms.CharField(
        label=_("Question or consent"),
        max_length=rule.LONGEST_QUESTION,
        help_text=_("As players read it, such as: I agree to photos and to the stream."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label=_("Kind of answer"), choices=KINDS)
    choices = forms.CharField(
        label=_("Choices"),
        max_length=rule.MOST_CHOICES * (rule.LONGEST_CHOICE + 2),
        required=False,
        help_text=_("One a line; only for a choice."),
        widget=forms.Textarea(attrs={"rows": 4, "class": "short"}),
    )
    required = forms.BooleanField(
        label=_("Must be answered"),
        required=False,
        help_text=_("A consent must then be given to register."),
    )


class ChangeForm(QuestionForm):
    """Form to change a question; its kind is fixed, and only a choice has choices."""

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
                "seen": fingerprint_of(question),
            },
        )
        if question.kind != rule.CHOICE:
            del self.fields["choices"]


class ContactTermsForm(forms.Form):
    """What an event asks for at registration, why, and how long it is kept."""

    email = forms.BooleanField(label=_("Ask for an e-mail address"), required=False)
    memberships = forms.CharField(
        label=_("Ask for membership numbers"),
        required=False,
        max_length=contacts.MOST_MEMBERSHIPS * (contacts.LONGEST_MEMBERSHIP + 2),
        help_text=_("One name a line, such as: Play! ID."),
        widget=forms.Textarea(attrs={"rows": 3, "class": "short"}),
    )
    why = forms.CharField(
        label=_("Why it must be given"),
        required=False,
        max_length=contacts.LONGEST_REASON,
        help_text=_("Players read it at the fields. Empty: nobody has to give anything."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(
        label=_("Days after the event until contacts are deleted"),
        min_value=contacts.LEAST_DAYS,
        max_value=contacts.MOST_DAYS,
        initial=contacts.USUAL_DAYS,
    )

    def clean(self) -> dict[str, Any]:
        """Reject what an event can't ask for, at its field."""
        values = super().clean() or {}
        if not self.errors:
            try:
                contacts.terms_of(self.terms)
            except BadInput as refused:
                add_refusal(self, refused, BESIDE_TERMS)
        return values

    @property
    def terms(self) -> Mapping[str, object]:
        """Return the terms as they are stored; call it on a valid form."""
        lines = self.cleaned_data["memberships"].splitlines()
        return self.cleaned_data | {"memberships": [line for line in lines if line.strip()]}
