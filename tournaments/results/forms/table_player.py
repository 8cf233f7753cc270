"""The form in which players report the result of their table of three and more."""

from collections.abc import Mapping
from typing import Any

from django import forms

from rules.matches.match_rules import MatchRules
from rules.matches.tables.claims import TableClaim, impossible
from rules.results import Mark
from tournaments.results.forms.claims import ClaimForm

DRAWN, CONCEDED = "drawn", "conceded-"
"""Values of ``preset`` besides the number of the seat that won."""


class TableReportForm(ClaimForm):
    """A result by one tap: the seat that won, also after the own concession, or who drew.

    ``seat`` is the reader's own.
    """

    preset = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    drawn = forms.TypedMultipleChoiceField(required=False, coerce=int)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, rules: MatchRules, seat: int, **more: Any
    ) -> None:
        """Offer the seats of the table."""
        super().__init__(data, rules=rules, **more)
        self.seat = seat
        choices = [(number, str(number)) for number in range(1, rules.size + 1)]
        self.fields["drawn"].choices = choices  # type: ignore[attr-defined]

    def read_claim(self) -> TableClaim:
        """Return the result of the button that was pressed, as claimed by the player."""
        preset = self.cleaned_data["preset"]
        if preset == DRAWN:
            return TableClaim(drawn=tuple(self.cleaned_data["drawn"]))
        number = preset.removeprefix(CONCEDED)
        if not (number.isascii() and number.isdigit()):
            raise impossible(self.rules.size, "Choose one of the results.")
        conceded = ((self.seat, Mark.CONCEDED),) if number != preset else ()
        return TableClaim(winner=int(number), marks=conceded)
