"""Forms of lots: the set to draw, or the order drawn by hand."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from tournaments.core.rows import AnyEntry


class NumbersField(forms.CharField):
    """Field for player numbers separated by commas or spaces; cleans to a tuple."""

    def clean(self, value: object) -> tuple[int, ...]:  # type: ignore[override]
        """Return the numbers; raises ValidationError if one is unreadable."""
        words = super().clean(value).replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 9 for word in words):
            raise forms.ValidationError(_("Choose one of the options."))
        return tuple(int(word) for word in words)


class DrawForm(forms.Form):
    """Form for a random draw of tied players, optionally with a publicly given seed."""

    tied = NumbersField(max_length=2000)
    seed = forms.CharField(max_length=64, required=False)


class TiedSetsField(forms.Field):
    """Field for several sets of player numbers; cleans to a tuple of tuples.

    Each submitted value is one set.
    """

    widget = forms.MultipleHiddenInput

    def clean(self, value: object) -> tuple[tuple[int, ...], ...]:
        """Return the sets; raises ValidationError if there are none or one is unreadable."""
        numbers = NumbersField(max_length=2000)
        return tuple(numbers.clean(text) for text in super().clean(value))


class TiebreakerMatchesForm(forms.Form):
    """Form for tied sets that play tiebreaker matches.

    ``expected_round`` is the ordinal of the round that will hold them.
    """

    tied = TiedSetsField(error_messages={"required": _("Enter at least one.")}, label="")
    expected_round = forms.IntegerField(min_value=1, max_value=32_767)

    def marks(self, numbers: str) -> bool:
        """Return whether a set of players was submitted, even if the form is invalid."""
        wanted = set(numbers.split(","))
        return any(set(text.split(",")) == wanted for text in self["tied"].value() or ())


class DrawnOrderForm(forms.Form):
    """Form for the order of tied players drawn by hand: a position field per player."""

    tied = forms.CharField(max_length=2000, widget=forms.HiddenInput)

    def __init__(self, *args: Any, players: Iterable[AnyEntry], **kwargs: Any) -> None:
        """Add a position field for each player."""
        self.players = tuple(players)
        numbers = [entry.number for entry in self.players]
        kwargs["auto_id"] = f"hand-{'-'.join(map(str, numbers))}-%s"
        kwargs["initial"] = {"tied": ",".join(map(str, numbers))} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        for entry in self.players:
            self.fields[f"place_{entry.number}"] = forms.IntegerField(
                label=format_html("<bdi>{}</bdi>", entry.display_name),
                min_value=1,
                max_value=len(numbers),
                error_messages={"invalid": "", "min_value": "", "max_value": "", "required": ""},
            )

    @property
    def places(self) -> list[forms.BoundField]:
        """Return the position fields."""
        return [self[f"place_{entry.number}"] for entry in self.players]

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data; add one error unless the positions are 1, 2, 3 … once each."""
        values = super().clean() or {}
        last = len(self.players)
        fields = [f"place_{entry.number}" for entry in self.players]
        for name in fields:
            self.errors.pop(name, None)
        if {values.get(name) for name in fields} != set(range(1, last + 1)):
            raise forms.ValidationError(
                _("Give each player a different place, from 1 to %(last)s."),
                params={"last": last},
            )
        return values

    def order(self) -> tuple[int, ...]:
        """Return the players in the order of their positions."""
        places = {
            entry.number: self.cleaned_data[f"place_{entry.number}"] for entry in self.players
        }
        return tuple(sorted(places, key=lambda number: places[number]))


class WitnessedOrderForm(DrawnOrderForm):
    """Form for an order of tied players drawn by hand, with witnesses and a note."""

    witnesses = forms.CharField(
        label=_("Witnesses"),
        max_length=300,
        error_messages={"required": _("This field is required.")},
    )
    note = forms.CharField(label=_("Note"), max_length=500, required=False)
