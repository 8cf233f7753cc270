"""The form of a new event: what is played, which may be a game that did not come with the program.

Of such a game the event gets a format of one's own, by ready-made rules or by none.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import add_refusal
from decks.models import HouseFormat
from decks.own_formats.services import OwnFormat
from rules.deckbuilding.data.files import ReadyMade, ready_made
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import rules_from_json, rules_to_json, written_score
from rules.deckbuilding.formats import Play
from rules.errors import BadInput
from rules.numbers import number_in_json
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.table_points import POINTS
from tournaments.events.selectors.games import Choice, counted_by
from tournaments.models import Event

Lists = HouseFormat.Lists
USUAL_GAMES = 3
"""Games of a match if nothing says how many."""
MOST_EXPECTED = 1_000


class NewEventForm(EventForm):
    """The settings of a new event.

    ``choice`` is what is played. Without a format that is here ``content`` is the one to make, once
    the form is valid.
    """

    expected = forms.IntegerField(
        label=_("Expected players"), min_value=1, max_value=MOST_EXPECTED, required=False
    )
    game = forms.CharField(label=_("Game"), max_length=80, widget=forms.HiddenInput)
    format_name = forms.CharField(label=_("Name of the format"), max_length=80, required=False)
    ready = forms.ChoiceField(label=_("Decklists counted as in"), required=False)
    score = forms.ChoiceField(
        label=_("What a result says"),
        choices=[
            ("none", _("Who wins")),
            ("games", _("Games, such as 2–1")),
            ("points", _("Points, such as 40–22")),
        ],
    )

    def __init__(self, *args: Any, choice: Choice, **kwargs: Any) -> None:
        self.choice = choice
        self.content: OwnFormat | None = None
        super().__init__(*args, **kwargs)
        if choice.is_sanctioned:
            self.in_sight = ("paired_elsewhere",)
            self.fields["paired_elsewhere"].widget.attrs["form"] = "event-form"
            self.fields["paired_elsewhere"].help_text = gettext(
                "Sanctioned event? Pair in TOM and paste the pairings here."
            )
        if choice.slug:
            self.fields["format"].widget = forms.HiddenInput()
            for name in ("game", "format_name", "ready", "score"):
                del self.fields[name]
            return
        del self.fields["format"]
        self.fields.pop("cards", None)
        self.fields["game"].error_messages["required"] = gettext("Choose a game, or type its name.")
        self.fields["ready"] = forms.ChoiceField(
            label=self.fields["ready"].label,
            choices=[("", gettext("no rules")), *counted_by(), *self._chosen_rules()],
            required=False,
        )

    def _chosen_rules(self) -> list[tuple[str, str]]:
        known = dict(counted_by())
        return [(one.key, one.name) for one in ready_made() if one.key not in known]

    @property
    def rules(self) -> ReadyMade | None:
        """Return the ready-made rules that are chosen now."""
        key = self["ready"].value()
        return next((one for one in ready_made() if one.key == key), None)

    def clean(self) -> dict[str, Any]:
        """Make the content of the format, naming what is wrong at its field."""
        values = super().clean()
        if "game" not in self.fields or self.errors:
            return values
        self.content = self._content(values)
        try:
            self.content.checked()
        except BadInput as refused:
            add_refusal(self, refused, {"name": "format_name", "standings.points": "points_win"})
        return values

    def play(self) -> Play | None:
        """Return how matches are played, as the form says now."""
        if "score" not in self.fields:
            return super().play()
        rules = {"zones": [{"key": "list"}], "match": self._match(str(self["score"].value()))}
        try:
            made = format_of(rules_from_json(rules), key="new", game="new", game_name="–", name="–")
        except BadInput:
            return None
        return made.match

    def _match(self, score: str) -> dict[str, object]:
        """Return how a match is played; as the ready-made rules have it if their results agree."""
        if self.rules is not None and written_score(self.rules.rules.match) == score:
            match = self.rules.rules.match
            return {
                "best_of": match.best_of,
                "final_best_of": match.final_best_of,
                "score": score,
                "draws": match.draws,
            } | ({} if match.target is None else {"target": match.target})
        games = USUAL_GAMES if score == "games" else 1
        return {"best_of": games, "final_best_of": games, "score": score}

    def _content(self, values: Mapping[str, Any]) -> OwnFormat:
        ready = self.rules
        begun: dict[str, Any] = {} if ready is None else dict(rules_to_json(ready.rules))
        standings = dict(begun.get("standings", {}))
        if not self.at_tables:  # those of places are the event's own
            keys = ("win", "draw", "loss")
            standings |= {
                "points": {
                    key: number_in_json(values[name])
                    for key, name in zip(keys, POINTS, strict=True)
                },
                "criteria": self.criteria_in(values),
            }
        match = self._match(values["score"]) | {"minutes": values["minutes"]}
        return OwnFormat(
            game=values["game"],
            name=values["format_name"] or values["game"],
            lists=self._lists(values["decklists"]),
            rules=begun | {"match": match, "standings": standings},
        )

    def _lists(self, decklists: str) -> str:
        """Return whether the format has lists: rules that count them do, collected or not."""
        if self.rules is not None and self.rules.lists == Lists.COUNTED:
            return Lists.COUNTED
        return Lists.OFF if decklists == Event.Decklists.OFF else Lists.COLLECTED


def choice_initial(choice: Choice) -> dict[str, Any]:
    """Return what a choice fills into the fields of a game without a format that is here."""
    ready = choice.ready
    named = ready is not None and ready.game and ready.name != ready.game
    return {
        "format": choice.slug,
        "game": choice.name,
        "format_name": ready.name if ready and named else "",
        "ready": ready.key if ready else "",
        "score": written_score(ready.rules.match) if ready else "none",
    }
