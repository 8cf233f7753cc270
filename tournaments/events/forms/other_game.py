"""The form of a new event of a game that did not come with the program.

Its first fields make a format of a game of one's own: the game, whether there are lists, what a
result consists of, and points. Ready-made rules fill them in.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import add_refusal, translate
from decks.models import HouseFormat
from decks.own_formats.selectors import games_used
from decks.own_formats.services import OwnFormat
from rules.deckbuilding.data.files import ReadyMade, ready_made
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import rules_from_json, rules_to_json, written_score
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import Play
from rules.errors import BadInput
from rules.names import name_key
from rules.numbers import number_in_json
from tournaments.core.formulas import worth_in_columns
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.table_points import POINTS
from tournaments.models import Event

Lists = HouseFormat.Lists
USUAL_GAMES = 3
"""Games of a match if nothing says how many."""
OPEN_CARDS = 4
"""Ready-made rules that are seen at once."""


class OtherGameForm(EventForm):
    """The settings of a new event, and the game that it is of.

    ``ready`` are the ready-made rules chosen above the form, whose zones and copies count lists.
    """

    asks_game = True
    game = forms.CharField(label=_("Game"), max_length=80)
    format_name = forms.CharField(label=_("Name of the format"), max_length=80, required=False)
    lists = forms.ChoiceField(
        label=_("Decklists"),
        choices=[
            (Lists.OFF, _("No decklists")),
            (Lists.COLLECTED, _("Collected as they are")),
            (Lists.COUNTED, _("Counted by rules")),
        ],
        widget=forms.RadioSelect,
    )
    score = forms.ChoiceField(
        label=_("What a result says"),
        choices=[
            ("none", _("Who wins")),
            ("games", _("Games, such as 2–1")),
            ("points", _("Points, such as 40–22")),
        ],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, ready: ReadyMade | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ready = ready
        self.content: OwnFormat | None = None
        self.fields["format"] = forms.ChoiceField(
            choices=[("", "")], required=False, widget=forms.HiddenInput
        )
        self.fields.pop("cards", None)
        self.fields["decklists"].required = False
        self.fields["game"].widget.attrs |= {"list": "games", "autocomplete": "off"}

    @property
    def games(self) -> tuple[str, ...]:
        """Return the names of games to complete with; one query."""
        names = (*games_used(), *(gettext(one.game) for one in ready_made() if one.game))
        return tuple({name_key(name): name for name in reversed(names)}.values())[::-1]

    @property
    def formula_words(self) -> str:
        formula = self.offered.get(self.chosen)
        return translate(formula.label) if formula else ""

    def clean(self) -> dict[str, Any]:
        """Make the content of the format, naming what is wrong at its field."""
        values = super().clean()
        if self.errors:
            return values
        if values["lists"] == Lists.COUNTED and self.ready is None:
            self.add_error(
                "lists",
                gettext("Choose ready-made rules below: they say what is counted."),
            )
            return values
        self.content = self._content(values)
        try:
            self.content.checked()
        except BadInput as refused:
            add_refusal(self, refused, {"name": "format_name", "standings.points": "points_win"})
        return values

    def values(self) -> dict[str, Any]:
        """Return the settings of a valid form; the format is not made yet."""
        values = super().values()
        del values["format"]
        lists = self.cleaned_data["lists"]
        values["decklists"] = (
            Event.Decklists.OFF
            if lists == Lists.OFF
            else values["decklists"] or Event.Decklists.REQUIRED
        )
        return values

    def play(self) -> Play | None:
        """Return how matches of the game are played, as the form says now."""
        score = str(self["score"].value() or "games")
        rules = {"zones": [{"key": "list"}], "match": self._match(score)}
        return format_of(
            rules_from_json(rules), key="new", game="new", game_name="–", name="–"
        ).match

    def _match(self, score: str) -> dict[str, object]:
        """Return how a match is played; as the ready-made rules have it if their results agree."""
        if self.ready is not None and written_score(self.ready.rules.match) == score:
            match = self.ready.rules.match
            target = match.target
            return {
                "best_of": match.best_of,
                "final_best_of": match.final_best_of,
                "score": score,
                "draws": match.draws,
            } | ({} if target is None else {"target": target})
        games = USUAL_GAMES if score == "games" else 1
        return {"best_of": games, "final_best_of": games, "score": score}

    def _content(self, values: Mapping[str, Any]) -> OwnFormat:
        begun: dict[str, Any] = {} if self.ready is None else dict(rules_to_json(self.ready.rules))
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
        game = values["game"]
        return OwnFormat(
            game=game,
            name=values["format_name"] or game,
            lists=values["lists"],
            rules=begun | {"match": match, "standings": standings},
        )


def ready_cards(
    game: str, chosen: ReadyMade | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the ready-made rules that stand open, and the others.

    Those chosen come first, then those of a game called like this, then the game without lists.

    Ready-made rules to choose: ``about`` says in a line what is counted.
    """
    wanted = name_key(game)
    order = sorted(
        (one for one in ready_made() if one.offered or one == chosen),
        key=lambda one: (
            one != chosen,
            not (wanted and name_key(one.game).startswith(wanted)),
            bool(one.source),
        ),
    )
    cards = [
        {
            "key": one.key,
            "label": _label(one),
            "about": " · ".join(_about(one)),
            "dated": one.dated if one.source else None,
        }
        for one in order
    ]
    return cards[:OPEN_CARDS], cards[OPEN_CARDS:]


def _label(one: ReadyMade) -> str:
    if not one.game:
        return gettext("Any game without decklists")
    return gettext(one.name) if one.game == one.name else f"{one.game} · {one.name}"


def _about(one: ReadyMade) -> Iterator[str]:
    yield from _counted(one)
    if one.as_usual:
        yield gettext("tiebreakers as usual in the field")


def _counted(one: ReadyMade) -> Iterator[str]:
    if one.lists != Lists.COUNTED:
        yield gettext("no decklists") if one.lists == Lists.OFF else gettext("decklists collected")
        return
    for zone in one.rules.zones:
        least, most = zone.minimum, zone.maximum
        size = f"{least}+" if most is None else str(most) if least == most else f"{least}–{most}"
        yield f"{zone.words[0]} {size}"
    if one.rules.copies.most is not None:
        yield gettext("copies: %(most)s") % {"most": one.rules.copies.most}


def ready_initial(ready: ReadyMade | None) -> dict[str, Any]:
    """Return what ready-made rules fill into the form; without them a game without lists."""
    if ready is None:
        return {"lists": Lists.OFF, "score": "none"}
    return {
        "game": gettext(ready.game) if ready.game else "",
        "format_name": "" if ready.name == ready.game or not ready.game else ready.name,
        "lists": ready.lists,
        "score": written_score(ready.rules.match),
    }


def ready_settings(ready: ReadyMade | None) -> dict[str, Any]:
    return {} if ready is None else _settings_of(ready.rules)


def _settings_of(rules: FormatRules) -> dict[str, Any]:
    found: dict[str, Any] = worth_in_columns(*rules.standings.points)
    found["criteria"] = list(rules.standings.criteria)
    return found | ({} if rules.match.minutes is None else {"minutes": rules.match.minutes})
