"""Lots: the set to draw, or the order as it was drawn by hand."""

from django import forms
from django.utils.translation import gettext_lazy as _


class NumbersField(forms.CharField):
    """Players' numbers separated by commas or spaces; cleans to a tuple."""

    def clean(self, value: object) -> tuple[int, ...]:  # type: ignore[override]
        """Return the numbers; a text that is none is refused."""
        words = super().clean(value).replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 9 for word in words):
            raise forms.ValidationError(_("Write the players' numbers with commas between."))
        return tuple(int(word) for word in words)


class DrawForm(forms.Form):
    """Which tied set the tool draws, perhaps from a seed given in public."""

    tied = NumbersField(max_length=2000)
    seed = forms.CharField(max_length=64, required=False)


class ExtraForm(forms.Form):
    """Which tied set plays extra matches, and the number of the round that was announced."""

    tied = NumbersField(max_length=2000)
    expected_round = forms.IntegerField(min_value=1, max_value=32_767)


class HandForm(forms.Form):
    """The place of each player of a tied set as drawn by hand, and who saw it."""

    tied = NumbersField(max_length=2000)
    witnesses = forms.CharField(label=_("Witnesses"), max_length=300, required=False)
    note = forms.CharField(label=_("Note"), max_length=500, required=False)

    def clean(self) -> dict[str, object]:
        """Refuse places that are not 1, 2, 3 … once each."""
        tied = self.cleaned_data.get("tied", ())
        places = [self.data.get(f"place_{number}", "").strip() for number in tied]
        if sorted(places) != sorted(str(place) for place in range(1, len(tied) + 1)):
            raise forms.ValidationError(
                _("Give each player a place of their own, from 1 to %(last)s."),
                params={"last": len(tied)},
            )
        return self.cleaned_data

    def order(self) -> tuple[int, ...]:
        """Return the players in the order of the places typed."""
        tied = self.cleaned_data["tied"]
        return tuple(sorted(tied, key=lambda number: int(self.data[f"place_{number}"])))
