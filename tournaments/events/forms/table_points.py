"""What the form of an event asks at tables of three and more: points, known ones or one's own."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.criteria_fields import CriteriaFields
from config.wording import add_refusal
from rules.errors import BadInput
from rules.formulas.base import Formula
from rules.standings.rank_document import points_from
from rules.tables.results import TablePoints
from tournaments.core.formulas import begins_with_tables
from tournaments.events.forms.formula_fields import option_names, options_in

POINTS = ("points_win", "points_draw", "points_loss")
BY_RESULT, BY_PLACE = "by_result", "by_place"
RESULTS = ("table_win", "table_draw", "table_loss")
NUMBERS = (*RESULTS, "table_places", "table_bye")
FIELDS = ("table_worth", *NUMBERS)
"""The names of the fields."""
HIGHEST = 99


def table_points_fields() -> dict[str, forms.Field]:
    """Return the fields, by name."""

    def number(label: Any, initial: int) -> forms.IntegerField:
        return forms.IntegerField(label=label, min_value=0, max_value=HIGHEST, initial=initial)

    fields: dict[str, forms.Field] = {
        "table_worth": forms.ChoiceField(
            label=_("Points at a table"),
            choices=[
                ("win5", _("5 to the winner, 1 each where it is drawn, 0 otherwise")),
                ("win3", _("3 to the winner, 1 each where it is drawn, 0 otherwise")),
                ("places", _("by place: 4, 3, 2, 1")),
                (BY_RESULT, _("numbers of your own, by result")),
                (BY_PLACE, _("numbers of your own, by place")),
            ],
            help_text=_("At a table of three the numbers are the same."),
            initial="win5",
        ),
        "table_win": number(_("Wins alone"), 5),
        "table_draw": number(_("Drawn, each"), 1),
        "table_loss": number(_("Otherwise"), 0),
        "table_places": forms.CharField(
            label=_("By place, from the first on"),
            max_length=20,
            initial="4 3 2 1",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        "table_bye": number(_("A bye"), 5),
    }
    for name in NUMBERS:
        fields[name].required = False
    return fields


def table_points_initial(points: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the fields' initial values for ``Event.table_points``."""
    if not points:
        return {}
    if "preset" in points:
        return {"table_worth": points["preset"]}
    worth = points_from(points)
    if worth.by_place:
        places = " ".join(map(str, worth.by_place))
        return {"table_worth": BY_PLACE, "table_places": places, "table_bye": worth.bye}
    numbers = zip((*RESULTS, "table_bye"), _by_result(worth), strict=True)
    return {"table_worth": BY_RESULT} | dict(numbers)


def _by_result(worth: TablePoints) -> tuple[int, int, int, int]:
    return worth.first, worth.drawn, worth.other, worth.bye


def table_points_in(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return ``Event.table_points`` from cleaned fields, None for the usual ones.

    Raises ValidationError by field where a number of one's own is missing or no number.
    """
    worth = values["table_worth"]
    if worth not in (BY_RESULT, BY_PLACE):
        return None if worth == "win5" else {"preset": worth}
    used = RESULTS if worth == BY_RESULT else ("table_places",)
    missing = [name for name in (*used, "table_bye") if values.get(name) in (None, "")]
    if missing:
        words = gettext("Your own points need this number.")
        raise forms.ValidationError(dict.fromkeys(missing, words))
    if worth == BY_RESULT:
        keys = ("win", "draw", "loss", "bye")
        names = (*RESULTS, "table_bye")
        return {key: values[name] for key, name in zip(keys, names, strict=True)}
    typed = values["table_places"].replace(",", " ").replace("-", " ").split()
    if not all(number.isascii() and number.isdigit() for number in typed):
        words = gettext("Whole numbers with spaces between them, such as 4 3 2 1.")
        raise forms.ValidationError({"table_places": words})
    return {"places": [int(number[:3]) for number in typed], "bye": values["table_bye"]}


def is_by_place(worth: object) -> bool:
    """Return whether a choice of ``table_worth`` gives points by place."""
    return worth in ("places", BY_PLACE)


class TableFields(CriteriaFields):
    """A form that asks for points and criteria of the chosen formula: of two, or of tables."""

    offered: dict[str, Formula]
    chosen: str

    @property
    def at_tables(self) -> bool:
        """Return whether the chosen formula begins with tables of three and more."""
        return begins_with_tables(self.chosen)

    def add_table_fields(self) -> None:
        """Add the criteria, and at tables the points of places instead of those of a match."""
        if self.at_tables:
            self.fields.update(table_points_fields())
            for name in POINTS:
                del self.fields[name]
        self.add_criteria(at_tables=self.at_tables)

    def take_usual(self) -> None:
        """Take the usual values of what the page did not have, as it showed another formula.

        Without its script a formula is chosen before its options are seen.
        """
        sent = cast(QueryDict, self.data).copy()
        groups = (
            option_names(self.offered[self.chosen]) if self.chosen in self.offered else [],
            FIELDS if self.at_tables else POINTS,
            [name for name in self.fields if name.startswith(self.prefix_of_criteria)],
        )
        for names in groups:
            if not sent.keys() & {*names}:
                for name in names:
                    usual = self.get_initial_for_field(self.fields[name], name)
                    sent[name] = "" if usual in (None, False) else str(usual)
        self.data = sent

    @property
    def own_numbers(self) -> bool:
        own = self["table_worth"].value() in (BY_RESULT, BY_PLACE)
        return own or bool(self.errors.keys() & {*NUMBERS})

    def check_options(self, values: dict[str, Any]) -> None:
        """Name what does not go together where it is chosen: a cut, the points at tables."""
        formula = self.offered.get(self.chosen)
        if formula is None or self.errors:
            return
        try:
            formula.checked(dict(options_in(formula, values)))
        except BadInput as refused:
            add_refusal(self, refused, {"invalid_cut": f"option_{formula.key}_cut"})
        if self.at_tables:
            try:
                values["table_points"] = table_points_in(values)
            except forms.ValidationError as error:
                self.add_error(None, error)
