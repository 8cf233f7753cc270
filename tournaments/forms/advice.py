"""What there is for an event: players, tables, minutes and hours."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from rules.formulas.adviser import TURN_ROUND

MOST_PLAYERS = 1_000
USUAL_MINUTES = 50


class AdviceForm(forms.Form):
    """The adviser's questions; asked by GET, so that an answer can be sent on as a link."""

    players = forms.IntegerField(label=_("Players"), min_value=1, max_value=MOST_PLAYERS)
    minutes = forms.IntegerField(
        label=_("Minutes a round"), min_value=1, max_value=600, initial=USUAL_MINUTES
    )
    turn_round = forms.IntegerField(
        label=_("Minutes between rounds"),
        min_value=0,
        max_value=240,
        initial=TURN_ROUND,
        help_text=_("Results in, pairings out, people seated."),
    )
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=MOST_PLAYERS,
        required=False,
        help_text=_("Empty: as many as are needed."),
    )
    hours = forms.FloatField(
        label=_("Hours"),
        min_value=0.5,
        max_value=200,
        required=False,
        help_text=_("Empty: as long as it takes."),
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="advice_%s")  # beside the form of an event

    def asked(self) -> dict[str, Any]:
        """Return what the adviser takes, of a valid form."""
        return dict(self.cleaned_data)
