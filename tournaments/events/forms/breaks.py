"""The field for the breaks of an event."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.errors import BadInput
from rules.events.timetable import break_of, checked_breaks, clock_of


class BreaksField(forms.CharField):
    """Breaks as lines such as "13:00 40 Lunch"."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Breaks"),
            max_length=600,
            required=False,
            widget=forms.Textarea(attrs={"rows": 2, "class": "short"}),
            help_text=_(
                "One a line: time, minutes and a word, such as 13:00 40 Lunch. A break is taken "
                "before the next round. Empty: none."
            ),
        )

    def to_python(self, value: Any) -> Any:
        """Return the breaks as they are stored. Raises ValidationError."""
        try:
            found = [_break(line) for line in str(value or "").splitlines() if line.strip()]
            return [one.as_json() for one in checked_breaks(found)]
        except BadInput as error:
            raise forms.ValidationError(explain(error)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether other breaks are typed than were shown."""
        return str(initial or "").split() != str(data or "").split()


def _break(line: str) -> Any:
    at, _space, rest = line.strip().partition(" ")
    minutes, _space, label = rest.strip().partition(" ")
    number = (
        int(minutes) if minutes.isascii() and minutes.isdecimal() and len(minutes) < 5 else None
    )
    return break_of(at.replace(".", ":"), number, label.strip())


def breaks_typed(breaks: Iterable[Mapping[str, Any]]) -> str:
    """Return breaks as text for the field."""
    lines = (f"{one['at']} {one['minutes']} {one.get('label', '')}".strip() for one in breaks)
    return "\n".join(lines)


class MinuteField(forms.TimeField):
    """A time of the day, kept as minutes since midnight."""

    widget = forms.TimeInput(attrs={"type": "time"})

    def clean(self, value: Any) -> Any:
        """Return the minutes since midnight, None for an empty field."""
        found = super().clean(value)
        return None if found is None else found.hour * 60 + found.minute

    def prepare_value(self, value: Any) -> Any:
        """Return minutes as "20:00"."""
        return clock_of(value) if isinstance(value, int) else value
