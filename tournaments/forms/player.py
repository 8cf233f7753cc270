"""What a player fills in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.match_rules import LARGEST_SCORE, Claim, MatchRules, impossible, presets
from rules.results import EndedBy, TieBreak, Winner
from rules.wording import gettext_noop
from tournaments.endings import TIE_BREAKS
from tournaments.perspective import seen_from

NUMBER = {"inputmode": "numeric", "autocomplete": "off"}


class ReportForm(forms.Form):
    """A result as the player sees it: a preset, or the promotion points of both."""

    preset = forms.CharField(required=False, widget=forms.HiddenInput)
    own = forms.IntegerField(
        label=_("Your promotion points"),
        required=False,
        min_value=0,
        max_value=LARGEST_SCORE,
        widget=forms.NumberInput(attrs=NUMBER),
    )
    other = forms.IntegerField(
        label=_("Your opponent’s promotion points"),
        required=False,
        min_value=0,
        max_value=LARGEST_SCORE,
        widget=forms.NumberInput(attrs=NUMBER),
    )
    winner = forms.ChoiceField(
        label=_("Who won, if you were level"),
        required=False,
        choices=[("", "–"), ("own", _("I won")), ("other", _("my opponent won"))],
    )
    tie_break = forms.ChoiceField(
        label=_("What decided"),
        required=False,
        choices=[
            ("", "–"),
            *((str(key), TIE_BREAKS[key]) for key in (TieBreak.WARRIORS, TieBreak.EXTRA_TURNS)),
        ],
    )

    def claim(self, rules: MatchRules, side: str) -> Claim:
        """Return the claim with side a first; raises BadInput ``impossible_result``."""
        given = self.cleaned_data
        if not rules.by_promotion:
            known = {preset.key: preset.claim for preset in presets(rules)}
            if given["preset"] not in known:
                raise impossible(rules, gettext_noop("Choose one of the results."))
            return seen_from(side, known[given["preset"]])
        if given["own"] is None or given["other"] is None:
            raise impossible(rules, gettext_noop("Enter the promotion points of both players."))
        winner = {"own": Winner.A, "other": Winner.B}.get(given["winner"])
        seen = Claim(
            score=(given["own"], given["other"]),
            winner=winner,
            tie_break=TieBreak(given["tie_break"]) if given["tie_break"] else None,
            ended_by=EndedBy.TIME if winner and given["tie_break"] else None,
        )
        return seen_from(side, seen)
