"""What a link to the form of a new event fills in."""

import json
from typing import Any

from django.http import HttpRequest

from rules.errors import BadInput
from rules.formulas.base import Formula
from tournaments.core.formulas import formulas_offered
from tournaments.events.forms.choices import FIRST
from tournaments.models import Event

LONGEST_OPTIONS = 500


def typed_values(request: HttpRequest) -> dict[str, Any]:
    """Return the values typed before another template was chosen, from the link's query."""
    found = {name: request.GET[name][:200] for name in FIRST if request.GET.get(name)}
    if found.get("decklists") not in Event.Decklists.values:
        found.pop("decklists", None)
    return found


def advised_settings(request: HttpRequest) -> dict[str, Any]:
    """Return the settings in an adviser's link; invalid ones are ignored."""
    values: dict[str, Any] = {}
    formula, minutes = request.GET.get("formula", ""), request.GET.get("minutes", "")
    offered = {item.key: item for item in formulas_offered(request.user.pk)}
    if formula in offered:
        values["formula"] = formula
        values["options"] = _options_in(offered[formula], request.GET.get("options", ""))
    if minutes.isascii() and minutes.isdigit() and 0 < int(minutes[:4]) <= 600:
        values["minutes"] = int(minutes[:4])
    return values


def _options_in(formula: Formula, text: str) -> dict[str, Any]:
    """Return the options of a formula in an adviser's link; none where they are invalid."""
    try:
        found = json.loads(text[:LONGEST_OPTIONS])
        return dict(formula.checked(found)) if isinstance(found, dict) else {}
    except (ValueError, RecursionError, BadInput):
        return {}
