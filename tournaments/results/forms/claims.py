"""Base form of a result, for the staff and for players, with its shared fields."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from rules.errors import RuleError
from rules.matches.battle_cards import with_battle_cards
from rules.matches.match_rules import LARGEST_SCORE, Claim, MatchRules
from rules.matches.settling import settle
from rules.results import Outcome, TieBreak
from tournaments.core.labels import TIE_BREAK_CHOICES

Pair = tuple[str, str]


class ClaimForm(forms.Form):
    """A form whose fields make one claim; valid only if the rules accept that claim."""

    def __init__(self, *args: Any, rules: MatchRules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules

    def read_claim(self) -> Claim:
        """Return the claim in the fields, a's side first; raises BadInput or ValidationError."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data; add an error unless the rules accept the claim."""
        values = super().clean() or self.cleaned_data
        if self.errors:
            return values
        try:
            values["claim"] = self.read_claim()
            values["outcome"] = self.settled(values["claim"])
        except RuleError as error:
            raise forms.ValidationError(explain(error)) from error
        return values

    def settled(self, claim: Claim) -> Outcome | None:
        """Return the outcome of a claim; None for one that is accepted and decides nothing."""
        return settle(self.rules, claim)

    def read_points(self, points: Pair, battle: Pair, claim: Claim) -> Claim:
        """Return the claim with the points of both players, battle cards added."""
        if not self.rules.by_points:
            return claim
        given = [self.cleaned_data[name] for name in points]
        if given.count(None) == 1:
            raise forms.ValidationError(
                _("Enter the promotion points of both players.")
                if self.rules.by_promotion
                else _("Enter the points of both players.")
            )
        in_play = tuple(bool(self.cleaned_data.get(name)) for name in battle)
        if None not in given:
            claim = replace(claim, score=(given[0], given[1]))
        return with_battle_cards(self.rules, claim, (in_play[0], in_play[1]))

    @property
    def outcome(self) -> Outcome:
        """Return the outcome of the accepted claim."""
        outcome: Outcome = self.cleaned_data["outcome"]
        return outcome

    @property
    def claim(self) -> Claim:
        """Return the accepted claim."""
        claim: Claim = self.cleaned_data["claim"]
        return claim


def points_field(label: Any = None) -> forms.IntegerField:
    """Return a field for promotion points, with a numeric keyboard on phones."""
    attrs = {"inputmode": "numeric", "autocomplete": "off"}
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=LARGEST_SCORE,
        widget=forms.NumberInput(attrs=attrs),
    )


def tie_break_choices(*tie_breaks: TieBreak) -> list[tuple[str, Any]]:
    """Return the choices of what decided a level match, beginning with none."""
    none = ("", _("nothing, it was not level"))
    return [none, *((str(key), TIE_BREAK_CHOICES[key]) for key in tie_breaks)]
