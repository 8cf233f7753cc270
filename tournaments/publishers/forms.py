"""The form into which the pairings of a round are pasted."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.drafts.given import MOST_SIGNS, Listed, PairingFault, PastedRound, read_pairings
from rules.errors import BadInput


class PairingsForm(forms.Form):
    """A pasted list; ``found`` is what was read of it, ``faults`` are its wrong lines."""

    text = forms.CharField(
        label=_("Pairings"),
        max_length=MOST_SIGNS,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 12,
                "wrap": "off",
                "spellcheck": "false",
                "autocomplete": "off",
                "placeholder": _("1  Anna Rossi  Luca Bianchi\n2  Marco Neri  BYE"),
            }
        ),
        help_text=_("Table, player, opponent; points, headings and membership numbers may stay."),
    )
    expected_round = forms.IntegerField(min_value=1, max_value=9_999, widget=forms.HiddenInput)

    found: PastedRound | None = None

    def __init__(
        self, *args: Any, players: Sequence[Listed], sizes: Sequence[int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.players, self.sizes = players, sizes

    @property
    def faults(self) -> tuple[PairingFault, ...]:
        """Return what is wrong with the list, by line."""
        return self.found.faults if self.found else ()

    def clean_text(self) -> str:
        """Read the list. Raises ValidationError for one that is none; faults are the view's."""
        text: str = self.cleaned_data["text"]
        try:
            self.found = read_pairings(text, self.players, sizes=self.sizes)
        except BadInput as refused:
            raise forms.ValidationError(explain(refused)) from None
        return text
