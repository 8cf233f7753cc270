"""Forms of a result entered at the desk: on one line, or field by field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import error_message
from rules.errors import BadInput, RuleError
from rules.matches.match_rules import (
    LARGEST_SCORE,
    Claim,
    MatchRules,
    add_battle_cards,
    result_presets,
    totals_with_battle_cards,
)
from rules.matches.settling import resolve_claim
from rules.matches.shorthand import parse_shorthand
from rules.results import SEAT_WINNERS, MatchEnding, Outcome, Points, TieBreak, Winner
from tournaments.core.labels import (
    ENDINGS,
    TIE_BREAK_CHOICES,
    ending_text,
    intentional_draw_label,
    is_intentional_draw,
    outcome_label,
)
from tournaments.core.mapping import report_from_outcome, report_games
from tournaments.matches.words import SWAPPED, result_with_names
from tournaments.models import Report

OTHER = "other"
"""The pick that leaves the result to the fields."""
_ENDINGS = {
    "absent": MatchEnding.NO_SHOW,
    "concedes": MatchEnding.CONCESSION,
    "warriors": MatchEnding.NO_WARRIORS,
}
WITH_REASON = ("both", "wins_a", "wins_b", "void")
"""Picks that are decisions of the staff and need a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultButton:
    """A button that enters a result: submitted ``value``, label ``words``, result as text.

    ``worth`` are the standings points of both players, "" in a knock-out.
    """

    value: str
    words: str
    says: str
    worth: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultButtons:
    """The staff's result buttons for a two-player match; ``rare`` ones are folded away.

    ``a`` and ``b`` are wins of each player, ``unplayed`` are endings without play such as no-shows.
    """

    a: tuple[ResultButton, ...]
    b: tuple[ResultButton, ...]
    draws: tuple[ResultButton, ...]
    unplayed: tuple[ResultButton, ...]
    rare: tuple[ResultButton, ...]


def claim_from_button(pick: str, rules: MatchRules, note: str) -> Claim:
    """Return the result that a button stands for, as claimed by the staff.

    ``pick`` is the button's value, ``note`` the reason. Raises BadInput ``impossible_result``.
    """
    for preset in result_presets(rules):
        if preset.key == pick:
            return replace(preset.claim, note=note, by_staff=True)
    kind, _sep, side = pick.partition("_")
    if kind in _ENDINGS and side in SEAT_WINNERS:
        ended = Claim(winner=SWAPPED[Winner(side)], ended_by=_ENDINGS[kind])
        return replace(ended, note=note, by_staff=True)
    struck = {"absent_both": Winner.NONE, "both": Winner.NONE, "void": Winner.VOID}
    if pick in struck:
        return Claim(winner=struck[pick], note=note, by_staff=True)
    if kind == "wins" and side in SEAT_WINNERS:
        return Claim(winner=Winner(side), note=note, by_staff=True)
    raise BadInput("impossible_result", "Choose one of the options.")


def absent_sides(pick: str) -> str:
    """Return the sides that a button records as no-shows: "", "a", "b" or "ab".

    ``pick`` is the button's value.
    """
    return {"absent_a": "a", "absent_b": "b", "absent_both": "ab"}.get(pick, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _ButtonBuilder:
    """Makes the tiles of one match; ``names`` are its players, a first, ``points`` the event's."""

    rules: MatchRules
    names: tuple[str, str]
    points: Points

    def tile(self, pick: str, words: str, icon: str = "") -> ResultButton:
        """Return the tile of a pick, with the result that it would store in words."""
        outcome = resolve_claim(self.rules, claim_from_button(pick, self.rules, "-"))
        says = result_with_names(report_from_outcome(outcome), *self.names)
        return ResultButton(
            value=pick, words=words, says=says, worth=self._points_in_words(outcome), icon=icon
        )

    def _points_in_words(self, outcome: Outcome) -> str:
        if outcome.winner is Winner.VOID:
            return _("Both players share the place") if self.rules.leads_nowhere else ""
        if not self.rules.draws:
            return ""
        first, second = self.points.by_winner[outcome.winner]
        values = {"a": self.names[0], "b": self.names[1], "first": first, "second": second}
        each = "{a} {first} · {b} {second}".format(**values)
        return _("Points: %(each)s") % {"each": each}


def result_buttons(
    rules: MatchRules, a: str, b: str, points: Points | None = None
) -> ResultButtons:
    """Return the staff's buttons for all results that ``rules`` allow.

    ``a`` and ``b`` are the players' names. A win has the winner's games first: "2–1" for either.
    ``points`` are the standings points for a win, draw and loss.
    """
    builder = _ButtonBuilder(rules=rules, names=(a, b), points=points or Points())
    wins: dict[str, list[ResultButton]] = {"a": [], "b": [], "": []}
    for preset in result_presets(rules):
        first, second, *drawn = preset.key.split("-")
        lead = int(first) - int(second)
        figures = "–".join((second, first) if lead < 0 else (first, second))
        words = "–".join((figures, *drawn))
        side = "a" if lead > 0 else "b" if lead < 0 else ""
        if not side:
            agreed = drawn and is_intentional_draw((0, 0, int(drawn[0])))
            draw = f"{outcome_label(Winner.DRAW)} {words}"
            words = capfirst(intentional_draw_label()) if agreed else draw
        wins[side].append(builder.tile(preset.key, words))
    return ResultButtons(
        a=tuple(wins["a"]),
        b=tuple(wins["b"]),
        draws=tuple(wins[""]),
        unplayed=tuple(_unplayed_buttons(builder)),
        rare=tuple(_rare_buttons(builder)),
    )


def _unplayed_buttons(builder: _ButtonBuilder) -> Iterator[ResultButton]:
    a, b = builder.names
    for value, words, icon in (
        ("absent_a", ending_text(MatchEnding.NO_SHOW, a), "user-x"),
        ("absent_b", ending_text(MatchEnding.NO_SHOW, b), "user-x"),
        ("concedes_a", ending_text(MatchEnding.CONCESSION, a), "flag"),
        ("concedes_b", ending_text(MatchEnding.CONCESSION, b), "flag"),
        ("absent_both", _("Both absent"), ""),
        ("both", outcome_label(Winner.NONE), ""),
    ):
        yield builder.tile(value, words, icon)
    if builder.rules.leads_nowhere:
        yield builder.tile("void", _("not played"))


def _rare_buttons(builder: _ButtonBuilder) -> Iterator[ResultButton]:
    a, b = builder.names
    found = [
        ("wins_a", _("%(name)s is awarded the win") % {"name": a}),
        ("wins_b", _("%(name)s is awarded the win") % {"name": b}),
    ]
    if builder.rules.score == "promotion":
        found += [
            ("warriors_a", ending_text(MatchEnding.NO_WARRIORS, a)),
            ("warriors_b", ending_text(MatchEnding.NO_WARRIORS, b)),
        ]
    if builder.rules.draws:
        found += [("void", outcome_label(Winner.VOID))]
    for value, words in found:
        yield builder.tile(value, words)


Pair = tuple[str, str]


class ClaimForm(forms.Form):
    """Base of forms for a result, valid only if the match's ``rules`` accept it."""

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
            raise forms.ValidationError(error_message(error)) from error
        return values

    def settled(self, claim: Claim) -> Outcome | None:
        """Return the outcome of a claim; None for one that is accepted and decides nothing."""
        return resolve_claim(self.rules, claim)

    def read_points(self, points: Pair, battle: Pair, claim: Claim) -> Claim:
        """Return the claim with the points of both players, battle cards added."""
        if not self.rules.by_points:
            return claim
        given = [self.cleaned_data[name] for name in points]
        if given.count(None) == 1:
            raise forms.ValidationError(gettext_lazy("Enter the points of both players."))
        in_play = tuple(bool(self.cleaned_data.get(name)) for name in battle)
        if None not in given:
            claim = replace(claim, score=(given[0], given[1]))
        return add_battle_cards(self.rules, claim, (in_play[0], in_play[1]))

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
    """Return a form field for a player's points."""
    attrs = {"inputmode": "numeric", "autocomplete": "off"}
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=LARGEST_SCORE,
        widget=forms.NumberInput(attrs=attrs),
    )


def tie_break_choices(*tie_breaks: TieBreak) -> list[tuple[str, Any]]:
    """Return form choices for what decided a tie, with an empty one first."""
    none = ("", "–")
    return [none, *((str(key), TIE_BREAK_CHOICES[key]) for key in tie_breaks)]


class QuickForm(forms.Form):
    """Form for a result typed in one line or as two numbers.

    ``version`` is that of the match, ``shown`` the table and players that the page displayed
    (`match_as_shown`).
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
    """Form for a table number with an optional result, for browsers without JavaScript."""

    ordinal = forms.IntegerField(min_value=1)
    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1, max_value=9999)
    text = forms.CharField(max_length=60, required=False)


class ResultForm(ClaimForm):
    """Form for any result that the staff may enter: a button, or fields.

    A button states a whole result; the fields are then ignored.
    """

    pick = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    leaves = forms.BooleanField(label=gettext_lazy("Also drop from the event"), required=False)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    text = forms.CharField(
        label=gettext_lazy("Result"),
        max_length=60,
        required=False,
        help_text="2-1, 1-1-1",
    )
    score_a = points_field()
    score_b = points_field()
    battle_a = forms.BooleanField(required=False)
    battle_b = forms.BooleanField(required=False)
    ended_by = forms.ChoiceField(label=gettext_lazy("How it ended"), required=False)
    winner = forms.ChoiceField(
        label=gettext_lazy("Winner"), required=False, widget=forms.RadioSelect
    )
    tie_break = forms.ChoiceField(
        label=gettext_lazy("Tie broken by"),
        required=False,
        choices=tie_break_choices(*TieBreak),
    )
    note = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        required=False,
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
            keys = ", ".join(preset.key for preset in result_presets(rules))
            words = gettext_lazy(
                "Possible entries: %(keys)s. Or + and the winner of each game, such as +aba."
            )
            self.fields["text"].help_text = words % {"keys": keys}

    def _winner_choices(self, a: str, b: str) -> list[tuple[str, Any]]:
        choices: list[tuple[str, Any]] = [("", gettext_lazy("By the score"))]
        choices += [(Winner.A, a), (Winner.B, b)]
        if self.rules.draws:
            choices += [(Winner.DRAW, gettext_lazy("A draw"))]
        choices += [(Winner.NONE, gettext_lazy("Both lose"))]
        return choices + ([(Winner.VOID, gettext_lazy("Void"))] if self.rules.may_be_void else [])

    def _ending_choices(self) -> list[tuple[str, Any]]:
        left_out = {MatchEnding.BYE, MatchEnding.PLAYED}
        if self.rules.score != "promotion":
            left_out.add(MatchEnding.NO_WARRIORS)
        if not self.rules.may_be_void:
            left_out.add(MatchEnding.VOID)
        shown = [(key, label) for key, label in ENDINGS.items() if key not in left_out]
        return [("", "–"), (MatchEnding.PLAYED, ENDINGS[MatchEnding.PLAYED]), *shown]

    @property
    def tiles(self) -> ResultButtons:
        """Return the tiles of the match."""
        return result_buttons(self.rules, *self.names, self.points)

    @property
    def leaving(self) -> str:
        """Return the sides that did not come and are to be withdrawn: "a", "b", "ab" or none."""
        values = self.cleaned_data
        return absent_sides(values["pick"]) if values["leaves"] else ""

    def read_claim(self) -> Claim:
        """Return the result in the fields as claimed by the staff."""
        values = self.cleaned_data
        pick, note = values["pick"], values["note"].strip()
        reason = pick in WITH_REASON and not (pick == "void" and self.rules.leads_nowhere)
        if reason and not note:
            raise forms.ValidationError(gettext_lazy("Give a reason."))
        if pick not in ("", OTHER):
            return claim_from_button(pick, self.rules, note)
        ended_by = MatchEnding(values["ended_by"]) if values.get("ended_by") else None
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
    """Form for both players' points before battle cards, and who has cards in play."""

    score_a = forms.IntegerField(min_value=0, max_value=LARGEST_SCORE)
    score_b = forms.IntegerField(min_value=0, max_value=LARGEST_SCORE)
    battle_a = forms.BooleanField(required=False)
    battle_b = forms.BooleanField(required=False)
    ended_by = forms.CharField(max_length=20, required=False)

    def words(self, rules: MatchRules) -> str:
        """Return the totals as text."""
        score, changes_leader = battle_card_totals(rules, self.cleaned_data)
        numbers = {"a": score[0], "b": score[1]}
        if changes_leader:
            return gettext_lazy("With battle cards: %(a)s–%(b)s. Enter the winner.") % numbers
        return gettext_lazy("With battle cards: %(a)s–%(b)s.") % numbers


def battle_card_totals(
    rules: MatchRules, values: Mapping[str, Any]
) -> tuple[tuple[int, int], bool]:
    """Return ((a's total, b's total) with battle cards, whether these change the leader).

    ``values`` are those of ``BattleForm``.
    """
    points = (values["score_a"], values["score_b"])
    in_play = (values["battle_a"], values["battle_b"])
    at_time = MatchEnding.TIME if values.get("ended_by") == MatchEnding.TIME else None
    return totals_with_battle_cards(rules, points, in_play, at_time)


def initial_result_values(report: Report) -> dict[str, object]:
    """Return the initial values of ``ResultForm`` for a stored result."""
    games = report_games(report)
    played = report.ended_by in (MatchEnding.PLAYED, MatchEnding.TIME) and not report.tie_break
    return {
        "text": "-".join(map(str, games if games[2] else games[:2])) if games else "",
        "score_a": report.score_a,
        "score_b": report.score_b,
        "ended_by": "" if played else report.ended_by,
        "winner": "" if played else report.winner,
        "tie_break": report.tie_break,
    }
