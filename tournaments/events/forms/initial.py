"""The initial values of an event's form."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from config.criteria_fields import criteria_initial
from rules.point_parts import points_as_text
from rules.standings.table import DEFAULT_CRITERIA
from tournaments.clock.forms import warnings_typed
from tournaments.core.formulas import begins_with_tables
from tournaments.core.worth import worth_of
from tournaments.events.forms.breaks import breaks_typed
from tournaments.events.forms.cards import card_initial
from tournaments.events.forms.event import MOMENTS, PARTS, PLAIN, SETTINGS
from tournaments.events.forms.formula_fields import open_initial, option_values
from tournaments.events.forms.table_points import POINTS, table_points_initial
from tournaments.models import Event
from tournaments.models.event import usual_warnings


def initial_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for settings by name; defaults for the others."""
    usual = {item.name: item.default for item in Event._meta.fields if item.name in PLAIN}
    plain = {name: item for name, item in usual.items() if isinstance(item, str | int)}
    initial = plain | {name: values[name] for name in PLAIN if name in values}
    worth = worth_of(Event(**{name: values[name] for name in PARTS if name in values}))
    initial |= dict(zip(POINTS, map(points_as_text, worth), strict=True))
    initial["listed"] = str(initial["listed"])
    initial["cards"] = card_initial(values)
    initial["breaks"] = breaks_typed(values.get("breaks") or ())
    initial["warnings"] = warnings_typed(values.get("warnings", usual_warnings()))
    if zone := values.get("time_zone"):
        for name in MOMENTS:
            if values.get(name):
                initial[name] = values[name].astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
    formula = str(initial.get("formula") or "")
    for key, value in (values.get("options") or {}).items():
        initial |= option_values(formula, key, value)
    initial |= open_initial(formula, values.get("open_lists") or ())
    initial |= table_points_initial(values.get("table_points"))
    criteria = values.get("criteria") or DEFAULT_CRITERIA
    return initial | criteria_initial(criteria, at_tables=begins_with_tables(formula))


def settings_of(event: Event) -> dict[str, Any]:
    """Return the settings of an event by name."""
    return {name: getattr(event, name) for name in SETTINGS}
