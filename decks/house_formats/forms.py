"""The form of a house format: every number that may be changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.wording import translate
from decks.house_formats.services import LONGEST_NAME
from rules.deckbuilding.formats import MOST, DeckFormat
from rules.deckbuilding.house import (
    LONGEST_KIND,
    MOST_KINDS,
    HouseChanges,
    allowed_expansions,
    changeable_limits,
    countable_kinds,
    counted_zone,
    house_kind,
)
from rules.deckbuilding.zones import zone_label

SPARE_KINDS = 3

_PART = re.compile(r"(zones|limits|minimums|kinds|expansions)(?:[.\[](.+?)\]?)?(?:\.(\w+))?")


def number_field(label: str, initial: int | None) -> forms.IntegerField:
    """Return an optional form field for a whole number from 0 to 999."""
    return forms.IntegerField(
        label=label, min_value=0, max_value=MOST, required=False, initial=initial
    )


def flag_field(label: str, initial: object) -> forms.BooleanField:
    """Return a form field for yes or no."""
    return forms.BooleanField(label=label, initial=initial, required=False)


def checkboxes_field(label: str, **options: Any) -> forms.MultipleChoiceField:
    """Return a form field of checkboxes; options: arguments of MultipleChoiceField."""
    return forms.MultipleChoiceField(label=label, widget=forms.CheckboxSelectMultiple, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Form fields under one heading."""

    label: str
    fields: tuple[BoundField, ...]


class HouseForm(forms.Form):
    """Form of a house format: another format with other numbers.

    ``base`` is that format, ``changes`` the present differences; ``changes()`` returns the
    submitted ones as JSON.
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, base: DeckFormat, changes: HouseChanges, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.base = base
        self.present = changes
        self.spare = min(len(changes.kinds) + SPARE_KINDS, MOST_KINDS)
        for name, made in self._all_fields():
            self.fields[name] = made

    def _all_fields(self) -> Iterator[tuple[str, forms.Field]]:
        yield from self._sizes()
        yield from self._limits()
        for at in range(self.spare):
            yield from self._kind(at)
        allowed = allowed_expansions(self.base)
        if allowed is not None:
            chosen = self.present.expansions or allowed
            codes = [
                (code, f"{code} – {names[0]}" if names else code)
                for code, names in allowed.known.items()
            ]
            label, initial = _("Expansions allowed"), list(chosen.codes)
            yield "expansions", checkboxes_field(label, choices=codes, initial=initial)
            yield "any_other", flag_field(_("Other fan-made expansions"), chosen.any_other)

    def _sizes(self) -> Iterator[tuple[str, forms.Field]]:
        for zone in self.base.zones:
            size = self.present.zones.get(zone.key, zone)
            name = f"zone_{zone.key}"
            yield f"{name}_minimum", number_field(_("At least"), size.minimum)
            most = number_field(_("At most"), size.maximum)
            most.widget.attrs["placeholder"] = "–"
            yield f"{name}_maximum", most
            yield f"{name}_or_none", flag_field(_("Or no cards"), size.or_none)

    def _limits(self) -> Iterator[tuple[str, forms.Field]]:
        limits = {**self.base.limits(), **self.present.limits}
        for limit in changeable_limits(self.base):
            label = translate(limit.label)
            made = number_field(label, limits[limit.key])
            if limit.may_be_none:
                made.widget.attrs["placeholder"] = "–"
            made.required = not limit.may_be_none
            yield f"limit_{limit.key}", made
        for kind in countable_kinds(self.base, self.base.kinds):
            zone = translate(zone_label(counted_zone(self.base, kind)))
            label = _("%(zone)s, %(kind)s: at least") % {
                "zone": zone,
                "kind": translate(kind.label),
            }
            yield f"least_{kind.key}", number_field(label, self.present.minimums.get(kind.key))

    def _kind(self, at: int) -> Iterator[tuple[str, forms.Field]]:
        kind = self.present.kinds[at] if at < len(self.present.kinds) else None
        yield (
            f"kind_{at}_name",
            forms.CharField(
                label=_("Name"),
                max_length=LONGEST_KIND,
                required=False,
                initial=kind.words[0] if kind else "",
            ),
        )
        zones = [(zone.key, translate(zone.label)) for zone in self.base.zones]
        chosen = list(kind.zones or ()) if kind else []
        where = checkboxes_field(_("Zones"), choices=zones, required=False, initial=chosen)
        yield f"kind_{at}_zones", where
        least = self.present.minimums.get(kind.key) if kind else None
        yield f"kind_{at}_least", number_field(_("At least"), least)

    def changes(self) -> dict[str, object]:
        """Return the content of a valid form as the JSON that ``changes_from_json`` reads."""
        values = self.cleaned_data
        kinds = self._filled_kinds()
        least = {
            kind.key: values[f"least_{kind.key}"] or 0
            for kind in countable_kinds(self.base, self.base.kinds)
        }
        least |= {
            key: values[f"kind_{at}_least"]
            for at, (key, _kind) in kinds.items()
            if values[f"kind_{at}_least"]
        }
        changes: dict[str, object] = {
            "zones": {
                zone.key: {
                    "minimum": values[f"zone_{zone.key}_minimum"] or 0,
                    "maximum": values[f"zone_{zone.key}_maximum"],
                    "or_none": values[f"zone_{zone.key}_or_none"],
                }
                for zone in self.base.zones
            },
            "limits": {
                limit.key: values[f"limit_{limit.key}"] for limit in changeable_limits(self.base)
            },
            "minimums": least,
            "kinds": [kind for _key, kind in kinds.values()],
        }
        if "expansions" in values:
            codes, other = values["expansions"], values["any_other"]
            changes["expansions"] = {"codes": codes, "any_other": other}
        return changes

    def _filled_kinds(self) -> dict[int, tuple[str, dict[str, object]]]:
        """Return the additional kinds with at least one value, by their position in the form."""
        filled: dict[int, tuple[str, dict[str, object]]] = {}
        for at in range(self.spare):
            name = self.cleaned_data[f"kind_{at}_name"]
            zones = self.cleaned_data[f"kind_{at}_zones"]
            if name or zones or self.cleaned_data[f"kind_{at}_least"]:
                key = house_kind(name, ()).key
                filled[at] = (key, {"name": name, "zones": zones})
        return filled

    def field_of(self, path: str) -> str:
        """Return the field of a path of the changes; call it on a valid form."""
        found = _PART.fullmatch(path)
        if found is None:
            return path
        part, key, what = found.groups()
        filled = self._filled_kinds()
        if part == "zones":
            return f"zone_{key}_{what or 'minimum'}"
        if part == "limits":
            return f"limit_{key}"
        if part == "minimums":
            at = next((at for at, (name, _kind) in filled.items() if name == key), None)
            return f"least_{key}" if at is None else f"kind_{at}_least"
        if part == "kinds" and key:
            return f"kind_{list(filled)[int(key)]}_{what or 'name'}"
        return part

    def sizes(self) -> list[FieldGroup]:
        """Return the sizes by zone."""
        return [
            self._group(
                translate(zone.label),
                *(f"zone_{zone.key}_{part}" for part in ("minimum", "maximum", "or_none")),
            )
            for zone in self.base.zones
        ]

    def limits(self) -> list[BoundField]:
        """Return the limits, and the minimums of the game's kinds."""
        return [self[name] for name in self.fields if name.startswith(("limit_", "least_"))]

    def kinds(self) -> list[FieldGroup]:
        """Return the additional kinds."""
        return [
            self._group(
                " ".join((_("Kind"), str(at + 1))),
                *(f"kind_{at}_{part}" for part in ("name", "zones", "least")),
            )
            for at in range(self.spare)
        ]

    def expansion_fields(self) -> list[BoundField]:
        """Return the fields of the expansions; none if the game does not restrict expansions."""
        return [self[name] for name in ("expansions", "any_other") if name in self.fields]

    def _group(self, label: str, *names: str) -> FieldGroup:
        return FieldGroup(label=label, fields=tuple(self[name] for name in names))
