"""Fields that say in which stages lists are open, one a stage that a formula can have."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.wording import translate
from rules.formulas.base import Formula
from tournaments.open_lists import Audience, audiences, kept, possible_stages

CHOICES = (
    (str(Audience.NOBODY), _("closed")),
    (str(Audience.OPPONENTS), _("open to the opponents")),
    (str(Audience.ALL), _("open to everybody who plays in it")),
)


def open_fields(formula: Formula) -> Iterator[tuple[str, forms.Field]]:
    """Make the field of each stage that a formula can have, with its name."""
    for key, label in possible_stages(formula).items():
        made = forms.ChoiceField(label=translate(label), choices=CHOICES, required=False)
        yield _name(formula.key, key), made


def open_in(formula: Formula, values: Mapping[str, Any]) -> list[str]:
    """Return the setting as a formula's fields hold it."""
    return kept(
        {key: Audience(values[_name(formula.key, key)] or "") for key in possible_stages(formula)}
    )


def open_initial(formula: str, open_lists: Iterable[str]) -> dict[str, str]:
    """Return what the fields of a formula show of the setting."""
    return {_name(formula, key): str(whom) for key, whom in audiences(open_lists).items()}


def _name(formula: str, stage: str) -> str:
    return f"open_{formula}_{stage}"
