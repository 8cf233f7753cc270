"""The forms of a question, new or to be changed, and the fields that ask an event's questions."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.events import questions as rule
from rules.events.questions import Question
from tournaments.questions.selectors import fingerprint

KINDS = (
    (rule.TEXT, _("Text")),
    (rule.CHOICE, _("Choice")),
    (rule.YES_NO, _("Yes or no")),
    (rule.CONSENT, _("Consent, given by ticking it")),
)
BESIDE = {"bad_question": "text", "bad_choices": "choices", "too_many_questions": "text"}
"""The field at which a refusal of a new question stands, by its code."""
PREFIX = "ask_"


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
    """A question as it stands, to be changed: its kind stays, only a choice has choices."""

    kind = None  # type: ignore[assignment]
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, question: Question) -> None:
        self.question = question
        super().__init__(
            data,
            auto_id=f"q-{question.key}-%s",
            initial={
                "text": question.text,
                "required": question.required,
                "choices": "\n".join(question.choices),
                "seen": fingerprint(question),
            },
        )
        if question.kind != rule.CHOICE:
            del self.fields["choices"]


class AnswersForm(forms.Form):
    """An event's questions. For the ``staff`` none of them must be answered."""

    def __init__(
        self,
        *args: Any,
        questions: Iterable[Question],
        answers: Mapping[str, Any] | None = None,
        staff: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.asked: list[str] = []
        for one in questions:
            name = PREFIX + one.key
            self.asked.append(name)
            self.fields[name] = _field(one, required=one.required and not staff)
            self.initial.setdefault(name, _shown(one, (answers or {}).get(one.key)))

    @property
    def asks(self) -> list[forms.BoundField]:
        """Return the fields of the questions."""
        return [self[name] for name in self.asked]

    @property
    def answers(self) -> dict[str, object]:
        """Return what was answered by key of the question, once the form is valid."""
        return {name.removeprefix(PREFIX): self.cleaned_data[name] for name in self.asked}


def _field(question: Question, *, required: bool) -> forms.Field:
    """Return the field that asks a question."""
    if question.kind == rule.CONSENT:
        return forms.BooleanField(label=question.text, required=required)
    if question.kind == rule.YES_NO:
        return forms.TypedChoiceField(
            label=question.text,
            required=required,
            choices=[("", "–"), ("yes", _("yes")), ("no", _("no"))],
            coerce=lambda said: said == "yes",
            empty_value=None,
        )
    if question.kind == rule.CHOICE:
        offered = [("", "–"), *((one, one) for one in question.choices)]
        return forms.ChoiceField(label=question.text, required=required, choices=offered)
    return forms.CharField(
        label=question.text,
        required=required,
        max_length=rule.LONGEST_ANSWER,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _shown(question: Question, answer: object) -> object:
    """Return a stored answer as its field takes it."""
    if question.kind == rule.YES_NO and answer is not None:
        return "yes" if answer else "no"
    return answer
