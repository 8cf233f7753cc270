"""The form in which players report the result of their table of three and more."""

from collections.abc import Mapping
from typing import Any

from django import forms

from rules.matches.match_rules import Claim, MatchRules
from rules.matches.tables.claims import impossible
from rules.results import Mark
from tournaments.results.forms.table_places import DRAWN, ORDER, PlacesForm, gone_at

CONCEDED = "conceded-"
"""What a button says before the seat that won, after the own concession."""


class TableReportForm(PlacesForm):
    """A result by one tap: the seat that won, also after the own concession, who drew, or an order.

    ``seat`` is the reader's own.
    """

    preset = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, rules: MatchRules, seat: int, **more: Any
    ) -> None:
        """Offer the seats of the table."""
        super().__init__(data, rules=rules, **more)
        self.seat = seat
        self.add_seats()

    def read_claim(self) -> Claim:
        """Return the result of the button that was pressed, as claimed by the player."""
        preset = self.cleaned_data["preset"]
        if preset == DRAWN:
            return Claim(drawn=self.drawn_by(gone_at(self.rules)))
        if preset == ORDER:
            return Claim(order=self.order_of(gone_at(self.rules)))
        number = preset.removeprefix(CONCEDED)
        if not (number.isascii() and number.isdigit()):
            raise impossible(self.rules.size, "Choose one of the results.")
        conceded = ((self.seat, Mark.CONCEDED),) if number != preset else ()
        return Claim(first=int(number), marks=conceded)
