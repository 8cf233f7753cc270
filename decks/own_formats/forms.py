"""The form of the rules of a game of one's own: what it holds is read as JSON of such rules.

Kinds of cards, sums over zones and pairs, which programs may send, stay as they are stored.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import explain, translate
from decks.house_formats.forms import Group, flag, number
from decks.models import FormatContent
from decks.own_formats.services import OwnFormat
from rules.deckbuilding.own.json import MOST_ZONES
from rules.deckbuilding.own.play_json import GAMES
from rules.deckbuilding.own.rules import CountedBy, Score
from rules.errors import BadInput
from rules.half_points import half_in_json, half_in_words, read_half
from rules.wording import Sentence

SPARE_ZONES = 2
POINTS = ("win", "draw", "loss")
CARD_LISTS = ("banned", "limited", "semi_limited")
LINES = (*CARD_LISTS, "unlimited", "own", "not_checked")
_ZONE = re.compile(r"zones\[(\d+)\]\.(\w+)")


def lines(label: Any, help_text: Any = "") -> forms.CharField:
    """Return a field with one entry a line."""
    area = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
    return forms.CharField(
        label=label, help_text=help_text, required=False, max_length=60_000, widget=area
    )


class RulesForm(forms.Form):
    """The rules of a game of one's own; ``content`` returns them, ``text`` is a list to try.

    ``columns`` are the formats of which the game's catalogue says where cards are legal, None
    without a catalogue.
    """

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    game = forms.CharField(label=gettext_lazy("Game"), max_length=80)
    name = forms.CharField(label=gettext_lazy("Name of the format"), max_length=80)
    lists = forms.ChoiceField(
        label=gettext_lazy("Decklists"), choices=FormatContent.Lists, widget=forms.RadioSelect
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies of a card at most (empty: no limit)"), required=False
    )
    by = forms.ChoiceField(
        label=gettext_lazy("Copies are told by"),
        choices=[
            (CountedBy.NAME, gettext_lazy("name")),
            (CountedBy.NUMBER, gettext_lazy("number")),
            (CountedBy.NAME_AND_VERSION, gettext_lazy("name and version")),
        ],
    )
    over = forms.ChoiceField(
        label=gettext_lazy("They are counted over"),
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
            (Score.NONE, gettext_lazy("Who wins")),
            (Score.GAMES, gettext_lazy("Games, such as 2–1")),
            (Score.POINTS, gettext_lazy("Points, such as 40–22")),
        ],
    )
    best_of = forms.TypedChoiceField(
        label=gettext_lazy("Best of"), choices=[(n, n) for n in GAMES], coerce=int
    )
    final_best_of = forms.TypedChoiceField(
        label=gettext_lazy("Final: best of"), choices=[(n, n) for n in GAMES], coerce=int
    )
    target = forms.IntegerField(
        label=gettext_lazy("Points that end a game (empty: none)"), required=False
    )
    minutes = forms.IntegerField(label=gettext_lazy("Minutes a round"), required=False)
    draws = forms.BooleanField(label=gettext_lazy("A match may be drawn"), required=False)
    win = forms.CharField(label=gettext_lazy("Win"), max_length=8)
    draw = forms.CharField(label=gettext_lazy("Drawn match"), max_length=8)
    loss = forms.CharField(label=gettext_lazy("Loss"), max_length=8)
    text = lines(gettext_lazy("Try a list"), gettext_lazy("It is not stored."))

    def __init__(
        self, *args: Any, present: FormatContent, columns: tuple[str, ...] | None, **kwargs: Any
    ) -> None:
        self.columns = columns
        self.rules: dict[str, Any] = deepcopy(present.rules or {})
        kwargs["initial"] = self._initial(present) | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        self.fields["legal_in"].help_text = _legality_help(columns)
        self.rows = min(len(self.rules["zones"]) + SPARE_ZONES, MOST_ZONES)
        for at in range(self.rows):
            for name, made in self._zone(at):
                self.fields[name] = made

    def _initial(self, present: FormatContent) -> dict[str, Any]:
        rules = self.rules
        copies, match, points = rules["copies"], rules["match"], rules["standings"]["points"]
        return (
            {"game": present.game, "name": present.name, "lists": present.lists}
            | {"version": present.version, "copies": copies["max"]}
            | {key: copies[key] for key in ("by", "over")}
            | {key: "\n".join(rules["card_lists"].get(key, ())) for key in CARD_LISTS}
            | {"unlimited": "\n".join(copies["unlimited"])}
            | {"own": "\n".join(f"{name}: {most}" for name, most in copies["own"].items())}
            | {"not_checked": "\n".join(rules["not_checked"]), "legal_in": rules["legal_in"] or ""}
            | dict(match)
            | {key: half_in_words(read_half(str(points[key]))) for key in POINTS}
        )

    def _zone(self, at: int) -> Iterator[tuple[str, forms.Field]]:
        zone = self.rules["zones"][at] if at < len(self.rules["zones"]) else {}
        named = {"max_length": 80, "required": False, "initial": zone.get("name", "")}
        yield f"zone_{at}_name", forms.CharField(label=_("Name of the zone"), **named)
        yield f"zone_{at}_min", number(_("At least"), zone.get("min"))
        yield f"zone_{at}_max", number(_("At most (empty: no maximum)"), zone.get("max"))
        yield f"zone_{at}_or_none", flag(_("Or no card at all"), zone.get("or_none"))

    def zones(self) -> list[Group]:
        """Return the fields by zone."""
        parts = ("name", "min", "max", "or_none")
        return [
            Group(
                label=_("Zone %(number)s") % {"number": at + 1},
                fields=tuple(self[f"zone_{at}_{part}"] for part in parts),
            )
            for at in range(self.rows)
        ]

    def kept(self) -> list[str]:
        """Return the parts of the rules that this form leaves as they are, in words."""
        words = {
            "kinds": _("kinds of cards"),
            "sums": _("sums over zones"),
            "excluded_together": _("cards that exclude each other"),
        }
        return [word for key, word in words.items() if self.rules.get(key)]

    def fields_of(self, *names: str) -> list[BoundField]:
        """Return some fields in order."""
        return [self[name] for name in names]

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
        values, rules = self.cleaned_data, deepcopy(self.rules)
        typed = {key: _lines_of(values[key]) for key in LINES}
        rules["zones"] = list(self._zones_typed())
        rules["copies"] = {
            "max": values["copies"],
            "by": values["by"],
            "over": values["over"],
            "unlimited": typed["unlimited"],
            "own": dict(map(_limit_of, typed["own"])),
        }
        rules["card_lists"] = {key: typed[key] for key in CARD_LISTS}
        rules["legal_in"] = values["legal_in"] or None
        rules["not_checked"] = typed["not_checked"]
        names = ("best_of", "final_best_of", "score", "target", "draws", "minutes")
        rules["match"] = {name: values[name] for name in names}
        points = {key: half_in_json(read_half(values[key])) for key in POINTS}
        rules["standings"] = rules["standings"] | {"points": points}
        return rules

    def _zones_typed(self) -> Iterator[dict[str, Any]]:
        """Yield the zones with a name, with the keys that they have already."""
        taken = {zone["key"] for zone in self.rules["zones"]}
        for at in self._named_rows():
            values = {part: self.cleaned_data[f"zone_{at}_{part}"] for part in ("min", "max")}
            name = self.cleaned_data[f"zone_{at}_name"]
            if at < len(self.rules["zones"]):
                key = self.rules["zones"][at]["key"]
            else:
                key = slugify(name)[:24].strip("-") or f"zone{at}"
                key = key if key not in taken else f"{key}-{at}"
                taken.add(key)
            yield {
                "key": key,
                "name": name,
                "min": values["min"] or 0,
                "max": values["max"],
                "or_none": self.cleaned_data[f"zone_{at}_or_none"],
            }

    def _named_rows(self) -> list[int]:
        return [at for at in range(self.rows) if self.cleaned_data[f"zone_{at}_name"]]

    def refuse(self, refused: BadInput) -> None:
        """Add an error of the rules to the field that it concerns."""
        values = refused.sentence.values
        problem = values.get("problem")
        words = translate(problem) if isinstance(problem, Sentence) else explain(refused)
        field = self._field_of(str(values.get("path", "")))
        self.add_error(field if field in self.fields else None, words)

    def _field_of(self, path: str) -> str:
        found, last = _ZONE.match(path), path.rpartition(".")[2].partition("[")[0]
        if found is not None:
            part = "name" if found[2] == "key" else found[2]
            return f"zone_{self._named_rows()[int(found[1])]}_{part}"
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


def _lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _limit_of(line: str) -> tuple[str, object]:
    """Return name and limit of a card; what is no number is refused by the rules."""
    name, _colon, most = line.rpartition(":")
    return (name.strip() or line), int(most) if most.strip().isdecimal() else most.strip()
