"""The form of a pair to keep apart."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry


class ApartForm(forms.Form):
    """Two players of an event, by number."""

    first = forms.TypedChoiceField(label=_("Player"), coerce=int)
    second = forms.TypedChoiceField(label=_("kept from"), coerce=int)

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [
            ("", "–"),
            *((str(item.number), f"{item.name} ({item.number})") for item in entries),
        ]
        for name in ("first", "second"):
            self.fields[name].choices = known  # type: ignore[attr-defined]
