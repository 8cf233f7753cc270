"""The lock of an event and the line that every write leaves."""

from collections.abc import Mapping
from typing import Any

from tournaments.models import Event, LogLine
from tournaments.permissions import Actor


def locked(event: Event) -> Event:
    """Return the event, fresh, and keep every other writer of it out until the end.

    PostgreSQL locks the row; SQLite's IMMEDIATE transaction has locked the database already.
    """
    return Event.objects.select_for_update().get(pk=event.pk)


def record(
    event: Event,
    action: str,
    *,
    by: Actor,
    subject: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> LogLine:
    """Write the line of a change and raise the event's version to the line's number.

    ``event`` must be locked by this transaction.
    """
    event.version += 1
    event.save(update_fields=["version"])
    return LogLine.objects.create(
        event=event,
        number=event.version,
        by=by.user,
        by_entry=by.entry if by.user is None else None,
        action=action,
        subject=subject[:200],
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason[:500],
    )
