"""Check of log lines against the laws of the record: of new ones by ``seal``, of all by ``verify``.

Each process caches the ledgers of a few events with the digest of the last line applied. So a line
that was rolled back is noticed, and lines of other processes are read before the next one.
"""

import json
import logging
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from config.databases.prepared import KEY, NUMBER, Prepared
from rules.events.ledger import Change, Ledger, Line
from rules.events.record_laws import HELD, VERSION, Breach, breaches
from tournaments.core.acts import acts
from tournaments.models import Event, LogLine

logger = logging.getLogger(__name__)

NAMED = ("undone", "line", "version")
"""Where a line says to what it goes back: a redo, an undo, a restored snapshot."""
MOST_EVENTS = 8
"""Number of events whose ledger a process holds."""


class BrokenLaw(Exception):  # noqa: N818 - a fault of the record, not of the program
    """A line breaks a law of the record, so it is not signed, and nothing is stored."""


@dataclass(slots=True)
class _LedgerUpTo:
    """The ledger of an event up to a line, and the line after it, which may not be committed."""

    ledger: Ledger = field(default_factory=Ledger)
    number: int = 0
    digest: str = ""
    following: tuple[LogLine, Line, Sequence[Change]] | None = None

    def reach(self, event: Event) -> bool:
        """Apply the lines up to the event's head; return False if the log does not lead there."""
        following, self.following = self.following, None
        if following is not None and following[0].digest == event.head:
            self._add(*following)
        if self.digest != event.head:
            self._read(event)
        return self.digest == event.head

    def _read(self, event: Event) -> None:
        for row in LINES.values(event.pk, self.number):
            line = LogLine(**dict(zip(COLUMNS, row, strict=True)))
            if line.number > self.number:
                added = _as_line(line, [line.facts, line.words])
                self._add(line, added, self.ledger.changes_by(added))
            elif line.digest != self.digest:
                return

    def _add(self, line: LogLine, added: Line, changes: Sequence[Change]) -> None:
        self.ledger.apply(added, changes)
        self.number, self.digest = line.number, line.digest


COLUMNS = ("number", "action", "facts", "words", "after", "digest")
LINES = Prepared(
    lambda: (
        LogLine.objects.filter(event=KEY, number__gte=NUMBER)
        .order_by("number")
        .values_list(*COLUMNS)
    )
)
"""The lines of an event from a number on."""
held: OrderedDict[int, _LedgerUpTo] = OrderedDict()
"""What this process knows of events, by key, those of the last lines at the end."""


def check_new_line(event: Event, line: LogLine) -> None:
    """Check a new line against the laws before it is signed; raises BrokenLaw.

    The first line under a version of the laws has it in its facts. No query if this process wrote
    the line before, else one. Nothing is checked if the log does not lead to the event's head,
    which ``verify`` reports.
    """
    known = _cached_ledger(event)
    if known is None:
        return
    if known.ledger.laws != VERSION:
        line.facts["laws"] = VERSION
    added = _as_line(line, json.loads(json.dumps([line.facts, line.words])))
    changes = known.ledger.changes_by(added)
    broken = [
        f"law {breach.law}: {line.action} at {breach.place} {breach.column}".rstrip()
        for breach in breaches(known.ledger, added, writes_of(line.action), changes)
    ]
    if broken:
        logger.error("A line of event %s was not signed: %s", event.pk, "; ".join(broken))
        raise BrokenLaw(*broken)
    known.following = line, added, changes
    held[event.pk] = known
    while len(held) > MOST_EVENTS:
        held.popitem(last=False)


def _cached_ledger(event: Event) -> _LedgerUpTo | None:
    """Return the ledger of the lines up to the event's head, taken out of the cache."""
    for known in (held.pop(event.pk, None), _LedgerUpTo()):
        try:
            if known is not None and known.reach(event):
                return known
        except (AttributeError, TypeError, ValueError):
            logger.warning("The log of event %s can't be read.", event.pk)
    return None


def laws_broken_by(ledger: Ledger, line: LogLine) -> Iterator[Breach]:
    """Apply a line to the ledger and yield the laws that it breaks.

    Raises AttributeError, TypeError, ValueError for a malformed line.
    """
    added = _as_line(line, [line.facts, line.words])
    changes = ledger.changes_by(added)
    yield from breaches(ledger, added, writes_of(line.action), changes)
    ledger.apply(added, changes)


def writes_of(action: str) -> tuple[str, ...]:
    """Return the patterns of what the line of an act may write, () for an unknown act."""
    act = acts().get(action)
    return act.writes if act else ()


def _as_line(line: LogLine, payload: Sequence[Any]) -> Line:
    """Return a log line as the rules' ``Line``; ``payload`` are its facts and words as stored."""
    facts, words = payload
    after = line.after if writes_of(line.action) == HELD else {}
    named = map(after.get, NAMED)
    return Line(
        number=line.number,
        facts=facts,
        words=words,
        names=next((number for number in named if type(number) is int), None),
        since=after.get("since"),
    )
