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
from tournaments.core.permissions import Actor, require_permission
from tournaments.models import Entry, Event, GivenAnswer, LogLine


def lock_event(event: Event) -> Event:
    """Lock an event until the end of the transaction; return it read again.

    PostgreSQL locks its row; in SQLite BEGIN IMMEDIATE has locked the whole database.
    """
    return Event.objects.select_for_update().get(pk=event.pk)


def begin_act(event: Event, act: Act, *, by: Actor, entry: Entry | None = None) -> Event:
    """Lock an event, check that the actor may do an act, and return the event.

    ``by``: the actor. Other arguments and errors are those of :func:`check_allowed`.
    """
    event = lock_event(event)
    check_allowed(event, act, by=by, entry=entry)
    return event


def check_allowed(event: Event, act: Act, *, by: Actor, entry: Entry | None = None) -> str:
    """Check that ``by``, the actor, may do an act; return the event's state after it.

    ``entry`` is the player concerned, who may do some acts for themselves. Raises PermissionDenied,
    or RuleError if the event's state rules the act out.
    """
    of_staff = act.may is not None and act.may(by, event)
    require_permission(of_staff or (act.player_may and by.is_entry(entry)))
    return next_state("event", event.state, act.state) if act.state else event.state


def text_fingerprint(text: str) -> str:
    """Return a short digest of a text, to detect changes: 20 hexadecimal digits.

    Forms send the digest of the text that the page showed.
    """
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
    whole_event: bool = False,
    erased: Iterable[int] | None = None,
) -> LogLine:
    """Write a log line, raise the event's version to its number, and return the line.

    The transaction must have locked ``event`` and written the rows, because the line contains a
    digest of all rows written since the line before. ``by`` is the actor, ``subject`` names what
    was changed, ``before`` and ``after`` hold the values by key. ``whole_event`` and ``erased`` are
    passed to ``chain.lines.seal_line``.
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
    seal_line(event, line, whole_event=whole_event, erased=erased)
    line.save(force_insert=True)
    event.head = line.digest
    event.save(update_fields=["version", "head"])
    return line


IDEMPOTENCY_KEY = "Idempotency-Key"
LONGEST_KEY = 200
LIFETIME = timedelta(hours=48)


def stored_api_response(
    user: Any, key: str, fingerprint: str, reused: Exception
) -> tuple[GivenAnswer, bool]:
    """Return (stored response to an Idempotency-Key, whether it was created now).

    A new one is empty: the caller fills it in, in the transaction that does what is requested.
    ``key``: the header; ``fingerprint``: the request's digest; raises ``reused`` if the key was
    used with another one. At most four queries.
    """
    GivenAnswer.objects.filter(user=user, at__lt=timezone.now() - LIFETIME).delete()
    found, is_new = GivenAnswer.objects.get_or_create(
        user=user, key=key, defaults={"request_hash": fingerprint}
    )
    if found.request_hash != fingerprint:
        raise reused
    return found, is_new
