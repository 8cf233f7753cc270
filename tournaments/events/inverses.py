"""Inverses of acts of ``events``, and the name to type before one is undone."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from tournaments.core.permissions import Actor
from tournaments.events.services import change_event
from tournaments.models import Event, LogLine
from tournaments.undo.services import not_undoable_error


def undo_settings(event: Event, line: LogLine, by: Actor) -> None:
    """Undo a change of settings by restoring the values in its log line."""
    changes = {key: _setting(key, value) for key, value in line.before.items()}
    reason = line.reason or "undo"
    change_event(event=event, changes=changes, reason=reason, by=by)


def confirmation_names_if_players(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return (event name,) to type before an undo if there are players, else ()."""
    return (event.name,) if event.entries.exists() else ()


def _setting(key: str, value: Any) -> Any:
    """Convert a logged setting to its column value. Raises RuleError for a relation."""
    field = Event._meta.get_field(key)
    if not isinstance(field, models.Field) or field.is_relation:
        raise not_undoable_error()
    if not isinstance(value, str):
        return value
    try:
        return field.to_python(value)
    except ValidationError as error:
        raise not_undoable_error() from error
