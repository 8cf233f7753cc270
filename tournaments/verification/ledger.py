"""Replay of the log: the state that its payloads add up to, compared with the tables."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from tournaments.chain.payload import Payload, Row, below, event_payload
from tournaments.models import Event, LogLine
from tournaments.verification.finding import Finding

LONGEST = 80


@dataclass(slots=True)
class Ledger:
    """State of each place after the lines applied so far, and the line that set it."""

    rows: dict[str, Row] = field(default_factory=dict)
    words: dict[str, Row] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    whole: bool = False
    unread: list[LogLine] = field(default_factory=list)

    def apply(self, line: LogLine) -> None:
        """Apply the payload of a line."""
        facts = line.facts
        if facts.get("whole"):
            self.rows, self.words, self.lines = {}, {}, {}
            self.whole = True
        for place in facts.get("gone", []):
            for gone in list(below(place, self.rows)):
                del self.rows[gone]
                self.words.pop(gone, None)
        for place, row in facts.get("rows", {}).items():
            self.rows[place], self.lines[place] = row, line.number
            self.words.pop(place, None)
        for place, words in line.words.items():
            self.words[place] = words
            self.lines.setdefault(place, line.number)


def replayed(lines: Iterable[LogLine]) -> Ledger:
    """Apply all lines; those with a malformed payload are collected in ``unread``."""
    ledger = Ledger()
    for line in lines:
        try:
            ledger.apply(line)
        except (AttributeError, TypeError, ValueError):
            ledger.unread.append(line)
    return ledger


def check_ledger(event: Event, lines: Iterable[LogLine]) -> Iterator[Finding]:
    """Yield each difference between the tables and the replayed log; some twelve queries."""
    ledger = replayed(lines)
    for unread in ledger.unread:
        words = _("Line %(line)s of the log (%(action)s): its content can't be read.")
        yield Finding("ledger", words % {"line": unread.number, "action": unread.action})
    if not ledger.whole:
        if event.version:
            yield Finding("ledger", _("The log does not say what the event holds."))
        return
    stored = event_payload(event)
    for place in sorted({*ledger.rows, *stored.rows}, key=_order):
        where, line = _where(place, ledger, stored), ledger.lines.get(place, 0)
        values = {"where": where, "line": line}
        if place not in stored.rows:
            words = _("%(where)s: not stored, though line %(line)s of the log tells of it.")
            yield Finding("ledger", words % values)
        elif place not in ledger.rows:
            words = _("%(where)s: stored, though no line of the log tells of it.")
            yield Finding("ledger", words % values)
        else:
            held = stored.rows[place] | stored.words.get(place, {})
            told = ledger.rows[place] | ledger.words.get(place, {})
            for column, now, then in _differences(held, told):
                words = _(
                    "%(where)s: %(column)s is %(now)s; by line %(line)s of the log it is %(then)s."
                )
                shown = {"column": column, "now": _short(now), "then": _short(then)}
                yield Finding("ledger", words % (values | shown))


def _differences(now: Any, then: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each value that differs, and both values."""
    if isinstance(now, dict) and isinstance(then, dict):
        for key in sorted({*now, *then}):
            way = f"{path}.{key}" if path else key
            yield from _differences(now.get(key), then.get(key), way)
    elif isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for at, (one, other) in enumerate(zip(now, then, strict=True), start=1):
            yield from _differences(one, other, f"{path}[{at}]")
    elif now != then:
        yield path, now, then


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _order(place: str) -> tuple[Any, ...]:
    parts = place.split("/")
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)


def _where(place: str, ledger: Ledger, stored: Payload) -> str:
    """Return the description of a place for people, with table and players."""
    kind, *rest = place.split("/")
    row: Mapping[str, Any] = stored.rows.get(place) or ledger.rows.get(place) or {}
    row = row or stored.words.get(place, {}).get("draft", {})

    def name(number: object) -> str:
        at = f"entry/{number}"
        words = stored.words.get(at) or ledger.words.get(at) or {}
        return str(words.get("name", number))

    if kind == "entry":
        return _("Player %(number)s (%(name)s)") % {"number": rest[0], "name": name(rest[0])}
    if kind == "round" and len(rest) > 1:
        values = {"round": rest[0], "match": rest[2], "table": row.get("table") or "–"}
        values |= {
            "a": name(row["a"]) if row.get("a") else "–",
            "b": name(row["b"]) if row.get("b") else "–",
        }
        return _("Round %(round)s, match %(match)s, table %(table)s (%(a)s – %(b)s)") % values
    if kind == "round":
        return _("Round %s") % rest[0]
    if kind == "stage":
        return _("Stage %s") % rest[0]
    if kind == "draw":
        return _("Draw %s") % rest[0]
    if kind == "penalties":
        return _("Penalties")
    return _("Players kept apart") if kind == "apart" else _("The event")
