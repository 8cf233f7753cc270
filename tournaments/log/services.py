"""Lock an event for writing, and record each write in its log."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from tournaments.chain.heads import keep_head
from tournaments.chain.lines import seal
from tournaments.core.acts import Act
from tournaments.core.permissions import Actor
from tournaments.models import Event, LogLine


def locked(event: Event) -> Event:
    """Return the event from the database, locked until the end of the transaction.

    PostgreSQL locks the row; SQLite has locked the database with BEGIN IMMEDIATE.
    """
    return Event.objects.select_for_update().get(pk=event.pk)


def record(
    event: Event,
    act: Act,
    *,
    by: Actor,
    subject: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
    whole: bool = False,
    erased: Iterable[int] | None = None,
) -> LogLine:
    """Write a log line and set the event's version to its number.

    ``event`` must be locked by this transaction, and the rows must be written before: the line
    commits to the content of all rows written since the last one. ``whole`` and ``erased`` are
    those of ``chain.lines.seal``.
    """
    event.version += 1
    by_entry = by.entry if by.user is None else None
    player = by_entry.number if by_entry is not None else None
    closed = {"player": player} if act.author_is_closed and player is not None else {}
    line = LogLine(
        event=event,
        number=event.version,
        at=timezone.now(),
        by=by.user,
        by_entry=by_entry,
        player=None if closed else player,
        action=act.key,
        subject=subject[:200],
        before=dict(before or {}),
        after=dict(after or {}) | closed,
        reason=reason[:500],
    )
    seal(event, line, whole=whole, erased=erased)
    line.save(force_insert=True)
    event.head = line.digest
    event.save(update_fields=["version", "head"])
    keep_head(event)
    return line
