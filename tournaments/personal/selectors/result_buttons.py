"""The results that a player reports by one tap."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.matches.match_rules import MatchRules, presets
from rules.matches.settling import settle
from rules.results import EndedBy, Outcome, Winner
from tournaments.core.labels import ending_label, is_agreed_draw
from tournaments.matches.words import score_for_side


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """One result to report: ``key`` of the preset, its label and details."""

    key: str
    words: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Buttons:
    """Results of one kind (won, lost, drawn); single games have one group without label."""

    label: str
    buttons: tuple[Button, ...]


def result_buttons(rules: MatchRules) -> tuple[Buttons, ...]:
    """Return the possible results of a match; empty where promotion points must be typed."""
    labels = {Winner.A: _("I won"), Winner.B: _("I lost"), Winner.DRAW: _("A draw")}
    settled = [(preset.key, settle(rules, preset.claim)) for preset in presets(rules)]
    if rules.best_of == 1:
        one = tuple(
            Button(key=key, words=labels[o.winner or Winner.DRAW], note="") for key, o in settled
        )
        return (Buttons(label="", buttons=one),) if one else ()
    groups = {
        label: tuple(
            Button(key=key, words=score_for_side(outcome, "a"), note=_note(outcome))
            for key, outcome in settled
            if outcome.winner is winner
        )
        for winner, label in labels.items()
    }
    return tuple(Buttons(label=label, buttons=found) for label, found in groups.items() if found)


def _note(outcome: Outcome) -> str:
    if is_agreed_draw(outcome.games_won):
        return _("agreed draw")
    if outcome.games_won and outcome.games_won[2]:
        return _("drawn games: %(number)s") % {"number": outcome.games_won[2]}
    return ending_label(outcome.ended_by) if outcome.ended_by is EndedBy.TIME else ""
