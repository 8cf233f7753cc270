"""The forms of a question, new or to be changed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.events import questions as rule
from rules.events.questions import Question
from tournaments.questions.selectors import fingerprint_of

KINDS = (
    (rule.TEXT, _("Text")),
    (rule.CHOICE, _("Choice")),
    (rule.YES_NO, _("Yes or no")),
    (rule.CONSENT, _("Consent, given by ticking it")),
)
BESIDE = {"bad_question": "text", "bad_choices": "choices", "too_many_questions": "text"}
"""The field at which a refusal of a new question stands, by its code."""


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
