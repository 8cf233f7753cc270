"""Forms of the deck-check desk and of a check."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.judging.forms import note_field
from tournaments.models import DeckCheck, Penalty
from tournaments.penalties.forms import OffersPenalties


class PickForm(forms.Form):
    """Pick a table at random; ``expected`` detects an outdated page."""

    expected = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    again = forms.BooleanField(label=_("Also those already checked"), required=False)


class StartForm(forms.Form):
    """Begin a check of a table or a player by number, or of a match by its key."""

    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=99_999, required=False)
    match = forms.IntegerField(widget=forms.HiddenInput, min_value=1, required=False)
    number = forms.IntegerField(
        label=_("Player number"), min_value=1, max_value=9_999_999, required=False
    )
    again = forms.BooleanField(label=_("Again, if checked already"), required=False)

    def clean(self) -> dict[str, Any]:
        """Require exactly one of table, match and player."""
        values = super().clean() or {}
        given = [key for key in ("table", "match", "number") if values.get(key)]
        if not self.errors and len(given) != 1:
            raise forms.ValidationError(_("Give the number of a table or of a player."))
        return values


class CheckForm(OffersPenalties):
    """The ticks of a check and its outcome; ``lines`` and ``points`` are the possible ticks.

    A script has stored the ticks already (``SingleTicksForm``): it sends no version, and no ticks.
    """

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)
    line = forms.TypedMultipleChoiceField(coerce=int, required=False)
    point = forms.MultipleChoiceField(required=False)
    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=DeckCheck.Outcome, widget=forms.RadioSelect, required=False
    )
    level = forms.ChoiceField(
        label=_("Penalty"),
        choices=[("", "–"), *Penalty.Level.choices],
        required=False,
        help_text=_("Only with the outcome “Penalty”."),
    )
    infraction = forms.CharField(
        label=_("What happened"),
        max_length=200,
        required=False,
        help_text=_("The player reads this."),
    )
    note = note_field()

    def __init__(
        self,
        *args: Any,
        lines: Collection[int],
        points: Collection[str],
        disqualifies: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.offer_levels(disqualifies=disqualifies)
        self.fields["line"].choices = [(number, number) for number in lines]  # type: ignore[attr-defined]
        self.fields["point"].choices = [(key, key) for key in points]  # type: ignore[attr-defined]

    def ticks(self) -> dict[str, Any]:
        """Return the ticked items in the form that the services take."""
        sent = self.cleaned_data
        return {"version": sent["version"], "lines": sent["line"], "points": sent["point"]}


class SingleTicksForm(forms.Form):
    """Single ticks that were set (``on``) or taken away (``off``), as "line-3", "point-box"."""

    on = forms.MultipleChoiceField(required=False)
    off = forms.MultipleChoiceField(required=False)

    def __init__(self, data: Any, *, lines: Collection[int], points: Collection[str]) -> None:
        super().__init__(data)
        keys = [*(f"line-{number}" for number in lines), *(f"point-{key}" for key in points)]
        for name in ("on", "off"):
            self.fields[name].choices = [(key, key) for key in keys]  # type: ignore[attr-defined]

    def ticks(self) -> dict[str, Any]:
        """Return lines and points with whether they are ticked, as the service takes them."""
        found: dict[str, Any] = {"lines": {}, "points": {}}
        for name in ("off", "on"):
            for key in self.cleaned_data[name]:
                kind, _dash, value = key.partition("-")
                if kind == "line":
                    found["lines"][int(value)] = name == "on"
                else:
                    found["points"][value] = name == "on"
        return found
