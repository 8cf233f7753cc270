"""The form of a result of a multiplayer table at the desk: taps and ticks, or typed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from rules.matches.match_rules import Claim, MatchRules
from rules.matches.settling import (
    impossible_table_result_error,
    marks_by_seat,
    seats_absent_so_far,
    table_shorthand_help,
)
from rules.matches.shorthand import format_shorthand, parse_shorthand
from rules.results import Outcome, SeatMark, Winner
from rules.tables.results import Places, places_from_scores
from tournaments.core.labels import table_place_labels
from tournaments.core.mapping import outcome_from_report
from tournaments.models import Report
from tournaments.results.forms.desk import ClaimForm

DRAWN, ORDER = "drawn", "order"
"""What a button says besides the number of the seat that won."""


class PlacesForm(ClaimForm):
    """Base of forms for a multiplayer table: places by seat, and seats that drew."""

    drawn = forms.TypedMultipleChoiceField(required=False, coerce=int)

    def add_seats(self) -> None:
        """Offer the seats of the table, and a place for each."""
        seats = range(1, self.rules.size + 1)
        self.fields["drawn"].choices = [(seat, str(seat)) for seat in seats]  # type: ignore[attr-defined]
        for seat in seats:
            self.fields[f"place_{seat}"] = forms.TypedChoiceField(
                required=False,
                coerce=int,
                empty_value=None,
                choices=table_place_labels(self.rules.size),
            )

    def order_of(self, away: Collection[int]) -> Places:
        """Return the places chosen, of all seats but those ``away``; who ties has the best of them.

        Raises BadInput ``impossible_result`` for a seat without a place.
        """
        size = self.rules.size
        chosen = {seat: self.cleaned_data[f"place_{seat}"] for seat in range(1, size + 1)}
        missing = [seat for seat, place in chosen.items() if place is None and seat not in away]
        if missing:
            raise impossible_table_result_error(
                size, "Enter a place for seat %(seat)s.", seat=missing[0]
            )
        return places_from_scores(
            [None if seat in away else -place for seat, place in chosen.items()]
        )

    def drawn_by(self, away: Collection[int]) -> tuple[int, ...]:
        """Return the seats that were still in, without those ``away``.

        Raises BadInput ``impossible_result`` where fewer than two are left.
        """
        seats = tuple(seat for seat in self.cleaned_data["drawn"] if seat not in away)
        if len(seats) < 2:
            raise impossible_table_result_error(
                self.rules.size, "A drawn match needs at least two players."
            )
        return seats


def departed_seats(rules: MatchRules) -> frozenset[int]:
    """Return the seats (from 1) whose players have dropped, are absent or disqualified."""
    return frozenset(seat for seat, _mark in rules.gone)


NOBODY, ABSENT = "nobody", "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A seat in the form of a multiplayer table; ``gone``: its player has dropped."""

    number: int
    name: str
    gone: bool
    absent: bool
    drawn: bool
    place: str


class TableResultForm(PlacesForm):
    """Form for any result of a multiplayer table that the staff may enter.

    A button says who won, that the table drew, or that the places count; else the typed line
    counts. Seats ticked as absent are so in each case, and one button stores only these. ``left``
    are seats of dropped players, ignored if the table is ``final``.
    """

    press = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    absent = forms.TypedMultipleChoiceField(required=False, coerce=int)
    leaves = forms.BooleanField(label=_("Also drop from the event"), required=False)
    text = forms.CharField(label=_("Result"), max_length=60, required=False)
    note = forms.CharField(label=_("Reason"), max_length=500, required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        rules: MatchRules,
        names: Sequence[str],
        by_place: bool,
        left: Collection[int] = (),
        final: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(data, rules=rules, **more)
        self.left, self.final = frozenset(() if final else left), final
        self.names, self.by_place = names, by_place
        self.add_seats()
        self.fields["absent"].choices = self.fields["drawn"].choices  # type: ignore[attr-defined]
        self.fields["text"].help_text = translate(table_shorthand_help(rules.size))
        self.places = table_place_labels(rules.size)

    @property
    def rows(self) -> tuple[SeatRow, ...]:
        """Return the seats as the form shows them; all who are there are still in a draw."""
        absent, drawn = (_numbers(self[name].value()) for name in ("absent", "drawn"))
        return tuple(
            SeatRow(
                number=seat,
                name=name,
                gone=seat in self.left,
                absent=seat in absent,
                drawn=seat in drawn
                if self.is_bound or drawn
                else seat not in self.left and seat not in absent,
                place=str(self[f"place_{seat}"].value() or ""),
            )
            for seat, name in enumerate(self.names, start=1)
        )

    @property
    def leaving(self) -> str:
        """Return the seats that were absent and are to be withdrawn, as letters: "a" the first."""
        values = self.cleaned_data
        return "".join("abcde"[seat - 1] for seat in values["absent"] if values["leaves"])

    def read_claim(self) -> Claim:
        """Return the result as claimed by the staff."""
        values, rules = self.cleaned_data, self.rules
        absent = dict.fromkeys(values["absent"], SeatMark.ABSENT)
        away = self.left | absent.keys()
        press, typed = values["press"], values["text"].strip()
        if press == DRAWN:
            claim = Claim(drawn=self.drawn_by(away))
        elif press == ORDER:
            claim = Claim(order=self.order_of(away))
        elif press == NOBODY:
            claim = Claim(winner=Winner.NONE)
        elif press.isascii() and press.isdigit():
            claim = Claim(first=int(press))
        elif typed:
            claim = parse_shorthand(typed, rules)
        elif absent or press == ABSENT:
            claim = Claim()
        else:
            raise forms.ValidationError(_("Choose one of the options."))
        marks = marks_by_seat({**absent, **dict(claim.marks)})
        there = tuple(s for s in range(1, rules.size + 1) if s not in away)
        note = values["note"].strip()
        return replace(claim, marks=marks, there=there, note=note, by_staff=True)

    def settled(self, claim: Claim) -> Outcome | None:
        """Return the outcome of a claim, None for one that only says who is absent."""
        if not self.final and seats_absent_so_far(self.rules, claim) is not None:
            return None
        return super().settled(claim)


def _numbers(values: Any) -> set[int]:
    return {int(value) for value in values or () if str(value).isdecimal()}


def initial_table_values(report: Report) -> dict[str, object]:
    """Return the initial values of ``TableResultForm`` for a stored result."""
    outcome = outcome_from_report(report, report.match.size)
    places = outcome.places if outcome.counts else ()
    first = [seat for seat, place in enumerate(places, start=1) if place == 1]
    return {
        "text": format_shorthand(outcome),
        "absent": [seat for seat, mark in outcome.marks if mark is SeatMark.ABSENT],
        "drawn": first if len(first) > 1 else [],
    } | {f"place_{seat}": place for seat, place in enumerate(places, start=1)}


CONCEDED = "conceded-"
"""What a button says before the seat that won, after the own concession."""


class TableReportForm(PlacesForm):
    """Form by which a player reports a multiplayer table's result with one button.

    The button names the winner (perhaps after the player's own concession), a draw, or the places.
    ``seat`` is the player's.
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
            return Claim(drawn=self.drawn_by(departed_seats(self.rules)))
        if preset == ORDER:
            return Claim(order=self.order_of(departed_seats(self.rules)))
        number = preset.removeprefix(CONCEDED)
        if not (number.isascii() and number.isdigit()):
            raise impossible_table_result_error(self.rules.size, "Choose one of the options.")
        conceded = ((self.seat, SeatMark.CONCEDED),) if number != preset else ()
        return Claim(first=int(number), marks=conceded)
