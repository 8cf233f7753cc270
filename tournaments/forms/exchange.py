"""An exchange with the side, as a judge types it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_GAMES = 99
SMALL = {"rows": 5, "spellcheck": "false"}


class ExchangeForm(forms.Form):
    """What went out and came in, or the deck found on the table."""

    out = forms.CharField(
        label=_("Out of the deck"),
        required=False,
        widget=forms.Textarea(attrs=SMALL),
        help_text=_("One card a line, with its count: 2 Name."),
    )
    into = forms.CharField(
        label=_("Into the deck"), required=False, widget=forms.Textarea(attrs=SMALL)
    )
    table = forms.CharField(
        label=_("Or the deck as it lies on the table"),
        required=False,
        widget=forms.Textarea(attrs=SMALL | {"rows": 8}),
        help_text=_("The whole deck, without the side."),
    )
    games_played = forms.IntegerField(
        label=_("Games played before"),
        required=False,
        min_value=0,
        max_value=MOST_GAMES,
        help_text=_("Empty: not asked. 0: before the first game nothing may be exchanged."),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two ways."""
        values = super().clean() or {}
        moves = bool(values.get("out") or values.get("into"))
        if not self.errors and moves is bool(values.get("table")):
            raise forms.ValidationError(
                _("Give either what goes out and comes in, or the deck on the table.")
            )
        return values
