"""A penalty, as a judge gives it."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.checks import TONE_OF_NOTE, OffersPenalties
from tournaments.models import Penalty


class PenaltyForm(OffersPenalties):
    """A penalty for one of the event's players.

    ``considered`` is the number of the player for whom a graver one was proposed already.
    """

    considered = forms.IntegerField(widget=forms.HiddenInput, required=False)
    number = forms.TypedChoiceField(label=_("Player"), coerce=int)
    level = forms.ChoiceField(label=_("Penalty"), choices=Penalty.Level, widget=forms.RadioSelect)
    infraction = forms.CharField(
        label=_("What happened"), max_length=200, help_text=_("The player reads this.")
    )
    note = forms.CharField(
        label=_("Note for the staff"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=TONE_OF_NOTE,
    )

    def __init__(
        self,
        *args: Any,
        players: Collection[tuple[int, str]],
        disqualifies: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer_levels(disqualifies=disqualifies)
        choices = [(number, f"{number}. {name}") for number, name in players]
        self.fields["number"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]
