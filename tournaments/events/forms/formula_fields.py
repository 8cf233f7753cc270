"""Form fields for the options of a formula, made from its data."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from rules.formulas.base import Formula, Option
from tournaments.core.formulas import is_saved, sizes_in_words
from tournaments.core.visibility import Audience, audiences, audiences_to_json, possible_stages

CHOICES = (
    (str(Audience.NOBODY), _("closed")),
    (str(Audience.OPPONENTS), _("open to the opponents")),
    (str(Audience.ALL), _("open to everybody who plays in it")),
)


def open_fields(formula: Formula) -> Iterator[tuple[str, forms.Field]]:
    for key, label in possible_stages(formula).items():
        made = forms.ChoiceField(label=translate(label), choices=CHOICES, required=False)
        yield _name(formula.key, key), made


def open_in(formula: Formula, values: Mapping[str, Any]) -> list[str]:
    """Return ``open_lists`` from the cleaned fields of a formula."""
    return audiences_to_json(
        {key: Audience(values[_name(formula.key, key)] or "") for key in possible_stages(formula)}
    )


def open_initial(formula: str, open_lists: Iterable[str]) -> dict[str, str]:
    """Return the fields' initial values for ``open_lists``."""
    return {_name(formula, key): str(whom) for key, whom in audiences(open_lists).items()}


def _name(formula: str, stage: str) -> str:
    return f"open_{formula}_{stage}"


def fields_of(form: forms.Form, formula: Formula) -> dict[str, Any]:
    """Return a form's fields for a formula: options, and its stages that can have open lists."""
    lists = tuple(form[name] for name, _made in open_fields(formula))
    return {
        "key": formula.key,
        "saved": is_saved(formula.key),
        "label": translate(formula.label),
        "about": translate(formula.about),
        "fields": tuple(
            form[name]
            for option in formula.options
            for name, _made in option_fields(formula.key, option)
        ),
        "lists": lists,
        "any_open": any(field.value() or field.errors for field in lists),
    }


def offered_choices(formulas: Iterable[Formula]) -> list[tuple[str, Any]]:
    shipped = [(one.key, translate(one.label)) for one in formulas if not is_saved(one.key)]
    own = [
        (
            one.key,
            gettext("%(name)s (%(lowest)s to %(highest)s players)")
            % {"name": translate(one.label), "lowest": one.minimum, "highest": one.maximum},
        )
        for one in formulas
        if is_saved(one.key)
    ]
    return [*shipped, (gettext("My tournament formats"), own)] if own else list(shipped)


USUAL_SIZES = ((4, 3), (4, 5, 3), (4,), (3, 4), (3,), (5, 4), (4, 3, 2))
"""Sizes of tables that are offered; programs may name others."""


def option_fields(
    formula: str, option: Option, present: Any = None
) -> Iterator[tuple[str, forms.Field]]:
    """Yield (name, field) for an option from its data; ``present`` sizes of tables are offered."""
    name, label = f"option_{formula}_{option.key}", translate(option.label)
    choices = [(str(choice.value), translate(choice.label)) for choice in option.choices]
    match option.kind:
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
                    choices=[(typed, sizes_in_words(typed.split())) for typed in offered],
                    initial=_sizes_typed(option.default),
                ),
            )
        case _:
            yield name, forms.ChoiceField(label=label, choices=choices, initial=str(option.default))


def _sizes_typed(sizes: Any) -> str:
    return " ".join(map(str, sizes))


def option_values(formula: str, key: str, value: Any) -> dict[str, Any]:
    """Return the values of an option's fields, by field; a list may be that of sizes of tables."""
    name = f"option_{formula}_{key}"
    if not isinstance(value, list):
        return {name: value}
    return {name: _sizes_typed(value)} | {
        f"{name}_{at}": str(item) for at, item in enumerate(value)
    }


def options_in(formula: Formula, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the options of a formula from cleaned fields."""
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
    return [
        name for option in formula.options for name, _made in option_fields(formula.key, option)
    ]
