"""Forms of the clock: buttons, warnings, extra minutes of a table."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import error_message
from rules.errors import BadInput
from rules.events.clock import MOST_MINUTES, ClockAction, validate_warnings
from rules.events.deck_checks import MOST_MINUTES as LONGEST_EXTENSION


class ClockForm(forms.Form):
    """Form of a button of the round timer; ``version`` is that of the timer on the page."""

    action = forms.ChoiceField(choices=[(str(key), str(key)) for key in ClockAction])
    version = forms.IntegerField(min_value=0, max_value=999_999)
    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=1, max_value=MOST_MINUTES, required=False
    )


class WarningsField(forms.CharField):
    """Form field for warning times: minutes before the end of a round, as "15, 10, 5".

    Its cleaned value is a list of them, the earliest warning first.
    """

    def to_python(self, value: Any) -> Any:
        """Return the minutes, the earliest warning first."""
        words = str(value or "").replace(",", " ").replace(";", " ").split()
        if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
            raise forms.ValidationError(_("Minutes before the end, such as 15, 10, 5."))
        try:
            return list(validate_warnings([int(word) for word in words]))
        except BadInput as error:
            raise forms.ValidationError(error_message(error)) from None


def format_warnings(minutes: Iterable[int]) -> str:
    """Return minutes as text for ``WarningsField``: "15, 10, 5"."""
    return ", ".join(str(each) for each in minutes)


class ExtensionForm(forms.Form):
    """Form for a time extension of one table."""

    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=1, max_value=LONGEST_EXTENSION, initial=5
    )
    reason = forms.CharField(label=_("Reason"), max_length=200)
