"""A line of the log sealed: what it tells, its digests, its signature."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from rules.events.log_chain import FIRST, closed_digest, line_digest
from tournaments.chain.facts import Told, everything, plain
from tournaments.chain.heads import keep_head
from tournaments.chain.keys import signed
from tournaments.chain.marks import told_of
from tournaments.models import Event, LogLine
from tournaments.models.touched import forget

CLOSED = ("subject", "before", "after", "reason", "words")
"""The columns of a line that enter the chain as one salted digest."""
CLOSED_ACTORS = frozenset({"call.made"})
"""Acts of players of which nobody outside learns whose they were: that stands in ``after``."""


def open_part(line: LogLine) -> dict[str, Any]:
    """Return what anybody may read of a line once the event is over."""
    return {
        "number": line.number,
        "at": plain(line.at),
        "action": line.action,
        "player": line.player,
        "facts": line.facts,
        "closed": line.closed_digest,
    }


def closed_part(line: LogLine) -> dict[str, Any]:
    """Return the names and words of a line."""
    return {name: getattr(line, name) for name in CLOSED}


def acted(line: LogLine) -> Any:
    """Return the number of the player who acted as the line tells it, None for the staff."""
    if line.action in CLOSED_ACTORS and line.player is None:
        return line.after.get("player")  # lines from before told it openly
    return line.player


def seal(
    event: Event, line: LogLine, *, whole: bool = False, erased: Iterable[int] | None = None
) -> None:
    """Fill in what a new line tells, and hang it on the event's head; the queries of its rows.

    ``whole`` tells everything that counts instead of what was written. ``erased`` are the numbers
    of lines whose closed part was rewritten: all words are told anew.
    """
    whole = whole or not event.head  # the first line of a chain
    told = everything(event) if whole else told_of(event)
    if whole:
        told_of(event)  # drops the marks
    line.facts = as_facts(told, whole=whole)
    line.words = told.words
    if erased is not None:
        line.facts["erased"] = sorted(erased)
        line.words = everything(event).words
    close(line)
    chain(line, event.head or FIRST)


def as_facts(told: Told, *, whole: bool) -> dict[str, Any]:
    """Return what a line tells as it is stored; without what it does not tell."""
    found = {"whole": whole, "gone": told.gone, "rows": told.rows}
    return {key: value for key, value in found.items() if value}


def close(line: LogLine) -> None:
    """Give the closed part of a new line its salted digest."""
    line.salt = secrets.token_bytes(16).hex()
    line.closed_digest = closed_digest(line.salt, closed_part(line))


def chain(line: LogLine, before: str) -> None:
    """Hang a line on the digest of the one before, and sign it."""
    line.digest = line_digest(before, open_part(line))
    line.signature = signed(line.number, line.digest)


def rewrite_closed(line: LogLine, closed: Mapping[str, Any]) -> None:
    """Store other closed columns of a line and throw its salt away; for erasing a person.

    ``closed`` holds some of ``subject``, ``before``, ``after``, ``reason``, ``words``. The digests
    stay, and nobody can try names against them. A line of the log must name ``line.number`` among
    its ``erased`` in the same transaction.
    """
    unknown = set(closed) - set(CLOSED)
    if unknown:
        raise ValueError(f"no closed columns: {sorted(unknown)}")
    for name, value in closed.items():
        setattr(line, name, value)
    line.salt = ""
    line.save(update_fields=[*closed, "salt"])


def take_over(event: Event) -> None:
    """Let the log that came with an event tell of it; one of before there were chains gets one.

    This site vouches for the head that it took over in the file beside the database.
    """
    forget()
    if not event.head:
        begin(event)
    if event.head:
        keep_head(event)


def begin(event: Event) -> LogLine | None:
    """Chain the lines that an event has, of before there were chains; return the last.

    The last line tells everything that counts as it is now, and since when the chain holds. An
    event without lines gets its chain with its first one.
    """
    forget()
    lines = list(event.log.order_by("number"))
    before = FIRST
    for line in lines:
        line.player = line.by_entry.number if line.by_entry is not None else None
        line.facts, line.words = {}, {}
        if line is lines[-1]:
            told = everything(event)
            line.facts = as_facts(told, whole=True) | {"begun": True}
            line.words = told.words
        close(line)
        chain(line, before)
        before = line.digest
    columns = ["player", "facts", "words", "salt", "closed_digest", "digest", "signature"]
    LogLine.objects.bulk_update(lines, columns, batch_size=200)
    if not lines:
        return None
    Event.objects.filter(pk=event.pk).update(head=lines[-1].digest)
    event.head = lines[-1].digest
    return lines[-1]
