"""Rows of the form of rules: a zone, a sum of zones or a kind of cards each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import slugify
from django.utils.translation import gettext as _

from decks.house_formats.forms import Group, flag, number, several
from rules.deckbuilding.data.json import MOST_KINDS, MOST_SUMS, MOST_ZONES

LONGEST_KEY = 24
_PATH = re.compile(r"(zones|sums|kinds)\[(\d+)\](?:\.(\w+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A list of the rules whose items are rows: their names, and how many rows stay empty."""

    row: str
    fields: tuple[str, ...]
    most: int
    spare: int


PARTS = {
    "zones": Part(row="zone", fields=("name", "min", "max", "or_none"), most=MOST_ZONES, spare=2),
    "sums": Part(row="sum", fields=("zones", "min", "max"), most=MOST_SUMS, spare=1),
    "kinds": Part(row="kind", fields=("name", "zones", "min", "max"), most=MOST_KINDS, spare=2),
}


class RowFields(forms.Form):
    """Fields ``zone_0_name``, ``sum_0_zones``, ``kind_1_max`` …; ``rules`` are the stored ones.

    A row without a name, or a sum without anything in it, is none. Zones are chosen by their row,
    since one that was just typed has no key yet.
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
            label = _("Name of the zone") if part == "zones" else _("Name of the kind")
            named = {"max_length": 80, "required": False, "initial": stored.get("name", "")}
            yield f"{row}_name", forms.CharField(label=label, **named)
        if part != "zones":
            keys = [zone["key"] for zone in self.rules["zones"]]
            chosen = [str(keys.index(key)) for key in stored.get("zones", ())]
            label = _("Where it may be") if part == "kinds" else _("Zones together")
            choices = list(self._zone_choices())
            yield (
                f"{row}_zones",
                several(label, choices=choices, required=False, initial=chosen),
            )
        yield f"{row}_min", number(_("At least"), stored.get("min"))
        most = number(_("At most"), stored.get("max"))
        most.widget.attrs["placeholder"] = "–"
        yield f"{row}_max", most
        if part == "zones":
            yield f"{row}_or_none", flag(_("Or no card at all"), stored.get("or_none"))

    def _zone_choices(self) -> Iterator[tuple[str, str]]:
        """Yield row and name of each zone that has a name, as typed where something was sent."""
        for at in range(self._number("zones")):
            stored = self.rules["zones"][at]["name"] if at < len(self.rules["zones"]) else ""
            name = self.data.get(f"zone_{at}_name", "") if self.is_bound else stored
            if name.strip():
                yield str(at), name

    def groups(self, part: str) -> list[Group]:
        """Return the fields of a part by row."""
        words = {
            "zones": _("Zone %(number)s"),
            "sums": _("Sum %(number)s"),
            "kinds": _("Kind %(number)s"),
        }
        return [
            Group(label=words[part] % {"number": at + 1}, fields=tuple(self._fields(part, at)))
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
