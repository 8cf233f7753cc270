"""Advice on formulas as rows of text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from config.wording import translate
from rules.errors import RuleError
from rules.formulas import FORMULAS
from rules.formulas.adviser import Advice, advise, too_small
from rules.formulas.base import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """A stage, and when it ends, counted from the start of the event."""

    label: str
    rounds: int
    matches: int
    ends: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceRow:
    """Advice on a formula; ``take`` is the URL of a new event with it."""

    id: str
    label: str
    about: str
    twice: bool
    fits: bool
    rounds: int
    matches: int
    lasts: str
    stages: tuple[StageRow, ...]
    needs: tuple[str, ...]
    take: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvicePage:
    """Advice on all formulas, those that fit first; ``small`` names those for more players."""

    rows: tuple[AdviceRow, ...]
    small: tuple[str, ...]

    @property
    def fitting(self) -> int:
        """Return the number of formulas that fit."""
        return sum(row.fits for row in self.rows)


def advice_page(
    asked: Mapping[str, Any], *, template: str = "", formulas: Iterable[Formula] = FORMULAS
) -> AdvicePage:
    """Return the advice for a valid form's values; no query.

    ``template`` is kept in the links to a new event.
    """
    try:
        advices = advise(**asked, twice=True, formulas=formulas)
    except RuleError:  # too few players for any: each says how many it needs
        advices = ()
    small = _("%(formula)s: at least %(minimum)s players.")
    return AdvicePage(
        rows=tuple(_row(advice, asked, template) for advice in advices),
        small=tuple(
            small % {"formula": translate(formula.label), "minimum": formula.minimum}
            for formula in too_small(asked["players"], formulas)
        ),
    )


def _row(advice: Advice, asked: Mapping[str, Any], template: str) -> AdviceRow:
    chosen = {"formula": advice.formula.key, "minutes": asked["minutes"]}
    if advice.twice:
        chosen["twice"] = 1
    if template:
        chosen["template"] = template
    return AdviceRow(
        id=f"{advice.formula.key}{'-twice' if advice.twice else ''}",
        label=translate(advice.formula.label),
        about=translate(advice.formula.about),
        twice=advice.twice,
        fits=advice.fits,
        rounds=advice.rounds,
        matches=advice.matches,
        lasts=lasting(advice.minutes),
        stages=tuple(
            StageRow(
                label=translate(stage.label),
                rounds=stage.rounds,
                matches=stage.matches,
                ends=lasting(stage.ends),
            )
            for stage in advice.stages
        ),
        needs=tuple(translate(sentence) for sentence in advice.needs),
        take=f"{reverse('tournaments:event-new')}?{urlencode(chosen)}",
    )


def lasting(minutes: int) -> str:
    """Return minutes as text in hours and minutes."""
    hours, rest = divmod(minutes, 60)
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": f"{rest:02}"}
