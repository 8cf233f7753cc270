"""What is sent of an event, as the services take it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from config.wording import explain
from rules.errors import BadInput
from rules.formulas.base import check
from tournaments.models import Event
from tournaments.permissions import Actor
from tournaments.selectors.formulas import formula_of
from tournaments.services.events import move_event

# What a status asks for, by the action that leads to it.
MOVES = {
    "registration": "open_registration",
    "closed": "close_registration",
    "finished": "finish",
    "running": "reopen",
}
NO_SETTING = frozenset({"legs", "status", "reason", "version"})


def settings_of(values: Mapping[str, Any], event: Event | None = None) -> dict[str, Any]:
    """Return validated input as the services take it: legs become an option of the formula."""
    settings = {key: value for key, value in values.items() if key not in NO_SETTING}
    points = settings.pop("points", None)
    if points:
        settings |= {f"points_{key}": value for key, value in points.items()}
    formula = settings.get("formula") or (event.formula if event else "")
    if "options" in settings or "legs" in values:
        before = event.options if event and event.formula == formula else {}
        options = {**before, **settings.get("options", {})}
        if "legs" in values:
            options |= _legs_option(formula, values["legs"])
        settings["options"] = options
    elif event is not None and formula != event.formula:
        settings["options"] = {}
    return settings


def _legs_option(formula: str, legs: int | list[int]) -> dict[str, Any]:
    """Return the option that says how often each pair meets; nothing where one leg is all."""
    option = next((o for o in formula_of(formula).options if o.key == "legs"), None)
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


def stored(write: Any) -> Event:
    """Return what a service stored; a bad option is told as a field."""
    try:
        event: Event = write()
    except BadInput as fault:
        fields = {
            "bad_name": "name",
            "bad_option": "options",
            "bad_criteria": "criteria",
            "bad_registration": "registration_opens",
            "unknown_format": "format",
            "foreign_format": "format",
            "foreign_formula": "formula",
            "unknown_formula": "formula",
        }
        if fault.code in fields:
            raise ValidationError({fields[fault.code]: [explain(fault)]}) from None
        raise
    return event


def moved(event: Event, status: str | None, actor: Actor) -> Event:
    """Return the event brought to a status by the action that leads there."""
    if status is None or status == event.state:
        return event
    if status not in MOVES:
        raise ValidationError({"status": [_("An event can't be given this status.")]})
    if status == "running" and event.state != Event.State.FINISHED:
        raise ValidationError({"status": [_("An event is started by its own call, start/.")]})
    return move_event(event=event, action=MOVES[status], by=actor)
