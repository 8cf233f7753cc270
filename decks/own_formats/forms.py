"""The form of rules of one's own: rows of zones, sums and kinds, and lines of text."""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.criteria_fields import TiebreakerFieldsForm, initial_tiebreaker_positions
from config.looks import COLOURS, emblem_svg
from config.looks import EMBLEMS as DRAWN
from decks.house_formats.forms import FieldGroup, checkboxes_field, flag_field, number_field
from decks.models import FormatContent
from decks.own_formats.services import FormatInput
from rules.deckbuilding.data.json import GAMES, MOST_KINDS, MOST_SUMS, MOST_ZONES
from rules.deckbuilding.data.rules import CopyIdentity
from rules.deckbuilding.formats import EMBLEMS, PALETTES, FormatEmblem
from rules.numbers import format_points, number_to_json, read_points

LONGEST_KEY = 24
_PATH = re.compile(r"(zones|sums|kinds)\[(\d+)\](?:\.(\w+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedRows:
    """A repeated part of the rules' form, such as zones.

    Fields are named ``ROW_0_FIELD``: ``row`` is the prefix, ``fields`` those of each row. There are
    at most ``most`` rows, ``spare`` empty ones after those that are filled.
    """

    row: str
    fields: tuple[str, ...]
    most: int
    spare: int


PARTS = {
    "zones": RepeatedRows(
        row="zone", fields=("name", "min", "max", "or_none"), most=MOST_ZONES, spare=2
    ),
    "sums": RepeatedRows(row="sum", fields=("zones", "min", "max"), most=MOST_SUMS, spare=1),
    "kinds": RepeatedRows(
        row="kind", fields=("name", "zones", "min", "max"), most=MOST_KINDS, spare=2
    ),
}


class RowsForm(forms.Form):
    """Form base with rows of zones, sums and kinds: ``zone_0_name``, ``kind_1_max`` …

    ``rules`` are the stored ones, as JSON. A row without a name, or a sum without content, is
    ignored. Zones are chosen by row number, since a zone just typed has no key yet.
    """

    rules: dict[str, Any]

    def add_rows(self) -> None:
        """Add the rows that are filled, and the empty ones behind them."""
        for part in PARTS:
            for at in range(self._number(part)):
                for name, made in self._row(part, at):
                    self.fields[name] = made

    def _number(self, part: str) -> int:
        return min(len(self.rules[part]) + PARTS[part].spare, PARTS[part].most)

    def _row(self, part: str, at: int) -> Iterator[tuple[str, forms.Field]]:
        row = f"{PARTS[part].row}_{at}"
        stored = self.rules[part][at] if at < len(self.rules[part]) else {}
        if part != "sums":
            named = {"max_length": 80, "required": False, "initial": stored.get("name", "")}
            yield f"{row}_name", forms.CharField(label=_("Name"), **named)
        if part != "zones":
            keys = [zone["key"] for zone in self.rules["zones"]]
            chosen = [str(keys.index(key)) for key in stored.get("zones", ())]
            label = _("Zones") if part == "kinds" else _("Zones together")
            choices = list(self._zone_choices())
            yield (
                f"{row}_zones",
                checkboxes_field(label, choices=choices, required=False, initial=chosen),
            )
        yield f"{row}_min", number_field(_("At least"), stored.get("min"))
        most = number_field(_("At most"), stored.get("max"))
        most.widget.attrs["placeholder"] = "–"
        yield f"{row}_max", most
        if part == "zones":
            yield f"{row}_or_none", flag_field(_("Or no cards"), stored.get("or_none"))

    def _zone_choices(self) -> Iterator[tuple[str, str]]:
        """Yield row and name of each zone that has a name, as typed where something was sent."""
        for at in range(self._number("zones")):
            stored = self.rules["zones"][at]["name"] if at < len(self.rules["zones"]) else ""
            name = self.data.get(f"zone_{at}_name", "") if self.is_bound else stored
            if name.strip():
                yield str(at), name

    def groups(self, part: str) -> list[FieldGroup]:
        """Return the fields of a part by row."""
        words = {
            "zones": _("Zone"),
            "sums": _("Zones together"),
            "kinds": _("Kind"),
        }
        return [
            FieldGroup(label=f"{words[part]} {at + 1}", fields=tuple(self._fields(part, at)))
            for at in range(self._number(part))
        ]

    def _fields(self, part: str, at: int) -> Iterator[BoundField]:
        for name in PARTS[part].fields:
            yield self[f"{PARTS[part].row}_{at}_{name}"]

    def filled(self, part: str) -> list[int]:
        """Return the rows of a part in which a valid form has something that counts."""
        asked = {"zones": ("name",), "sums": ("zones", "min", "max"), "kinds": ("name", "zones")}
        return [
            at
            for at in range(self._number(part))
            if any(self.cleaned_data.get(f"{PARTS[part].row}_{at}_{one}") for one in asked[part])
        ]

    def typed(self, part: str) -> list[dict[str, Any]]:
        """Return the items of a part as JSON; what is stored keeps its key."""
        zones = {str(at): key for at, key in self._keys("zones").items()}
        keys = self._keys(part) if part != "sums" else {}
        found = []
        for at in self.filled(part):
            row = f"{PARTS[part].row}_{at}"
            values = {one: self.cleaned_data[f"{row}_{one}"] for one in PARTS[part].fields}
            item = values | {"min": values["min"] or 0}
            if part != "sums":
                item = {"key": keys[at]} | item
            if part != "zones":
                item["zones"] = [zones[one] for one in values["zones"] if one in zones]
            found.append(item)
        return found

    def _keys(self, part: str) -> dict[int, str]:
        """Return the key of each filled row: the stored one, else one made of its name."""
        stored = self.rules[part]
        taken = {item["key"] for item in stored}
        found = {}
        for at in self.filled(part):
            if at < len(stored):
                found[at] = stored[at]["key"]
                continue
            row = PARTS[part].row
            name = self.cleaned_data[f"{row}_{at}_name"]
            key = slugify(name)[:LONGEST_KEY].strip("-") or f"{row}{at}"
            found[at] = key if key not in taken else f"{key}-{at}"
            taken.add(found[at])
        return found

    def row_field(self, path: str) -> str | None:
        """Return the field of a path such as ``kinds[0].max``, None if it is of no row."""
        found = _PATH.match(path)
        if found is None:
            return None
        part, at, what = found.groups()
        usual = PARTS[part].fields[0]
        row = self.filled(part)[int(at)]
        return f"{PARTS[part].row}_{row}_{what if what in PARTS[part].fields else usual}"


BETWEEN = " + "
"""Stands between two cards that exclude each other."""


def lines_field(label: Any, help_text: Any = "") -> forms.CharField:
    """Return a text field with one entry per line."""
    area = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
    return forms.CharField(
        label=label, help_text=help_text, required=False, max_length=60_000, widget=area
    )


def split_lines(text: str) -> list[str]:
    """Return the non-empty lines of a text, stripped."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def parse_limit(line: str) -> tuple[str, object]:
    """Return (card, limit) of a line "card: 7"; the limit stays text if no number."""
    name, _colon, most = line.rpartition(":")
    return (name.strip() or line), int(most) if most.strip().isdecimal() else most.strip()


def parse_pair(line: str) -> list[str]:
    """Return the cards of a line "card + card", however many there are."""
    return [name.strip() for name in line.split(BETWEEN)]


def format_pair(pair: Iterable[str]) -> str:
    """Return the line "card + card" of a pair."""
    return BETWEEN.join(pair)


def normalise_fraction(typed: str) -> str:
    """Return a typed percentage as the rules read it: "25 %" becomes "1/4".

    Fractions and decimals stay ("1/3", "0.25"), also invalid text.
    """
    text = "".join(typed.split()).replace(",", ".")
    if not text.endswith("%"):
        return text
    try:
        return str(Fraction(text[:-1]) / 100)
    except (ValueError, ZeroDivisionError):
        return text


POINTS = ("win", "draw", "loss")
CARD_LISTS = ("banned", "limited", "semi_limited")
WRITTEN = ("unlimited", "own", *CARD_LISTS, "excluded_together", "not_checked")
SHARES = ("floor", "draw_share")
BYES = {"bye_games": 0, "byes_left_out": False}
LOOK = asdict(FormatEmblem())
MATCH = ("best_of", "final_best_of", "score", "target", "draws", "minutes")


class RulesForm(RowsForm, TiebreakerFieldsForm):
    """Form of a custom game's format: names, deck rules, match settings, points.

    ``content()`` returns the submitted format; the field ``text`` is a list to try. Preset orders
    of tiebreakers are not offered: they are named after other games. ``columns`` are the formats
    whose legality the game's card catalogue knows, None without a catalogue.
    """

    offers_presets = False
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    game = forms.CharField(label=gettext_lazy("Game"), max_length=80)
    name = forms.CharField(label=gettext_lazy("Name of the format"), max_length=80)
    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"), choices=FormatContent.Lists, widget=forms.RadioSelect
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies of each card"),
        required=False,
        widget=forms.NumberInput(attrs={"placeholder": "–"}),
    )
    by = forms.ChoiceField(
        label=gettext_lazy("Count by"),
        choices=[
            (CopyIdentity.NAME, gettext_lazy("Name")),
            (CopyIdentity.NUMBER, gettext_lazy("Number")),
            (CopyIdentity.NAME_AND_VERSION, gettext_lazy("Name and version")),
        ],
    )
    over = forms.ChoiceField(
        label=gettext_lazy("Count in"),
        choices=[
            ("all", gettext_lazy("All zones together")),
            ("each", gettext_lazy("Each zone")),
        ],
    )
    unlimited = lines_field(
        gettext_lazy("Cards without a limit"), gettext_lazy("One card per line.")
    )
    own = lines_field(
        gettext_lazy("Cards with their own limit"),
        gettext_lazy("One per line, such as Seven Dwarves: 7"),
    )
    banned = lines_field(gettext_lazy("Banned cards"))
    limited = lines_field(gettext_lazy("Limited cards"))
    semi_limited = lines_field(gettext_lazy("Semi-limited cards"))
    excluded_together = lines_field(
        gettext_lazy("Cards that exclude each other"),
        gettext_lazy("One pair per line, such as Cat + Mouse"),
    )
    legal_in = forms.CharField(
        label=gettext_lazy("Legal in"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"list": "legal-in", "autocomplete": "off"}),
    )
    not_checked = lines_field(
        gettext_lazy("Not checked"),
        gettext_lazy(
            "Deck rules that the site can’t check, such as colours. Every check result lists them."
        ),
    )
    score = forms.ChoiceField(
        label=gettext_lazy("Result format"),
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
        label=gettext_lazy("Best of (final)"), choices=[(n, n) for n in GAMES], coerce=int
    )
    target = forms.IntegerField(label=gettext_lazy("Points needed to win"), required=False)
    minutes = forms.IntegerField(label=gettext_lazy("Minutes per round"), required=False)
    draws = forms.BooleanField(label=gettext_lazy("Matches can be drawn"), required=False)
    win = forms.CharField(label=gettext_lazy("Win"), max_length=8)
    draw = forms.CharField(label=gettext_lazy("Drawn match"), max_length=8)
    loss = forms.CharField(label=gettext_lazy("Loss"), max_length=8)
    floor = forms.CharField(
        label=gettext_lazy("Opponents’ minimum percentage"),
        max_length=9,
        help_text=gettext_lazy("For example 1/3 or 25%."),
    )
    draw_share = forms.CharField(
        label=gettext_lazy("A draw counts"),
        max_length=9,
        help_text=gettext_lazy("For example 1/3 or 25%."),
    )
    bye_games = forms.IntegerField(
        label=gettext_lazy("Game wins awarded for a bye"),
        required=False,
    )
    byes_left_out = forms.BooleanField(
        label=gettext_lazy("Byes don’t count towards win percentages"), required=False
    )
    dropped_cap = forms.CharField(
        label=gettext_lazy("Maximum win percentage of dropped players"),
        max_length=9,
        required=False,
        help_text=gettext_lazy("For example 1/3 or 25%."),
    )
    palette = forms.ChoiceField(
        label=gettext_lazy("Colours"),
        choices=[(key, COLOURS[key][0]) for key in PALETTES],
        widget=forms.RadioSelect,
    )
    emblem = forms.ChoiceField(
        label=gettext_lazy("Emblem"),
        choices=[(key, format_html("{} {}", emblem_svg(key), DRAWN[key][0])) for key in EMBLEMS],
        widget=forms.RadioSelect,
    )
    text = lines_field(gettext_lazy("Try a decklist"), gettext_lazy("Not saved"))

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
            | {"excluded_together": "\n".join(map(format_pair, rules["excluded_together"]))}
            | {"not_checked": "\n".join(rules["not_checked"]), "legal_in": rules["legal_in"]}
            | dict(match)
            | {key: format_points(read_points(str(standings["points"][key]))) for key in POINTS}
            | {key: standings[key] for key in SHARES}
            | {key: standings.get(key, usual) for key, usual in BYES.items()}
            | {"dropped_cap": standings.get("dropped_cap", "")}
            | initial_tiebreaker_positions(standings["criteria"], at_tables=False)
            | {key: rules.get("look", {}).get(key, usual) for key, usual in LOOK.items()}
        )

    def rows(self) -> dict[str, tuple[list[FieldGroup], list[FieldGroup]]]:
        """Return the rows of each part: those that are filled, and the empty ones."""
        shown = {}
        for part in PARTS:
            groups, filled = self.groups(part), len(self.rules[part])
            shown[part] = (groups[:filled], groups[filled:])
        return shown

    def copies_written(self) -> list[dict[str, Any]]:
        return self._written("unlimited", "own")

    def lists_written(self) -> list[dict[str, Any]]:
        """Return banned and limited cards, pairs, and what is not checked."""
        return self._written(*CARD_LISTS, "excluded_together", "not_checked")

    def _written(self, *names: str) -> list[dict[str, Any]]:
        return [
            {"field": self[name], "lines": len(split_lines(str(self[name].value() or "")))}
            for name in names
        ]

    def content(self) -> FormatInput:
        """Return what a valid form holds. Raises BadInput ``invalid_rules``, ``bad_points``."""
        values = self.cleaned_data
        return FormatInput(
            game=values["game"],
            name=values["name"],
            lists=values["lists"],
            rules=self._rules_typed(),
        )

    def _rules_typed(self) -> dict[str, Any]:
        values = self.cleaned_data
        typed = {key: split_lines(values[key]) for key in WRITTEN}
        return (
            self.rules
            | {part: self.typed(part) for part in PARTS}
            | {
                "copies": {
                    "max": values["copies"],
                    "by": values["by"],
                    "over": values["over"],
                    "unlimited": typed["unlimited"],
                    "own": dict(map(parse_limit, typed["own"])),
                },
                "card_lists": {key: typed[key] for key in CARD_LISTS},
                "excluded_together": list(map(parse_pair, typed["excluded_together"])),
                "legal_in": values["legal_in"] or None,
                "not_checked": typed["not_checked"],
                "match": {name: values[name] for name in MATCH},
                "standings": {
                    "points": {key: number_to_json(read_points(values[key])) for key in POINTS},
                    "criteria": self.criteria_in(values),
                    **{key: normalise_fraction(values[key]) for key in SHARES},
                    **{key: values[key] or usual for key, usual in BYES.items()},
                    "dropped_cap": normalise_fraction(cap)
                    if (cap := values["dropped_cap"])
                    else None,
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
        return _("This game’s card catalogue lists no formats.")
    if not columns:
        return _("This game’s card catalogue lists no formats.")
    return _("In the card catalogue: %(formats)s.") % {"formats": ", ".join(columns)}
