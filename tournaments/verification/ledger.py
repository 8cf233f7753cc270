"""Replay of the log: the state that its payloads add up to, compared with the tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules.events.ledger import Ledger, incomparable_words
from rules.people.person_names import joined
from tournaments.chain.payload import Payload, event_payload
from tournaments.core.restorations import restoration_of
from tournaments.models import Event, LogLine
from tournaments.verification.finding import Finding

LONGEST = 80


def replay(ledger: Ledger, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Apply the lines of a log to a ledger; yield those that can't be read."""
    for line in lines:
        try:
            ledger.apply(line.number, line.facts, line.words)
        except (AttributeError, TypeError, ValueError):
            words = _("Line %(line)s of the log (%(action)s): its content can't be read.")
            yield Finding("ledger", words % {"line": line.number, "action": line.action})


def check_ledger(event: Event, ledger: Ledger) -> Iterator[Finding]:
    """Yield each difference between the tables and the replayed log; some thirteen queries.

    Accounts of lines that came with an archive are not compared: they were another site's.
    """
    if ledger.since is None:
        if event.version:
            yield Finding("ledger", _("The log does not say what the event holds."))
        return
    stored, restoration = event_payload(event), restoration_of(event)
    brought = restoration.version if restoration else 0
    for place in sorted({*ledger.contents, *stored.rows}, key=_sort_key):
        where, line = _where(place, ledger, stored), ledger.lines.get(place, 0)
        values = {"where": where, "line": line}
        if place not in stored.rows:
            words = _("%(where)s: not stored, though line %(line)s of the log tells of it.")
            yield Finding("ledger", words % values)
        elif place not in ledger.contents:
            words = _("%(where)s: stored, though no line of the log tells of it.")
            yield Finding("ledger", words % values)
        else:
            closed, then_closed = stored.words.get(place, {}), ledger.contents[place].words
            held, logged = stored.rows[place] | closed, ledger.contents[place].row | then_closed
            foreign = {"account"} if line <= brought else set()
            for column in incomparable_words(closed, then_closed) | foreign:
                held.pop(column, None)
                logged.pop(column, None)
            for column, now, then in _differences(held, logged):
                words = _(
                    "%(where)s: %(column)s is %(now)s; by line %(line)s of the log it is %(then)s."
                )
                shown = {
                    "column": column,
                    "now": _shortened_value(now),
                    "then": _shortened_value(then),
                }
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


def _shortened_value(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _sort_key(place: str) -> tuple[Any, ...]:
    parts = place.split("/")
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)


def _where(place: str, ledger: Ledger, stored: Payload) -> str:
    """Return the description of a place for people, with table and players."""
    kind, *rest = place.split("/")
    held = ledger.contents.get(place)
    row: Mapping[str, Any] = stored.rows.get(place) or (held.columns if held else {})
    row = row or stored.words.get(place, {}).get("draft", {})

    def name(number: object) -> str:
        at = f"entry/{number}"
        logged = ledger.contents.get(at)
        words = stored.words.get(at) or (logged.words if logged else {})
        return str(words.get("name", number))

    if kind == "entry":
        return _("Player %(number)s (%(name)s)") % {"number": rest[0], "name": name(rest[0])}
    if kind == "round" and len(rest) > 1:
        values = {"round": rest[0], "match": rest[2], "table": row.get("table") or "–"}
        values["players"] = joined(map(name, row.get("seats", ())))
        return _("Round %(round)s, match %(match)s, table %(table)s (%(players)s)") % values
    if kind == "round":
        return _("Round %s") % rest[0]
    if kind == "stage":
        return _("Stage %s") % rest[0]
    if kind == "draw":
        return _("Draw %s") % rest[0]
    if kind == "penalties":
        return _("Penalties")
    return _("Players kept apart") if kind == "apart" else _("The event")
