"""What a link to the form of a new event fills in."""

from typing import Any

from django.http import HttpRequest

from decks.files.strict_json import strict_json
from rules.deckbuilding.data.files import ReadyMade
from rules.errors import BadInput
from rules.formulas.base import Formula
from rules.names import name_key
from tournaments.core.formulas import formulas_offered
from tournaments.events.forms.choices import FIRST
from tournaments.models import Event

LONGEST_OPTIONS = 500
GAME = ("game", "format_name")
"""What is asked of a game that did not come with the program."""


def typed_values(request: HttpRequest, ready: ReadyMade | None = None) -> dict[str, Any]:
    """Return the values typed before another template was chosen, from the link's query.

    The beginning of the name of the game of ``ready`` gives way to the whole.
    """
    names = (*FIRST, *GAME)
    found = {name: request.GET[name][:200] for name in names if request.GET.get(name)}
    if found.get("decklists") not in Event.Decklists.values:
        found.pop("decklists", None)
    if ready is not None and name_key(ready.game).startswith(name_key(found.get("game", ""))):
        found.pop("game", None)
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
        found = strict_json(text[:LONGEST_OPTIONS])
        return dict(formula.checked(found)) if isinstance(found, dict) else {}
    except (ValueError, BadInput):
        return {}
