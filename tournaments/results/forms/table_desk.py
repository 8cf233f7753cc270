"""The form of a result of a table of three and more at the desk: taps and ticks, or typed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from rules.matches.match_rules import Claim, MatchRules
from rules.matches.shorthand import parse_shorthand
from rules.matches.tables.claims import marks_of, possible_results
from rules.matches.tables.settling import absent_so_far
from rules.matches.tables.shorthand import typed_as
from rules.results import Mark, Outcome, Winner
from tournaments.core.labels import places_at
from tournaments.core.mapping import outcome_of
from tournaments.models import Report
from tournaments.results.forms.table_places import DRAWN, ORDER, PlacesForm

NOBODY, ABSENT = "nobody", "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A seat in the form: its name, what is ticked of it, and its place; ``gone``: it has left."""

    number: int
    name: str
    gone: bool
    absent: bool
    drawn: bool
    place: str


class TableResultForm(PlacesForm):
    """Any result of a table: a button says who won, that it was drawn, or that the order counts.

    Without a button the line that was typed counts. Seats that are ticked as absent are so in each
    of them; a button stores that alone, while the others play. ``left`` are the seats of those who
    have left the event; of a ``final`` table its result says who is counted.
    """

    press = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    absent = forms.TypedMultipleChoiceField(required=False, coerce=int)
    leaves = forms.BooleanField(label=_("Withdraw the absent from the event too"), required=False)
    text = forms.CharField(label=_("Result, as at the desk"), max_length=60, required=False)
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
        self.fields["text"].help_text = translate(possible_results(rules.size))
        self.places = places_at(rules.size)

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
        absent = dict.fromkeys(values["absent"], Mark.ABSENT)
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
            raise forms.ValidationError(
                _("Say how it ended: a button, or typed as at the desk. Nothing was stored.")
            )
        marks = marks_of({**absent, **dict(claim.marks)})
        there = tuple(s for s in range(1, rules.size + 1) if s not in away)
        note = values["note"].strip()
        return replace(claim, marks=marks, there=there, note=note, by_staff=True)

    def settled(self, claim: Claim) -> Outcome | None:
        """Return the outcome of a claim, None for one that only says who is absent."""
        if not self.final and absent_so_far(self.rules, claim) is not None:
            return None
        return super().settled(claim)


def _numbers(values: Any) -> set[int]:
    return {int(value) for value in values or () if str(value).isdecimal()}


def table_values(report: Report) -> dict[str, object]:
    """Return the initial values of the form for a stored result."""
    outcome = outcome_of(report, report.match.size)
    places = outcome.places if outcome.counts else ()
    first = [seat for seat, place in enumerate(places, start=1) if place == 1]
    return {
        "text": typed_as(outcome),
        "absent": [seat for seat, mark in outcome.marks if mark is Mark.ABSENT],
        "drawn": first if len(first) > 1 else [],
    } | {f"place_{seat}": place for seat, place in enumerate(places, start=1)}
