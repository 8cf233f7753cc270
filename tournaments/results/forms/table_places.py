"""Fields for the place of each seat at a table of three and more, of the staff and of players."""

from collections.abc import Collection

from django import forms

from rules.matches.match_rules import MatchRules
from rules.matches.tables.claims import impossible
from rules.tables.results import Places, places_by
from tournaments.core.labels import places_at
from tournaments.results.forms.claims import ClaimForm

DRAWN, ORDER = "drawn", "order"
"""What a button says besides the number of the seat that won."""


class PlacesForm(ClaimForm):
    """Fields of an order, ``place_1`` for the first seat, and of a draw: the seats still in."""

    drawn = forms.TypedMultipleChoiceField(required=False, coerce=int)

    def add_seats(self) -> None:
        """Offer the seats of the table, and a place for each."""
        seats = range(1, self.rules.size + 1)
        self.fields["drawn"].choices = [(seat, str(seat)) for seat in seats]  # type: ignore[attr-defined]
        for seat in seats:
            self.fields[f"place_{seat}"] = forms.TypedChoiceField(
                required=False, coerce=int, empty_value=None, choices=places_at(self.rules.size)
            )

    def order_of(self, away: Collection[int]) -> Places:
        """Return the places chosen, of all seats but those ``away``; who ties has the best of them.

        Raises BadInput ``impossible_result`` for a seat without a place.
        """
        size = self.rules.size
        chosen = {seat: self.cleaned_data[f"place_{seat}"] for seat in range(1, size + 1)}
        missing = [seat for seat, place in chosen.items() if place is None and seat not in away]
        if missing:
            raise impossible(size, "Seat %(seat)s has no place yet.", seat=missing[0])
        return places_by([None if seat in away else -place for seat, place in chosen.items()])

    def drawn_by(self, away: Collection[int]) -> tuple[int, ...]:
        """Return the seats that were still in, without those ``away``.

        Raises BadInput ``impossible_result`` where fewer than two are left.
        """
        seats = tuple(seat for seat in self.cleaned_data["drawn"] if seat not in away)
        if len(seats) < 2:
            raise impossible(self.rules.size, "A draw is between two or more.")
        return seats


def gone_at(rules: MatchRules) -> frozenset[int]:
    """Return the seats whose players have left the event, or were not there."""
    return frozenset(seat for seat, _mark in rules.gone)
