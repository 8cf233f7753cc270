"""Forms that give a penalty."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.judging.forms import note_field
from tournaments.models import Penalty


class OffersPenalties(forms.Form):
    """Form mixin with a penalty's ``level``; offers disqualification only if permitted."""

    def offer_levels(self, *, disqualifies: bool) -> None:
        """Remove disqualification from the choices unless ``disqualifies``."""
        if not disqualifies:
            offered = self.fields["level"].widget
            offered.choices = [  # type: ignore[attr-defined]
                choice
                for choice in offered.choices  # type: ignore[attr-defined]
                if choice[0] != Penalty.Level.DISQUALIFICATION
            ]


class PenaltyForm(OffersPenalties):
    """A penalty for one of the event's players.

    ``considered`` is the number of the player for whom a more severe one was already proposed.
    """

    considered = forms.IntegerField(widget=forms.HiddenInput, required=False)
    number = forms.TypedChoiceField(label=_("Player"), coerce=int)
    level = forms.ChoiceField(label=_("Penalty"), choices=Penalty.Level, widget=forms.RadioSelect)
    infraction = forms.CharField(
        label=_("What happened"),
        max_length=200,
        help_text=_("The player reads this."),
    )
    note = note_field()

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
