"""Forms of a result entered at the desk: on one line, or field by field."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.matches.battle_cards import totals
from rules.matches.match_rules import LARGEST_SCORE, Claim, MatchRules, presets
from rules.matches.shorthand import parse_shorthand
from rules.results import EndedBy, Points, TieBreak, Winner
from tournaments.core.labels import ENDINGS
from tournaments.core.mapping import games_of
from tournaments.models import Report
from tournaments.results.forms.claims import ClaimForm, points_field, tie_break_choices
from tournaments.results.forms.picks import (
    OTHER,
    WITH_REASON,
    Tiles,
    absent_sides,
    claim_of,
    tiles_of,
)


class QuickForm(forms.Form):
    """A result on one line, or in two fields of a row, with the version that the page showed.

    ``shown`` is the table and the players whom the desk's line showed (`match_as_shown`).
    """

    version = forms.IntegerField(min_value=0)
    shown = forms.CharField(max_length=60, required=False)
    text = forms.CharField(max_length=60, required=False)
    score_a = forms.IntegerField(min_value=0, max_value=LARGEST_SCORE, required=False)
    score_b = forms.IntegerField(min_value=0, max_value=LARGEST_SCORE, required=False)

    def line(self) -> str:
        """Return the result as one line of text."""
        values = self.cleaned_data
        if values["text"]:
            return str(values["text"])
        numbers = (values["score_a"], values["score_b"])
        return "" if None in numbers else f"{numbers[0]}-{numbers[1]}"

    def claim(self, rules: MatchRules) -> Claim:
        """Return the claim; raises BadInput if the line cannot be parsed."""
        return parse_shorthand(self.line(), rules)


class TableForm(forms.Form):
    """A table number with an optional result, for browsers without JavaScript."""

    ordinal = forms.IntegerField(min_value=1)
    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=9999)
    text = forms.CharField(max_length=60, required=False)


class ResultForm(ClaimForm):
    """Any result that the staff may enter: one of the tiles, or field by field.

    A tile is a whole result: with one, the fields of the score and of how it ended are not read.
    """

    pick = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    leaves = forms.BooleanField(label=_("Withdraw from the event too"), required=False)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("Result"), max_length=60, required=False, help_text=_("As at the desk: 2-1, 1-1-1.")
    )
    score_a = points_field()
    score_b = points_field()
    battle_a = forms.BooleanField(required=False)
    battle_b = forms.BooleanField(required=False)
    ended_by = forms.ChoiceField(label=_("How it ended"), required=False)
    winner = forms.ChoiceField(label=_("Winner"), required=False, widget=forms.RadioSelect)
    tie_break = forms.ChoiceField(
        label=_("What decided a level match"),
        required=False,
        choices=tie_break_choices(*TieBreak),
    )
    note = forms.CharField(
        label=_("Reason"),
        max_length=500,
        required=False,
        help_text=_("Needed where the winner is not the one that the score says."),
    )

    def __init__(
        self, *args: Any, rules: MatchRules, a: str, b: str, points: Points, **kwargs: Any
    ) -> None:
        """Keep only the fields that a match under these rules can have."""
        super().__init__(*args, rules=rules, **kwargs)
        self.names = (a, b)
        self.points = points
        self.fields["score_a"].label = a
        self.fields["score_b"].label = b
        self.fields["battle_a"].label = a
        self.fields["battle_b"].label = b
        self.fields["winner"].choices = self._winner_choices(a, b)  # type: ignore[attr-defined]
        self.fields["ended_by"].choices = self._ending_choices()  # type: ignore[attr-defined]
        unused = ["text"] if rules.by_points else ["score_a", "score_b"]
        unused += [] if rules.by_promotion else ["battle_a", "battle_b"]
        for name in unused:
            del self.fields[name]
        if rules.draws:
            del self.fields["tie_break"]
        elif not rules.by_promotion:
            judge = tie_break_choices(TieBreak.JUDGE)
            self.fields["tie_break"].choices = judge  # type: ignore[attr-defined]
        if not rules.by_points:
            keys = ", ".join(preset.key for preset in presets(rules))
            self.fields["text"].help_text = _(
                "Possible: %(keys)s; or the games in their order after a plus: +aba."
            ) % {"keys": keys}

    def _winner_choices(self, a: str, b: str) -> list[tuple[str, Any]]:
        choices: list[tuple[str, Any]] = [("", _("as the score says"))]
        choices += [(Winner.A, a), (Winner.B, b)]
        if self.rules.draws:
            choices += [(Winner.DRAW, _("A draw"))]
        choices += [(Winner.NONE, _("Both lose"))]
        return choices + ([(Winner.VOID, _("Counts for nothing"))] if self.rules.draws else [])

    def _ending_choices(self) -> list[tuple[str, Any]]:
        left_out = {EndedBy.BYE, EndedBy.PLAYED}
        if self.rules.score != "promotion":
            left_out.add(EndedBy.NO_WARRIORS)
        if not self.rules.draws:
            left_out.add(EndedBy.VOID)
        shown = [(key, label) for key, label in ENDINGS.items() if key not in left_out]
        return [("", _("as usual")), (EndedBy.PLAYED, ENDINGS[EndedBy.PLAYED]), *shown]

    @property
    def tiles(self) -> Tiles:
        """Return the tiles of the match."""
        return tiles_of(self.rules, *self.names, self.points)

    @property
    def leaving(self) -> str:
        """Return the sides that did not come and are to be withdrawn: "a", "b", "ab" or none."""
        values = self.cleaned_data
        return absent_sides(values["pick"]) if values["leaves"] else ""

    def read_claim(self) -> Claim:
        """Return the result in the fields as claimed by the staff."""
        values = self.cleaned_data
        pick, note = values["pick"], values["note"].strip()
        if pick in WITH_REASON and not note:
            raise forms.ValidationError(
                _("This needs a reason. Nothing was stored: write one below the tiles.")
            )
        if pick not in ("", OTHER):
            return claim_of(pick, self.rules, note)
        ended_by = EndedBy(values["ended_by"]) if values.get("ended_by") else None
        tie_break = TieBreak(values["tie_break"]) if values.get("tie_break") else None
        typed = parse_shorthand(values["text"], self.rules) if values.get("text") else Claim()
        claim = Claim(
            score=typed.score,
            games=typed.games,
            winner=Winner(values["winner"]) if values.get("winner") else typed.winner,
            ended_by=ended_by,
            tie_break=tie_break,
            note=note,
            by_staff=True,
        )
        return self.read_points(("score_a", "score_b"), ("battle_a", "battle_b"), claim)


class BattleForm(forms.Form):
    """The points before battle cards, and the battle cards in play."""

    score_a = forms.IntegerField(min_value=0, max_value=LARGEST_SCORE)
    score_b = forms.IntegerField(min_value=0, max_value=LARGEST_SCORE)
    battle_a = forms.BooleanField(required=False)
    battle_b = forms.BooleanField(required=False)
    ended_by = forms.CharField(max_length=20, required=False)

    def words(self, rules: MatchRules) -> str:
        """Return the totals as text."""
        score, changes_leader = totals_of(rules, self.cleaned_data)
        numbers = {"a": score[0], "b": score[1]}
        if changes_leader:
            return _("With battle cards: %(a)s–%(b)s. The leader changes: say who won.") % numbers
        return _("With battle cards: %(a)s–%(b)s.") % numbers


def totals_of(rules: MatchRules, values: Mapping[str, Any]) -> tuple[tuple[int, int], bool]:
    """Return the totals with battle cards, and whether the cards change the leader."""
    points = (values["score_a"], values["score_b"])
    in_play = (values["battle_a"], values["battle_b"])
    at_time = EndedBy.TIME if values.get("ended_by") == EndedBy.TIME else None
    return totals(rules, points, in_play, at_time)


def first_values(report: Report) -> dict[str, object]:
    """Return the initial values of the form for a stored result."""
    games = games_of(report)
    played = report.ended_by in (EndedBy.PLAYED, EndedBy.TIME) and not report.tie_break
    return {
        "text": "-".join(map(str, games if games[2] else games[:2])) if games else "",
        "score_a": report.score_a,
        "score_b": report.score_b,
        "ended_by": "" if played else report.ended_by,
        "winner": "" if played else report.winner,
        "tie_break": report.tie_break,
    }
