"""The draw before the start, and the start itself."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext_lazy as _


class HandOrderForm(forms.Form):
    """The order of the start as drawn by hand: a place for each player, and who saw it."""

    witnesses = forms.CharField(label=_("Witnesses"), max_length=300)
    note = forms.CharField(label=_("Note"), max_length=500, required=False)

    def __init__(self, *args: object, players: Sequence[tuple[int, str]] = (), **kwargs: object):
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.players = players
        for number, name in players:
            self.fields[f"place_{number}"] = forms.IntegerField(
                label=name, min_value=1, max_value=len(players)
            )

    def clean(self) -> dict[str, object]:
        """Refuse two players on one place."""
        values = super().clean() or {}
        places = [values.get(f"place_{number}") for number, _name in self.players]
        if not self.errors and len(set(places)) != len(places):
            raise forms.ValidationError(
                _("Two players have the same place. Nothing was stored: mend the order.")
            )
        return values

    def order(self) -> list[int]:
        """Return the players' numbers, first to last."""
        numbers = [number for number, _name in self.players]
        return sorted(numbers, key=lambda number: self.cleaned_data[f"place_{number}"])

    def place_fields(self) -> list[forms.BoundField]:
        """Return the fields of the places."""
        return [self[f"place_{number}"] for number, _name in self.players]


class StartForm(forms.Form):
    """With which draw to start; the reason for starting in spite of the decklists."""

    draw = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    override = forms.CharField(
        label=_("Reason for starting without complete decklists"), max_length=500, required=False
    )
