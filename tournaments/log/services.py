"""Lock an event for writing, record each write in its log, and keep answers by the key of their
request: what is sent twice takes effect once.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.utils import timezone

from rules.events.lifecycle import next_state
from tournaments.chain.lines import seal_line
from tournaments.core.acts import Act
from tournaments.core.permissions import Actor, require
from tournaments.models import Entry, Event, GivenAnswer, LogLine


def locked(event: Event) -> Event:
    """Return the event from the database, locked until the end of the transaction.

    PostgreSQL locks the row; SQLite has locked the database with BEGIN IMMEDIATE.
    """
    return Event.objects.select_for_update().get(pk=event.pk)


def begin(event: Event, act: Act, *, by: Actor, entry: Entry | None = None) -> Event:
    """Lock the event for an act, check it as :func:`check_allowed` does; return the event."""
    event = locked(event)
    check_allowed(event, act, by=by, entry=entry)
    return event


def check_allowed(event: Event, act: Act, *, by: Actor, entry: Entry | None = None) -> str:
    """Check that an act is permitted to ``by`` and possible now; return the state after it.

    ``entry`` is the player in question. Raises PermissionDenied, RuleError of the state.
    """
    of_staff = act.may is not None and act.may(by, event)
    require(of_staff or (act.player_may and by.is_entry(entry)))
    return next_state("event", event.state, act.state) if act.state else event.state


def fingerprint(text: str) -> str:
    """Return a fingerprint of a text that a page shows, to notice that it has changed since."""
    return sha256(text.encode()).hexdigest()[:20]


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
    those of ``chain.lines.seal_line``.
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
    seal_line(event, line, whole=whole, erased=erased)
    line.save(force_insert=True)
    event.head = line.digest
    event.save(update_fields=["version", "head"])
    return line


IDEMPOTENCY_KEY = "Idempotency-Key"
LONGEST_KEY = 200
LIFETIME = timedelta(hours=48)


def given_answer(
    user: Any, key: str, fingerprint: str, reused: Exception
) -> tuple[GivenAnswer, bool]:
    """Return the stored answer to an Idempotency-Key, and whether it is new; at most four queries.

    A new one is to be filled in by the transaction that has the effect, which the caller begins
    before. Raises ``reused`` if the key belongs to a request with another fingerprint.
    """
    GivenAnswer.objects.filter(user=user, at__lt=timezone.now() - LIFETIME).delete()
    found, is_new = GivenAnswer.objects.get_or_create(
        user=user, key=key, defaults={"request_hash": fingerprint}
    )
    if found.request_hash != fingerprint:
        raise reused
    return found, is_new
