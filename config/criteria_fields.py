"""Form fields for the order of the criteria: a position for each, or a preset."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA, default_tiebreakers
from rules.criteria.presets import PRESETS, TABLE_PRESETS
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import LOTS


class TiebreakerFieldsForm(forms.Form):
    """Base class of forms in which users order tiebreakers.

    One position field per tiebreaker, or a ``preset`` that overrides them. Fields are named
    ``criterion_KEY``, or ``table_criterion_KEY`` for multiplayer tables, which have tiebreakers of
    their own. ``offers_presets``: False for positions only.
    """

    offers_presets = True
    presets = PRESETS
    criteria = CRITERIA
    prefix_of_criteria = "criterion_"

    def add_criteria(self, *, at_tables: bool = False) -> None:
        """Add the fields, labelled in the active language."""
        if at_tables:
            self.presets, self.criteria = TABLE_PRESETS, TABLE_CRITERIA
            self.prefix_of_criteria = OF_TABLES
        if self.offers_presets:
            choices = [(one.key, translate(one.label)) for one in self.presets]
            self.fields["preset"] = forms.ChoiceField(
                label=gettext("Ready-made order"),
                choices=[("", gettext("Use the numbers below")), *choices],
                required=False,
            )
        for criterion in self.criteria:
            self.fields[self._name(criterion.key)] = forms.IntegerField(
                label=translate(criterion.label), min_value=1, max_value=99, required=False
            )

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data; add an error if no criterion has a position, or two have one.

        Lots come last, whatever their position.
        """
        values = super().clean() or {}
        if not self.criteria_in(values):
            self.add_error(None, _("Enter at least one."))
        if values.get("preset"):
            return values
        taken: set[int] = set()
        for criterion in self.criteria:
            place = values.get(self._name(criterion.key))
            if not place or criterion.key == LOTS:
                continue
            if place in taken:
                self.add_error(self._name(criterion.key), _("Use each value only once."))
            taken.add(place)
        return values

    def criteria_in(self, values: Mapping[str, Any]) -> list[str]:
        """Return the criteria in the chosen order, lots last."""
        if values.get("preset"):
            return list(self.presets.get(values["preset"]).criteria)
        placed = [
            (key == LOTS, values[self._name(key)], at, key)
            for at, key in enumerate(self.criteria.keys())
            if values.get(self._name(key))
        ]
        return [key for _lots, _place, _at, key in sorted(placed)]

    def criteria_used(self) -> list[BoundField]:
        """Return the fields of criteria with a position, in that order."""
        fields = [self[name] for name in self._names() if self._has_position(name)]
        return sorted(fields, key=lambda bound: int(str(bound.value())[:9]))

    def criteria_unused(self) -> list[BoundField]:
        """Return the fields of criteria without a position."""
        return [self[name] for name in self._names() if not self._has_position(name)]

    def criteria_wrong(self) -> bool:
        return any(field.errors for field in self.criteria_unused())

    def _names(self) -> list[str]:
        return [self._name(one.key) for one in self.criteria]

    def _name(self, key: str) -> str:
        return f"{self.prefix_of_criteria}{key}"

    def _has_position(self, name: str) -> bool:
        return str(self[name].value() or "").isdecimal()


OF_TABLES = "table_criterion_"


def initial_tiebreaker_positions(
    criteria: Sequence[str], *, at_tables: bool
) -> dict[str, int | None]:
    """Return initial positions (from 1) by field name, for two players and for tables.

    criteria: tiebreaker keys in order. at_tables: whether the order is for multiplayer tables. The
    fields of the other kind get its default order.
    """
    at_tables = at_tables and all(key in TABLE_CRITERIA for key in criteria)
    of_two = criteria if all(key in CRITERIA for key in criteria) else DEFAULT_CRITERIA
    places: dict[str, int | None] = {
        f"criterion_{key}": place for place, key in enumerate(of_two, start=1)
    }
    return places | initial_table_tiebreaker_positions(
        criteria if at_tables else default_tiebreakers(by_place=False)
    )


def initial_table_tiebreaker_positions(criteria: Sequence[str]) -> dict[str, int | None]:
    """Return initial positions (from 1) by field name, for multiplayer tables.

    criteria: tiebreaker keys in order; all others get None.
    """
    none: dict[str, int | None] = {f"{OF_TABLES}{one.key}": None for one in TABLE_CRITERIA}
    return none | {f"{OF_TABLES}{key}": place for place, key in enumerate(criteria, start=1)}
