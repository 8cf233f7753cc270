"""What the staff sends about the clock, calls, announcements, rulings and notes."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.clock import MOST_MINUTES, ClockAction, checked_warnings
from rules.errors import BadInput
from tournaments.forms.checks import TONE_OF_NOTE
from tournaments.services.announcements import MOST_MINUTES as LONGEST_SHOWN
from tournaments.services.notes import LONGEST


class ClockForm(forms.Form):
    """A button of the clock; ``version`` is the clock that the page showed."""

    action = forms.ChoiceField(choices=[(str(key), str(key)) for key in ClockAction])
    version = forms.IntegerField(min_value=0, max_value=999_999)
    minutes = forms.IntegerField(
        label=_("Minutes for everybody"), min_value=1, max_value=MOST_MINUTES, required=False
    )


class CallForm(forms.Form):
    """A player calls a judge."""

    reason = forms.CharField(
        label=_("What is it about?"),
        max_length=200,
        required=False,
        help_text=_("You may leave it empty."),
    )


class AnnouncementForm(forms.Form):
    """A sentence for everybody."""

    text = forms.CharField(label=_("Announcement"), max_length=300)
    minutes = forms.IntegerField(
        label=_("Minutes to show it"), min_value=1, max_value=LONGEST_SHOWN, initial=15
    )


class StaffNoteForm(forms.Form):
    """A note on a match for the staff alone."""

    text = forms.CharField(
        label=_("Note for the staff"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=TONE_OF_NOTE,
    )


class RulingForm(forms.Form):
    """A ruling on a match."""

    text = forms.CharField(
        label=_("Ruling"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Everybody reads it, beside the pairing."),
    )


class RulingsForm(forms.Form):
    """The rulings for the whole event; ``version`` is the text that the page showed."""

    rulings = forms.CharField(
        label=_("Rulings of the head judge"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("Note-taking, sleeves, changes of rules: one paragraph each."),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)


class WarningsField(forms.CharField):
    """Minutes before the end of a round, as "15, 10, 5"."""

    def to_python(self, value: Any) -> Any:
        """Return the minutes, the earliest warning first."""
        words = str(value or "").replace(",", " ").replace(";", " ").split()
        if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
            raise forms.ValidationError(_("Write minutes as numbers, such as 15, 10, 5."))
        try:
            return list(checked_warnings([int(word) for word in words]))
        except BadInput as error:
            raise forms.ValidationError(explain(error)) from None


def warnings_typed(minutes: Iterable[int]) -> str:
    """Return minutes as they are typed."""
    return ", ".join(str(each) for each in minutes)
