"""The laws of the record (``rules.events.record_laws``), asked of the lines of a log."""

from collections.abc import Iterator, Sequence
from typing import Any

from rules.events.ledger import Ledger, Line
from rules.events.record_laws import HELD, Breach, breaches
from tournaments.core.acts import acts
from tournaments.models import LogLine

NAMED = ("undone", "line", "version")
"""Where a line says to what it goes back: a redo, an undo, a restored snapshot."""


def judged(ledger: Ledger, line: LogLine) -> Iterator[Breach]:
    """Yield the laws that a line breaks, and add it to what was told.

    Raises AttributeError, TypeError, ValueError for a line that can't be read.
    """
    added = _as_line(line, [line.facts, line.words])
    told = ledger.told(added)
    yield from breaches(ledger, added, writes_of(line.action), told)
    ledger.apply(added, told)


def writes_of(action: str) -> tuple[str, ...]:
    """Return what the line of an act may tell; nothing of an act that nobody declares."""
    act = acts().get(action)
    return act.writes if act else ()


def _as_line(line: LogLine, payload: Sequence[Any]) -> Line:
    """Return what a line of the log adds; ``payload`` are its facts and words as stored."""
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
