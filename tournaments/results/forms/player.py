"""The form in which players report the result of their match, their own figures first."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.matches.match_rules import (
    LONGEST,
    Claim,
    MatchRules,
    impossible_result_error,
    result_presets,
)
from rules.results import MatchEnding, TieBreak, Winner
from rules.wording import gettext_noop
from tournaments.core.labels import ending_text
from tournaments.matches.words import claim_from_side
from tournaments.results.forms.desk import ClaimForm, points_field, tie_break_choices

GAMES = {"own": "a", "other": "b", "draw": "draw"}
WINNERS = {"own": Winner.A, "other": Winner.B, "draw": Winner.DRAW}
ENDS: dict[str, tuple[MatchEnding, Winner | None]] = {
    "time": (MatchEnding.TIME, None),
    "own_concession": (MatchEnding.CONCESSION, Winner.B),
    "other_concession": (MatchEnding.CONCESSION, Winner.A),
    "own_no_warriors": (MatchEnding.NO_WARRIORS, Winner.B),
    "other_no_warriors": (MatchEnding.NO_WARRIORS, Winner.A),
}
"""The kinds of ending that players may report; others are for a judge."""
OF_POINTS = ("own", "other", "battle_own", "battle_other", "winner")


class ReportForm(ClaimForm):
    """Form by which a player reports a result: a preset, the games in order, or points.

    ``initial`` is a submission to edit. ``another`` adds a field for a further game, as after a
    drawn one.
    """

    preset = forms.CharField(required=False, widget=forms.HiddenInput)
    own = points_field(_("Promotion points"))
    other = points_field()
    battle_own = forms.BooleanField(label=_("You"), required=False)
    battle_other = forms.BooleanField(required=False)
    ended = forms.ChoiceField(required=False)
    winner = forms.ChoiceField(label=_("Who won?"), required=False)
    tie_break = forms.ChoiceField(
        label=_("Tie broken by"),
        required=False,
        choices=tie_break_choices(TieBreak.WARRIORS, TieBreak.EXTRA_TURNS),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        rules: MatchRules,
        side: str,
        opponent: str,
        initial: Mapping[str, Any] | None = None,
        another: bool = False,
    ) -> None:
        """Keep only the fields that a match under these rules can have."""
        values = dict((initial or {}).items())
        super().__init__(data, rules=rules, initial=values, auto_id="%s")
        self.side, self.opponent = side, opponent
        self.fields["ended"].choices = [("", ""), *((key, key) for key in self.ends)]  # type: ignore[attr-defined]
        if not rules.by_points:
            for name in (*OF_POINTS, "tie_break"):
                del self.fields[name]
            self._ask_games(data or self.initial, another)
            return
        del self.fields["preset"]
        if not rules.by_promotion:
            for name in ("battle_own", "battle_other", "winner", "tie_break"):
                del self.fields[name]
            self._label_points(gettext("Points"), opponent)
            return
        self._label_points(gettext("Promotion points"), opponent)
        self.fields["battle_other"].label = opponent
        winners = [("", "–"), ("own", gettext("You")), ("other", opponent)]
        if rules.draws:
            winners.append(("draw", gettext("A draw")))
            del self.fields["tie_break"]
        self.fields["winner"].choices = winners  # type: ignore[attr-defined]

    def _label_points(self, points: str, opponent: str) -> None:
        for name, who in (("own", gettext("You")), ("other", opponent)):
            self.fields[name].label = f"{points}: {who}"

    def _ask_games(self, sent: Mapping[str, Any], another: bool) -> None:
        """Add a field for each game: at least the regular ones, and all submitted ones."""
        last = max((n for n in range(1, LONGEST + 1) if f"game_{n}" in sent), default=0)
        rows = max(self.rules.best_of, 2, min(last + another, LONGEST))
        choices = [("own", _("I won")), ("other", _("I lost")), ("draw", _("A draw"))]
        for number in range(1, rows + 1):
            self.fields[f"game_{number}"] = forms.ChoiceField(
                label=gettext("Game %(number)s") % {"number": number},
                required=False,
                choices=[*choices, ("", "–")],
                widget=forms.RadioSelect,
            )

    @property
    def ends(self) -> tuple[str, ...]:
        """Return the kinds of ending that players may report under these rules.

        In a best-of-n match a lack of warriors loses the game, not the match.
        """
        left_out = set() if self.rules.draws or self.rules.timed else {"time"}
        if not self.rules.by_promotion:
            left_out |= {"own_no_warriors", "other_no_warriors"}
        return tuple(key for key in ENDS if key not in left_out)

    @property
    def opponent_concedes(self) -> str:
        """Return the label of the opponent's concession."""
        return ending_text(MatchEnding.CONCESSION, self.opponent)

    @property
    def opponent_lacks_warriors(self) -> str:
        """Return the label of the opponent's lack of warriors."""
        return ending_text(MatchEnding.NO_WARRIORS, self.opponent)

    @property
    def games(self) -> list[BoundField]:
        """Return the fields of the games in order."""
        return [self[name] for name in self.fields if name.startswith("game_")]

    @property
    def sent(self) -> list[tuple[str, object]]:
        """Return the submitted names and values, to be sent again after confirmation."""
        return [(field.name, value) for field in self if (value := field.value())]

    def read_claim(self) -> Claim:
        """Return the result in the fields as claimed by the player."""
        if self.cleaned_data.get("preset"):
            return claim_from_side(self.side, self._preset_claim(self.cleaned_data["preset"]))
        ended_by, winner = ENDS.get(self.cleaned_data["ended"], (None, None))
        named = WINNERS.get(self.cleaned_data.get("winner", ""))
        if winner and named not in (None, winner):
            problem = gettext_noop("This result isn’t valid for this match.")
            raise impossible_result_error(self.rules, problem)
        tie_break = self.cleaned_data.get("tie_break")
        claim = Claim(
            games=self._games_sent(),
            winner=winner or named,
            ended_by=ended_by or (MatchEnding.TIME if tie_break and named else None),
            tie_break=TieBreak(tie_break) if tie_break else None,
        )
        if not self.rules.by_points and not (claim.games or winner):
            raise impossible_result_error(self.rules, "Choose one of the options.")
        seen = self.read_points(("own", "other"), ("battle_own", "battle_other"), claim)
        return claim_from_side(self.side, seen)

    def _preset_claim(self, key: str) -> Claim:
        known = {preset.key: preset.claim for preset in result_presets(self.rules)}
        if key not in known:
            raise impossible_result_error(self.rules, "Choose one of the options.")
        return known[key]

    def _games_sent(self) -> tuple[str, ...] | None:
        """Return the results of the games with the player as a, None if none are given."""
        chosen = [self.cleaned_data[field.name] for field in self.games]
        while chosen and not chosen[-1]:
            chosen.pop()
        if "" in chosen:
            problem = gettext_noop("Game %(number)s is missing.")
            raise impossible_result_error(self.rules, problem, number=chosen.index("") + 1)
        return tuple(GAMES[each] for each in chosen) or None
