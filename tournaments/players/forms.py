"""Forms by which the staff enters and changes players, and the fields that ask questions."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.events import questions as rule
from rules.events.questions import Question
from rules.stages.kind import MOST_BYES
from tournaments.core.formulas import has_half_byes
from tournaments.core.moments import needed_sometimes, refuse_locked
from tournaments.models import Event
from tournaments.players.services.departures import DEPARTURES
from tournaments.players.services.late_entries import BYE, HALF_BYE, LOSS

BESIDE = {"bad_name": "name", "bad_surname": "surname", "bad_club": "club"}
"""The field of a player's form at which a refusal stands, by its code."""


class AddForm(forms.Form):
    """One player before the start."""

    name = forms.CharField(
        label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class LateForm(AddForm):
    """One player after the start, and what the rounds missed count as."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ways = [(LOSS, _("a loss each")), (BYE, _("a bye each"))]
        if has_half_byes(event):
            ways.append((HALF_BYE, _("half a bye each")))
        self.fields["missed"] = forms.ChoiceField(label=_("Rounds missed"), choices=ways)


class EntryForm(AddForm):
    """The fields of a player that the staff may change."""

    field_order = ("name", "surname", "club", "seed", "byes", "fixed_table")
    surname = forms.CharField(
        label=_("Listed under"),
        max_length=80,
        required=False,
        help_text=_("The words by which the name is sorted. Empty: the site guesses."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    seed = forms.IntegerField(
        label=_("Seed position"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_("1 stands first at the start. Empty: random draw."),
    )
    byes = forms.IntegerField(
        label=_("Byes"),
        min_value=0,
        max_value=MOST_BYES,
        required=False,
        help_text=_("Awarded, as by leagues: no opponent and a win in rounds 1 to n of the Swiss."),
    )
    fixed_table = forms.IntegerField(
        label=_("Fixed table"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_(
            "For a player who needs a certain place: they sit there in every round to come."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Reject a seed position if the event started after the page was opened."""
        values = super().clean() or {}
        refuse_locked(self)
        values["byes"] = values.get("byes") or 0
        if "surname" not in self.changed_data and "name" in self.changed_data:
            values["surname"] = ""  # a new name has a surname of its own
        return values


class LeaveForm(forms.Form):
    """A player's departure or return, and the reason."""

    action = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    reason = needed_sometimes(
        forms.CharField(
            label=_("Reason"),
            max_length=500,
            required=False,
            help_text=_("A disqualification needs one: the player reads it on their own page."),
        )
    )

    def clean(self) -> dict[str, Any]:
        """Reject an unknown step."""
        values = super().clean() or {}
        if values.get("action") not in DEPARTURES:
            raise forms.ValidationError(_("There is no such step. Nothing was changed."))
        return values


PREFIX = "ask_"


class AnswersForm(forms.Form):
    """Fields for an event's questions; the ``staff`` may leave each of them empty."""

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
            self.initial.setdefault(name, _initial_answer(one, (answers or {}).get(one.key)))

    @property
    def asks(self) -> list[forms.BoundField]:
        """Return the fields of the questions."""
        return [self[name] for name in self.asked]

    @property
    def answers(self) -> dict[str, object]:
        """Return the answers by key of the question; call it on a valid form."""
        return {name.removeprefix(PREFIX): self.cleaned_data[name] for name in self.asked}


def _field(question: Question, *, required: bool) -> forms.Field:
    """Return the form field of a question."""
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


def _initial_answer(question: Question, answer: object) -> object:
    if question.kind == rule.YES_NO and answer is not None:
        return "yes" if answer else "no"
    return answer
