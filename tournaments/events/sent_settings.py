"""Settings of an event as programs send them, and as the services take them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from config.wording import explain
from rules.errors import BadInput
from rules.formulas.base import check
from tournaments.core.formulas import begins_with_tables, formula_of
from tournaments.core.worth import worth_in_columns, worth_of
from tournaments.events.services.settings import usual_settings
from tournaments.models import Event

NO_SETTING = frozenset({"legs", "status", "reason", "version"})


def settings_of(values: Mapping[str, Any], event: Event | None = None) -> dict[str, Any]:
    """Convert validated input to values of the services: ``legs`` becomes a formula option."""
    settings = {key: value for key, value in values.items() if key not in NO_SETTING}
    points = settings.pop("points", None)
    formula = settings.get("formula") or (event.formula if event else "")
    if points:
        settings |= _points_settings(formula, points, settings.get("format"), event)
    elif event is not None and formula != event.formula:
        settings["table_points"] = None
    if "breaks" in settings:
        settings["breaks"] = [dict(one) for one in settings["breaks"]]
    if "memberships" in settings:
        terms, names = event.contact_terms if event else {}, settings.pop("memberships")
        if names != terms.get("memberships", []):
            settings["contact_terms"] = {**terms, "memberships": names}
    if "options" in settings or "legs" in values:
        before = event.options if event and event.formula == formula else {}
        options = {**before, **settings.get("options", {})}
        if "legs" in values:
            options |= _legs_option(formula, values["legs"])
        settings["options"] = options
    elif event is not None and formula != event.formula:
        settings["options"] = {}
    return settings


def _points_settings(
    formula: str, points: Mapping[str, Any], format_slug: str | None, event: Event | None
) -> dict[str, Any]:
    """Return points as settings: those of places where the formula has tables of three and more.

    Raises ValidationError.
    """
    if begins_with_tables(formula):
        return {"table_points": {key: _whole_points(value) for key, value in points.items()}}
    unused = sorted(set(points) - {"win", "draw", "loss"})
    if unused:
        words = _("Only formulas with tables have this: %(what)s.") % {"what": ", ".join(unused)}
        raise ValidationError({"points": [words]})
    return _points_columns(points, format_slug, event)


def _whole_points(value: Any) -> Any:
    """Return points as JSON; raises ValidationError for a part of a point."""
    if isinstance(value, Fraction):
        if value.denominator > 1:
            raise ValidationError({"points": [_("At tables points are whole numbers.")]})
        return int(value)
    return value


def _points_columns(
    points: Mapping[str, Fraction], format_slug: str | None, event: Event | None
) -> dict[str, Any]:
    """Return the columns of the points sent; those left out are the event's, else the usual."""
    usual = {} if event else usual_settings(str(format_slug))
    present = event or Event(**{key: one for key, one in usual.items() if "points" in key})
    worth = dict(zip(("win", "draw", "loss"), worth_of(present), strict=True))
    return worth_in_columns(**{**worth, **points})


def _legs_option(formula: str, legs: int | list[int]) -> dict[str, Any]:
    """Return the formula option ``legs``, empty if the formula has none. Raises ValidationError."""
    option = formula_of(formula).option("legs")
    if option is None:
        if legs in (1, [1]):
            return {}
        raise ValidationError({"legs": [_("This formula has one leg.")]})
    value: object = legs[0] if isinstance(legs, list) and len(legs) == 1 else legs
    if option.kind == "choices":
        value = [legs] * len(option.items) if isinstance(legs, int) else legs
    try:
        return {"legs": check(option, value)}
    except BadInput as wrong:
        raise ValidationError({"legs": [explain(wrong)]}) from None
