"""The form of the rules of a game of one's own: what it holds is read as JSON of such rules."""

from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.criteria_fields import CriteriaFields, criteria_initial
from config.looks import COLOURS, DRAWN, drawing
from decks.house_formats.forms import Group
from decks.models import FormatContent
from decks.own_formats.forms.rows import PARTS, RowFields
from decks.own_formats.forms.written import (
    limit_of,
    lines,
    lines_of,
    pair_line,
    pair_of,
    share_of,
)
from decks.own_formats.services import OwnFormat
from rules.deckbuilding.data.json import GAMES
from rules.deckbuilding.data.rules import CountedBy
from rules.deckbuilding.looks import EMBLEMS, PALETTES, Look
from rules.point_parts import points_as_text, points_in_json, read_points

POINTS = ("win", "draw", "loss")
CARD_LISTS = ("banned", "limited", "semi_limited")
WRITTEN = ("unlimited", "own", *CARD_LISTS, "excluded_together", "not_checked")
SHARES = ("floor", "draw_share")
BYES = {"bye_games": 0, "byes_left_out": False}
LOOK = asdict(Look())
MATCH = ("best_of", "final_best_of", "score", "target", "draws", "minutes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Cards one a line: the field, and how many lines it shows."""

    field: BoundField
    lines: int


class RulesForm(RowFields, CriteriaFields):
    """The rules of a game of one's own; ``content`` returns them, ``text`` is a list to try.

    Ready-made orders of criteria are not offered: they are called after other games. ``columns``
    are the formats of which the game's catalogue says where cards are legal, None without one.
    """

    offers_presets = False
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    game = forms.CharField(label=gettext_lazy("Game"), max_length=80)
    name = forms.CharField(label=gettext_lazy("Name of the format"), max_length=80)
    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"), choices=FormatContent.Lists, widget=forms.RadioSelect
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies of a card at most"),
        required=False,
        widget=forms.NumberInput(attrs={"placeholder": "–"}),
    )
    by = forms.ChoiceField(
        label=gettext_lazy("told by"),
        choices=[
            (CountedBy.NAME, gettext_lazy("name")),
            (CountedBy.NUMBER, gettext_lazy("number")),
            (CountedBy.NAME_AND_VERSION, gettext_lazy("name and version")),
        ],
    )
    over = forms.ChoiceField(
        label=gettext_lazy("counted in"),
        choices=[
            ("all", gettext_lazy("all zones together")),
            ("each", gettext_lazy("each zone by itself")),
        ],
    )
    unlimited = lines(gettext_lazy("Cards without limit"), gettext_lazy("One card a line."))
    own = lines(
        gettext_lazy("Cards with a limit of their own"),
        gettext_lazy("One a line, such as “Seven Dwarves: 7”."),
    )
    banned = lines(gettext_lazy("Banned cards"))
    limited = lines(gettext_lazy("One copy at most"))
    semi_limited = lines(gettext_lazy("Two copies at most"))
    excluded_together = lines(
        gettext_lazy("Cards that exclude each other"),
        gettext_lazy("Two cards a line, such as “Cat + Mouse”."),
    )
    legal_in = forms.CharField(
        label=gettext_lazy("Legal in"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"list": "legal-in", "autocomplete": "off"}),
    )
    not_checked = lines(
        gettext_lazy("Not checked"),
        gettext_lazy("What these rules leave out, such as colours: every verdict says it."),
    )
    score = forms.ChoiceField(
        label=gettext_lazy("What a result says"),
        choices=[
            ("none", gettext_lazy("Who wins")),
            ("games", gettext_lazy("Games, such as 2–1")),
            ("points", gettext_lazy("Points, such as 40–22")),
        ],
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Best of"), choices=[(n, n) for n in GAMES], coerce=int
    )
    final_best_of = forms.TypedChoiceField(
        label=gettext_lazy("Final: best of"), choices=[(n, n) for n in GAMES], coerce=int
    )
    target = forms.IntegerField(label=gettext_lazy("Points that end a game"), required=False)
    minutes = forms.IntegerField(label=gettext_lazy("Minutes a round"), required=False)
    draws = forms.BooleanField(label=gettext_lazy("A match may be drawn"), required=False)
    win = forms.CharField(label=gettext_lazy("Win"), max_length=8)
    draw = forms.CharField(label=gettext_lazy("Drawn match"), max_length=8)
    loss = forms.CharField(label=gettext_lazy("Loss"), max_length=8)
    floor = forms.CharField(
        label=gettext_lazy("Least share"),
        max_length=9,
        help_text=gettext_lazy("Of opponents’ wins, such as 1/3 or 25 %."),
    )
    draw_share = forms.CharField(
        label=gettext_lazy("A draw counts there"),
        max_length=9,
        help_text=gettext_lazy("Of a won match, such as 1/3 or 1/2."),
    )
    bye_games = forms.IntegerField(
        label=gettext_lazy("Games that a bye counts as won"),
        required=False,
        help_text=gettext_lazy("In shares of games; 0 for none."),
    )
    byes_left_out = forms.BooleanField(
        label=gettext_lazy("A bye is no match in shares of wins"), required=False
    )
    dropped_cap = forms.CharField(
        label=gettext_lazy("Most share of a player who dropped"),
        max_length=9,
        required=False,
        help_text=gettext_lazy("Of matches won, such as 3/4 or 75 %. Empty: no limit."),
    )
    palette = forms.ChoiceField(
        label=gettext_lazy("Colours"),
        choices=[(key, COLOURS[key]) for key in PALETTES],
        widget=forms.RadioSelect,
    )
    emblem = forms.ChoiceField(
        label=gettext_lazy("Emblem"),
        choices=[(key, format_html("{} {}", drawing(key), DRAWN[key])) for key in EMBLEMS],
        widget=forms.RadioSelect,
    )
    text = lines(gettext_lazy("Try a list"), gettext_lazy("It is not stored."))

    def __init__(
        self, *args: Any, present: FormatContent, columns: tuple[str, ...] | None, **kwargs: Any
    ) -> None:
        self.columns = columns
        self.rules: dict[str, Any] = deepcopy(present.rules or {})
        kwargs["initial"] = self._initial(present) | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.fields["legal_in"].help_text = _legality_help(columns)
        self.add_rows()
        self.add_criteria()

    def _initial(self, present: FormatContent) -> dict[str, Any]:
        rules = self.rules
        copies, match, standings = rules["copies"], rules["match"], rules["standings"]
        return (
            {"game": present.game, "name": present.name, "lists": present.lists}
            | {"version": present.version, "copies": copies["max"]}
            | {key: copies[key] for key in ("by", "over")}
            | {key: "\n".join(rules["card_lists"].get(key, ())) for key in CARD_LISTS}
            | {"unlimited": "\n".join(copies["unlimited"])}
            | {"own": "\n".join(f"{name}: {most}" for name, most in copies["own"].items())}
            | {"excluded_together": "\n".join(map(pair_line, rules["excluded_together"]))}
            | {"not_checked": "\n".join(rules["not_checked"]), "legal_in": rules["legal_in"]}
            | dict(match)
            | {key: points_as_text(read_points(str(standings["points"][key]))) for key in POINTS}
            | {key: standings[key] for key in SHARES}
            | {key: standings.get(key, usual) for key, usual in BYES.items()}
            | {"dropped_cap": standings.get("dropped_cap", "")}
            | criteria_initial(standings["criteria"], at_tables=False)
            | {key: rules.get("look", {}).get(key, usual) for key, usual in LOOK.items()}
        )

    def rows(self) -> dict[str, tuple[list[Group], list[Group]]]:
        """Return the rows of each part: those that are filled, and the empty ones."""
        shown = {}
        for part in PARTS:
            groups, filled = self.groups(part), len(self.rules[part])
            shown[part] = (groups[:filled], groups[filled:])
        return shown

    def copies_written(self) -> list[Written]:
        """Return the cards without limit, and with one of their own."""
        return self._written("unlimited", "own")

    def lists_written(self) -> list[Written]:
        """Return banned and limited cards, pairs, and what is not checked."""
        return self._written(*CARD_LISTS, "excluded_together", "not_checked")

    def _written(self, *names: str) -> list[Written]:
        return [
            Written(field=self[name], lines=len(lines_of(str(self[name].value() or ""))))
            for name in names
        ]

    def clean(self) -> dict[str, Any]:
        """Check the order of the criteria."""
        values = super().clean() or {}
        self.check_criteria(values)
        return values

    def content(self) -> OwnFormat:
        """Return what a valid form holds. Raises BadInput ``invalid_rules``, ``bad_points``."""
        values = self.cleaned_data
        return OwnFormat(
            game=values["game"],
            name=values["name"],
            lists=values["lists"],
            rules=self._rules_typed(),
        )

    def _rules_typed(self) -> dict[str, Any]:
        values = self.cleaned_data
        typed = {key: lines_of(values[key]) for key in WRITTEN}
        return (
            self.rules
            | {part: self.typed(part) for part in PARTS}
            | {
                "copies": {
                    "max": values["copies"],
                    "by": values["by"],
                    "over": values["over"],
                    "unlimited": typed["unlimited"],
                    "own": dict(map(limit_of, typed["own"])),
                },
                "card_lists": {key: typed[key] for key in CARD_LISTS},
                "excluded_together": list(map(pair_of, typed["excluded_together"])),
                "legal_in": values["legal_in"] or None,
                "not_checked": typed["not_checked"],
                "match": {name: values[name] for name in MATCH},
                "standings": {
                    "points": {key: points_in_json(read_points(values[key])) for key in POINTS},
                    "criteria": self.criteria_in(values),
                    **{key: share_of(values[key]) for key in SHARES},
                    **{key: values[key] or usual for key, usual in BYES.items()},
                    "dropped_cap": share_of(cap) if (cap := values["dropped_cap"]) else None,
                },
                "look": {key: values[key] for key in LOOK},
            }
        )

    def field_of(self, path: str) -> str:
        """Return the field of a path of the rules; call it on a valid form."""
        row = self.row_field(path)
        if row is not None:
            return row
        last = path.partition("[")[0].rpartition(".")[2]
        if path.startswith("copies.own"):
            return "own"
        if path.startswith("standings.points"):
            return last if last in POINTS else "win"
        return {"max": "copies", "zones": "zone_0_name"}.get(last, last)


def _legality_help(columns: tuple[str, ...] | None) -> str:
    if columns is None:
        return _("As the card catalogue says it. No cards of this game are known yet.")
    if not columns:
        return _("As the card catalogue says it. The one of this game does not.")
    return _("As the card catalogue says it: %(formats)s.") % {"formats": ", ".join(columns)}
