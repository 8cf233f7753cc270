"""Forms of the start: the order drawn by hand, and the start itself."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.moments import needed_sometimes


class HandOrderForm(forms.Form):
    """The position of each player as drawn by hand, and the witnesses."""

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
        """Return the cleaned data; add an error if two players have one position."""
        values = super().clean() or {}
        places = [values.get(f"place_{number}") for number, _name in self.players]
        if not self.errors and len(set(places)) != len(places):
            raise forms.ValidationError(
                _("Two players have the same place. Nothing was stored: mend the order.")
            )
        return values

    def order(self) -> list[int]:
        """Return the player numbers, first to last."""
        numbers = [number for number, _name in self.players]
        return sorted(numbers, key=lambda number: self.cleaned_data[f"place_{number}"])

    def place_fields(self) -> list[forms.BoundField]:
        return [self[f"place_{number}"] for number, _name in self.players]


class StartForm(forms.Form):
    """The draw to start with, and an override of decklist faults with its reason.

    Without ``draw`` the order is drawn at the start, unless one was. ``absent`` says that the page
    has named who is not present, ``seen`` are the numbers of the players whose faults it has shown.
    """

    draw = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    absent = forms.BooleanField(required=False, widget=forms.HiddenInput)
    seen = forms.RegexField(
        r"\A[0-9]{1,9}(,[0-9]{1,9})*\Z", max_length=20_000, required=False, widget=forms.HiddenInput
    )
    despite = forms.BooleanField(
        label=_("Start in spite of these decklists"),
        required=False,
        help_text=_("It is recorded in the log, with the names and your reason."),
    )
    override = needed_sometimes(
        forms.CharField(
            label=_("Reason for starting without complete decklists"),
            max_length=500,
            required=False,
        )
    )

    def clean(self) -> dict[str, object]:
        """Return the cleaned data; add an error if the override has no reason."""
        values = super().clean() or {}
        if values.get("despite") and not values.get("override"):
            self.add_error("override", _("Give a reason. Nothing was started."))
        return values

    def reason(self) -> str:
        """Return the reason for the override; empty if the box is not ticked."""
        return str(self.cleaned_data["override"]) if self.cleaned_data["despite"] else ""

    def seen_numbers(self) -> set[int] | None:
        """Return the numbers in ``seen``; None if the page has shown no faults."""
        numbers = str(self.cleaned_data["seen"]).split(",")
        return {int(number) for number in numbers if number} or None
