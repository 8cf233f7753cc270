"""Form fields for the order of the criteria: a position for each, or a preset."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from rules.criteria import CRITERIA
from rules.criteria.presets import PRESETS
from rules.ties.decisions import LOTS


class CriteriaFields(forms.Form):
    """Fields ``criterion_…`` with positions; a chosen ``preset`` overrides them."""

    presets = PRESETS

    def add_criteria(self) -> None:
        """Add the fields, labelled in the active language."""
        choices = [(one.key, translate(one.label)) for one in PRESETS]
        self.fields["preset"] = forms.ChoiceField(
            label=gettext("Ready-made order"),
            choices=[("", gettext("none: the places below")), *choices],
            required=False,
            help_text=gettext("Where one is chosen, it takes the place of the numbers below."),
        )
        for criterion in CRITERIA:
            self.fields[f"criterion_{criterion.key}"] = forms.IntegerField(
                label=translate(criterion.label), min_value=1, max_value=99, required=False
            )

    def check_criteria(self, values: Mapping[str, Any]) -> None:
        """Add an error if no criterion has a position, or two have the same.

        Lots come last, whatever their position.
        """
        if not self.criteria_in(values):
            self.add_error(None, _("Give at least one criterion a place in the order."))
        if values.get("preset"):
            return
        taken: dict[int, str] = {}
        for criterion in CRITERIA:
            place = values.get(f"criterion_{criterion.key}")
            if not place or criterion.key == LOTS:
                continue
            if place in taken:
                words = _("Place %(place)s belongs to another criterion too: %(other)s.")
                error = words % {"place": place, "other": taken[place]}
                self.add_error(f"criterion_{criterion.key}", error)
            taken.setdefault(place, translate(criterion.label))

    def criteria_in(self, values: Mapping[str, Any]) -> list[str]:
        """Return the criteria in the chosen order, lots last."""
        if values.get("preset"):
            return list(PRESETS.get(values["preset"]).criteria)
        placed = [
            (key == LOTS, values[f"criterion_{key}"], at, key)
            for at, key in enumerate(CRITERIA.keys())
            if values.get(f"criterion_{key}")
        ]
        return [key for _lots, _place, _at, key in sorted(placed)]

    def criteria_used(self) -> list[BoundField]:
        """Return the fields of criteria with a position, in that order."""
        fields = [
            self[f"criterion_{item.key}"] for item in CRITERIA if self._has_position(item.key)
        ]
        return sorted(fields, key=lambda bound: int(str(bound.value())[:9]))

    def criteria_unused(self) -> list[BoundField]:
        """Return the fields of criteria without a position."""
        return [
            self[f"criterion_{item.key}"] for item in CRITERIA if not self._has_position(item.key)
        ]

    def criteria_wrong(self) -> bool:
        """Return whether a field under "More criteria" has an error."""
        return any(field.errors for field in self.criteria_unused())

    def _has_position(self, key: str) -> bool:
        return str(self[f"criterion_{key}"].value() or "").isdecimal()


def criteria_initial(criteria: Sequence[str]) -> dict[str, int]:
    """Return the initial positions in the form for an order."""
    return {f"criterion_{key}": place for place, key in enumerate(criteria, start=1)}
