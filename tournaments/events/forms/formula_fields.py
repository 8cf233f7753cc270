"""Form fields for the options of a formula, made from its data; what the form of an event asks at
multiplayer tables: points, known ones or one's own.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from config.criteria_fields import TiebreakerFieldsForm
from config.wording import add_rule_error, translate
from rules.errors import BadInput
from rules.formulas.base import Formula, Option
from rules.formulas.swiss_cut import AS_FITS
from rules.standings.rank_document import read_stored_points
from tournaments.core.formulas import (
    is_multiplayer,
    is_saved_formula,
    table_sizes_text,
)
from tournaments.core.visibility import (
    Audience,
    audiences_to_json,
    parse_audiences,
    possible_stages,
)

CHOICES = (
    (str(Audience.NOBODY), pgettext_lazy("decklists", "Closed")),
    (str(Audience.OPPONENTS), _("Open to opponents")),
    (str(Audience.ALL), _("Open to all players in the stage")),
)


NUMBERS = {
    "rounds": _("Rounds"),
    "cut": _("Top cut"),
    "groups": _("Groups"),
    "advance": _("Advance from each group"),
    "legs": _("Each pair meets"),
    "final": _("Final"),
}
"""Options of which a formula's first two stand in sight, under a short label."""
BY_PLAYERS = {"rounds": 0, "groups": 0, "cut": AS_FITS}
"""The value of an option that follows from the number of players."""
USUAL = {
    "rounds": (0, 3, 4, 5, 6, 7),
    "groups": (0, 2, 3, 4, 6, 8),
    "cut": (AS_FITS, 0, 2, 4, 8, 16),
}
"""The values that are one click away; others are in a list behind them."""
MOST_SEGMENTS = 9


class SegmentedSelect(forms.RadioSelect):
    """Widget with the ``usual`` values as radio buttons and the others in a select."""

    template_name = "tournaments/events/_segments.html"

    def __init__(self, *, usual: Iterable[object] = ()) -> None:
        super().__init__()
        self.usual = [str(value) for value in usual]

    def use_required_attribute(self, initial: Any) -> bool:
        """Ask for no radio: the value may be one of the list."""
        return False

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Divide the options into those in sight and the others."""
        context = super().get_context(name, value, attrs)
        options = [one for _group, some, _at in context["widget"]["optgroups"] for one in some]
        seen = [one for one in options if not self.usual or str(one["value"]) in self.usual]
        others = [one for one in options if one not in seen]
        context["widget"] |= {"seen": seen, "others": others}
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the value of the list where one is chosen there, else the one in sight."""
        sent = data.getlist(name) if hasattr(data, "getlist") else [data.get(name)]
        return next((value for value in reversed(sent) if value not in (None, "")), None)


def open_list_fields(formula: Formula) -> Iterator[tuple[str, forms.Field]]:
    """Yield (name, field) for each stage of a formula: who may see decklists then."""
    for key, label in possible_stages(formula).items():
        made = forms.ChoiceField(label=translate(label), choices=CHOICES, required=False)
        yield _name(formula.key, key), made


def open_lists_from_fields(formula: Formula, values: Mapping[str, Any]) -> list[str]:
    """Return the setting ``open_lists`` from a form's cleaned ``values``."""
    return audiences_to_json(
        {key: Audience(values[_name(formula.key, key)] or "") for key in possible_stages(formula)}
    )


def open_list_initial(formula: str, open_lists: Iterable[str]) -> dict[str, str]:
    """Return the initial values of `open_list_fields` for the setting ``open_lists``.

    ``formula`` is a slug.
    """
    return {_name(formula, key): str(whom) for key, whom in parse_audiences(open_lists).items()}


def _name(formula: str, stage: str) -> str:
    return f"open_{formula}_{stage}"


def formula_fields_context(form: forms.Form, formula: Formula) -> dict[str, Any]:
    """Return a formula's fields in a form, as template context.

    ``fields``: its options (``numbers`` displayed, ``more`` folded); ``lists``: who may see
    decklists, by stage.
    """
    lists = tuple(form[name] for name, _made in open_list_fields(formula))
    fields = tuple(form[name] for name in option_names(formula))
    seen = {f"option_{formula.key}_{key}" for key in NUMBERS}
    return {
        "key": formula.key,
        "saved": is_saved_formula(formula.key),
        "label": translate(formula.label),
        "about": translate(formula.about),
        "fields": fields,
        "numbers": [one for one in fields if one.html_name in seen],
        "more": [one for one in fields if one.html_name not in seen],
        "lists": lists,
    }


def formula_label_with_sizes(formula: Formula) -> str:
    """Return a formula's name with its numbers of players: "My cup (8–16)"."""
    return f"{translate(formula.label)} ({formula.minimum}–{formula.maximum})"


def grouped_formula_choices(formulas: Iterable[Formula]) -> list[tuple[str, Any]]:
    """Return form choices of formulas; saved ones are in a group of their own."""
    shipped = [(one.key, translate(one.label)) for one in formulas if not is_saved_formula(one.key)]
    own = [
        (one.key, formula_label_with_sizes(one)) for one in formulas if is_saved_formula(one.key)
    ]
    return [*shipped, (gettext("My tournament formats"), own)] if own else list(shipped)


USUAL_SIZES = ((4, 3), (4, 5, 3), (4,), (3, 4), (3,), (5, 4), (4, 3, 2))
"""Sizes of tables that are offered; programs may name others."""


def option_fields(
    formula: str, option: Option, present: Any = None
) -> Iterator[tuple[str, forms.Field]]:
    """Yield (name, field) for a formula's option; a list has a field for each item.

    ``formula`` is a slug; ``present``: the event's own table sizes, to be offered too.
    """
    name, label = f"option_{formula}_{option.key}", translate(option.label)
    choices = [(str(choice.value), translate(choice.label)) for choice in option.choices]
    match option.kind:
        case "choice" | "number" if option.key in NUMBERS:
            yield name, _number(option, choices)
        case "yes_no":
            yield name, forms.BooleanField(label=label, required=False, initial=option.default)
        case "number" if not choices:
            lowest, highest = option.lowest, option.highest
            yield (
                name,
                forms.IntegerField(
                    label=label, min_value=lowest, max_value=highest, initial=option.default
                ),
            )
        case "choices":
            defaults = option.default if isinstance(option.default, list) else []
            for at, (item, default) in enumerate(zip(option.items, defaults, strict=True)):
                words = f"{label}: {translate(item)}"
                yield (
                    f"{name}_{at}",
                    forms.ChoiceField(label=words, choices=choices, initial=str(default)),
                )
        case "sizes":
            usual = [_sizes_typed(sizes) for sizes in USUAL_SIZES]
            offered = [*usual, *([present] if present and present not in usual else ())]
            yield (
                name,
                forms.ChoiceField(
                    label=label,
                    choices=[(typed, table_sizes_text(typed.split())) for typed in offered],
                    initial=_sizes_typed(option.default),
                ),
            )
        case _:
            yield name, forms.ChoiceField(label=label, choices=choices, initial=str(option.default))


def _number(option: Option, choices: list[tuple[str, str]]) -> forms.ChoiceField:
    """Return the field of an option that stands in sight."""
    if not choices:
        choices = [(str(one), str(one)) for one in range(option.lowest, option.highest + 1)]
    by_players = BY_PLAYERS.get(option.key)
    named = {str(by_players): gettext("by players")}
    if option.key == "cut":
        named["0"] = pgettext("masculine", "none")
    few = len(choices) <= MOST_SEGMENTS and option.key not in USUAL
    return forms.ChoiceField(
        label=NUMBERS[option.key],
        choices=[(value, named.get(value, words)) for value, words in choices],
        widget=SegmentedSelect(usual=() if few else USUAL.get(option.key, ())),
        initial=str(option.default),
    )


def limit_cut_choices(form: forms.Form, formula: Formula) -> None:
    """Limit the choices of a multiplayer top cut to those that fit other options."""
    name = f"option_{formula.key}_cut"
    if not formula.of_tables or name not in form.fields:
        return
    others = {key: form[f"option_{formula.key}_{key}"].value() or "" for key in ("sizes", "ending")}
    options = {"sizes": [int(one) for one in others["sizes"].split()], "ending": others["ending"]}
    field = cast(forms.ChoiceField, form.fields[name])
    cuts: list[tuple[str, Any]] = list(cast(Any, field.choices))
    fitting = [one for one in cuts if _fits(formula, options | {"cut": int(one[0])})]
    present = str(form[name].value())
    field.choices = [one for one in cuts if one in fitting or one[0] == present]
    cast(SegmentedSelect, field.widget).usual = [
        value for value, _words in fitting if int(value) <= 16
    ]


def _fits(formula: Formula, options: Mapping[str, Any]) -> bool:
    try:
        formula.checked(options)
    except BadInput:
        return False
    return True


def _sizes_typed(sizes: Any) -> str:
    return " ".join(map(str, sizes))


def option_initial(formula: str, key: str, value: Any) -> dict[str, Any]:
    """Return {field name: value} for the value of a formula's option.

    ``formula`` is a slug, ``key`` that of the option.
    """
    name = f"option_{formula}_{key}"
    if not isinstance(value, list):
        return {name: value}
    return {name: _sizes_typed(value)} | {
        f"{name}_{at}": str(item) for at, item in enumerate(value)
    }


def options_from_fields(formula: Formula, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (option key, value) of a formula from a form's cleaned ``values``."""
    for option in formula.options:
        name = f"option_{formula.key}_{option.key}"
        if option.kind == "choices":
            yield option.key, [int(values[f"{name}_{at}"]) for at in range(len(option.items))]
        elif option.kind == "yes_no":
            yield option.key, bool(values[name])
        elif option.kind == "sizes":
            yield option.key, [int(size) for size in values[name].split()]
        else:
            named = {str(choice.value): choice.value for choice in option.choices}
            value = values[name]
            yield option.key, named[str(value)] if named else int(value)


def option_names(formula: Formula) -> list[str]:
    """Return the field names of all options of a formula."""
    return [
        name for option in formula.options for name, _made in option_fields(formula.key, option)
    ]


POINTS = ("points_win", "points_draw", "points_loss")
BY_RESULT, BY_PLACE = "by_result", "by_place"
RESULTS = ("table_win", "table_draw", "table_loss")
POINT_FIELDS = (*RESULTS, "table_places", "table_bye")
FIELDS = ("table_worth", *POINT_FIELDS)
"""The names of the fields."""
HIGHEST = 99


def table_points_fields() -> dict[str, forms.Field]:
    """Return {name: field} for the points at multiplayer tables."""

    def number(label: Any, initial: int) -> forms.IntegerField:
        return forms.IntegerField(label=label, min_value=0, max_value=HIGHEST, initial=initial)

    fields: dict[str, forms.Field] = {
        "table_worth": forms.ChoiceField(
            label=_("Points"),
            choices=[
                ("win5", format_lazy("{}: 5 · 1 · 0", _("By result"))),
                ("win3", format_lazy("{}: 3 · 1 · 0", _("By result"))),
                ("places", format_lazy("{}: 4, 3, 2, 1", _("By place"))),
                (BY_RESULT, format_lazy("{}: {}", _("Custom points"), _("By result"))),
                (BY_PLACE, format_lazy("{}: {}", _("Custom points"), _("By place"))),
            ],
            initial="win5",
        ),
        "table_win": number(_("Win"), 5),
        "table_draw": number(_("Drawn match"), 1),
        "table_loss": number(_("Loss"), 0),
        "table_places": forms.CharField(
            label=_("By place"),
            max_length=20,
            initial="4 3 2 1",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        "table_bye": number(_("Bye"), 5),
    }
    for name in POINT_FIELDS:
        fields[name].required = False
    return fields


def table_points_initial(points: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the initial values of `table_points_fields` for ``Event.table_points``."""
    if not points:
        return {}
    if "preset" in points:
        return {"table_worth": points["preset"]}
    worth = read_stored_points(points)
    if worth.by_place:
        places = " ".join(map(str, worth.by_place))
        return {"table_worth": BY_PLACE, "table_places": places, "table_bye": worth.bye}
    values = worth.first, worth.drawn, worth.other, worth.bye
    numbers = zip((*RESULTS, "table_bye"), values, strict=True)
    return {"table_worth": BY_RESULT} | dict(numbers)


def table_points_from_fields(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return ``Event.table_points`` from cleaned form values, None for the default.

    Raises ValidationError by field for custom points that are missing or not whole numbers.
    """
    worth = values["table_worth"]
    if worth not in (BY_RESULT, BY_PLACE):
        return None if worth == "win5" else {"preset": worth}
    used = RESULTS if worth == BY_RESULT else ("table_places",)
    missing = [name for name in (*used, "table_bye") if values.get(name) in (None, "")]
    if missing:
        words = gettext("This field is required.")
        raise forms.ValidationError(dict.fromkeys(missing, words))
    if worth == BY_RESULT:
        keys = ("win", "draw", "loss", "bye")
        names = (*RESULTS, "table_bye")
        return {key: values[name] for key, name in zip(keys, names, strict=True)}
    typed = values["table_places"].replace(",", " ").replace("-", " ").split()
    if not all(number.isascii() and number.isdigit() for number in typed):
        words = gettext("A whole number.")
        raise forms.ValidationError({"table_places": words})
    return {"places": [int(number[:3]) for number in typed], "bye": values["table_bye"]}


def is_worth_by_place(worth: object) -> bool:
    """Return whether a value of the field ``table_worth`` awards points by place."""
    return worth in ("places", BY_PLACE)


class ScoringForm(TiebreakerFieldsForm):
    """Base form for points and tiebreakers, at two-player or multiplayer tables.

    ``offered``: formulas by slug; ``chosen``: slug of the chosen one.
    """

    offered: dict[str, Formula]
    chosen: str

    @property
    def at_tables(self) -> bool:
        """Return whether the chosen formula begins with multiplayer tables."""
        return is_multiplayer(self.chosen)

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
        return own or bool(self.errors.keys() & {*POINT_FIELDS})

    def check_options(self, values: dict[str, Any]) -> None:
        """Name what does not go together where it is chosen: a cut, the points at tables."""
        formula = self.offered.get(self.chosen)
        if formula is None or self.errors:
            return
        try:
            formula.checked(dict(options_from_fields(formula, values)))
        except BadInput as refused:
            add_rule_error(self, refused, {"invalid_cut": f"option_{formula.key}_cut"})
        if self.at_tables:
            try:
                values["table_points"] = table_points_from_fields(values)
            except forms.ValidationError as error:
                self.add_error(None, error)
