"""A penalty in four taps: who, for what, and the usual next step, of a table being played."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import translate
from rules.events.infractions import INFRACTIONS, same_words, usual_step
from rules.events.penalties import PastPenalty
from tournaments.core.forms import needed_sometimes
from tournaments.core.leaders import has_decks
from tournaments.judging.forms import note_field
from tournaments.models import Entry, Match, Penalty
from tournaments.penalties.selectors import PenaltyRow, penalties_at

Level = Penalty.Level
OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offender:
    """A player of the table: earlier penalties, and the usual step for each reason as JSON."""

    entry: Entry
    past: tuple[PenaltyRow, ...]
    steps: dict[str, str]

    @property
    def steps_json(self) -> str:
        """Return the usual steps for the script of the page."""
        return json.dumps(self.steps)


def offenders(match: Match, *, disqualifies: bool) -> tuple[Offender, ...]:
    """Return the players of a loaded match; one query.

    ``disqualifies`` says whether the acting judge may go as far as a disqualification.
    """
    players, event = match.players, match.round.event
    rows, decks = penalties_at(players, event), has_decks(event)
    known = _in_any_language()
    highest = Level.DISQUALIFICATION if disqualifies else Level.MATCH_LOSS
    found = []
    for entry in players:
        own = tuple(row for row in rows if row.penalty.entry_id == entry.pk)
        past = same_words(
            [PastPenalty(row.penalty.level, row.penalty.infraction) for row in reversed(own)], known
        )
        steps = {
            each.key: usual_step(past, each, words=translate(each.label), highest=highest)
            for each in INFRACTIONS
            if decks or not each.of_decks
        }
        found.append(Offender(entry=entry, past=own, steps=steps))
    return tuple(found)


def _in_any_language() -> dict[str, str]:
    """Return the label of each usual infraction in the reader's language, by that in any other."""
    here = {each.key: translate(each.label) for each in INFRACTIONS}
    known: dict[str, str] = {}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            known |= {translate(each.label): here[each.key] for each in INFRACTIONS}
    return known


class TablePenaltyForm(forms.Form):
    """A penalty of one of a table's players, for a usual reason or in other words."""

    number = forms.TypedChoiceField(
        label=gettext_lazy("To whom"), coerce=int, widget=forms.RadioSelect
    )
    reason = forms.ChoiceField(label=gettext_lazy("For what"), widget=forms.RadioSelect)
    words = needed_sometimes(
        forms.CharField(
            label=gettext_lazy("In your own words"),
            max_length=200,
            required=False,
            help_text=gettext_lazy("The player reads this."),
        )
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Which one"), choices=Level, widget=forms.RadioSelect
    )
    note = note_field()

    def __init__(
        self, *args: Any, players: Sequence[Offender], disqualifies: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        usual = {key for each in players for key in each.steps}
        fields["number"].choices = [
            (each.entry.number, each.entry.display_name) for each in players
        ]
        fields["reason"].choices = [
            *((each.key, translate(each.label)) for each in INFRACTIONS if each.key in usual),
            (OTHER, _("Something else")),
        ]
        if not disqualifies:
            fields["level"].choices = [
                (key, label) for key, label in Level.choices if key != Level.DISQUALIFICATION
            ]

    def clean(self) -> dict[str, Any]:
        """Require a text for the reason "other", and keep the text that the player will read."""
        values = super().clean() or {}
        reason, words = values.get("reason"), values.get("words", "").strip()
        if reason == OTHER and not words and "words" not in self.errors:
            self.add_error("words", _("Write what happened: the player reads it."))
        labels = {each.key: each.label for each in INFRACTIONS}
        values["infraction"] = translate(labels[reason]) if reason in labels else words
        return values
