"""The fourth law of the record: undo, redo and restored snapshots only bring back earlier content.

Such a line names another one (``Line.names``): undo and redo the act that they reverse, a restored
snapshot the last line in it. Each place that it changes must get the content of that time. Exempt
are columns that only grow (versions, reports, as a restored result is a new report equal to the
earlier one, and who sat at a match before), the draws of a restored event, and columns that
``ledger.affects_results`` excludes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rules.events.ledger import (
    COUNTED,
    DRAFT,
    LEFT_OUT,
    Change,
    Content,
    Ledger,
    Line,
    Row,
    affects_results,
    kind_of,
)

OF_A_REPORT = ("version", "kind", "at")
"""Columns in which a report that counts again differs from the earlier one."""


def unrestored_changes(
    ledger: Ledger, line: Line, changes: Sequence[Change]
) -> Iterator[tuple[str, str]]:
    """Yield (place, column) of each change by an undo that does not restore the earlier content.

    A column "" means that the place itself came or went. Yields nothing where the line goes back to
    before the ledger begins (``Ledger.since``).
    """
    if line.names is None or line.names >= line.number:
        yield from ((each.place, "") for each in changes if each.differs)
        return
    then = line.names if line.has_whole_event else ledger.before(line.names)
    if ledger.since is None or then < ledger.since:
        return
    for each in _places_to_compare(ledger, line, changes, then):
        was = ledger.at(each.place, then)
        yield from ((each.place, column) for column in _new_columns(each, was, line))


def _places_to_compare(
    ledger: Ledger, line: Line, changes: Sequence[Change], then: int
) -> Iterator[Change]:
    """Yield the places to compare with earlier content: those changed, or all after a restore."""
    yield from (each for each in changes if each.differs or line.has_whole_event)
    if line.has_whole_event:
        here = {each.place for each in changes}
        yield from (Change(each, None, None) for each in ledger.places(then) if each not in here)


def _new_columns(each: Change, was: Content | None, line: Line) -> Iterator[str]:
    """Yield the columns whose value is neither the earlier one nor the one before the line.

    Yields "" if the place itself was added or removed and that restores nothing.
    """
    if each.place.startswith("draw/"):
        return
    now, before = each.now, None if line.has_whole_event else each.before
    if now is None or was is None:
        if now is not was:
            yield ""
        return
    kind = kind_of(each.place)
    if not (_who_sat(now) == _who_sat(was) if before is None else _names_who_sat(before, now, was)):
        yield "earlier"
    for column, value in now.columns.items():
        untold = None if column in LEFT_OUT and column != "earlier" else value
        if value == was.columns.get(column, untold) or not affects_results(kind, column):
            continue
        if before is None or not (
            value == before.columns.get(column) or _has_only_grown(column, before, now, was)
        ):
            yield column
    if kind not in COUNTED and now.words is not None and was.words is not None:
        yield from _new_words(now.words, was.words, before.words if before else None)


def _has_only_grown(column: str, before: Content, now: Content, was: Content) -> bool:
    """Return whether a column of a match changed only by the new report of a restored result."""
    if column == "version":
        return bool(now.columns[column] >= before.columns.get(column, 0))
    if column == "earlier":
        return True
    old, new = before.columns.get("reports", []), now.columns.get("reports", [])
    if column not in ("reports", "decision") or not is_grown(old, new):
        return False
    counted = _deciding_report(was)
    again = [
        one
        for one in new[len(old) :]
        if counted and _comparable_report(one) == _comparable_report(counted)
    ]
    if column == "reports":
        return len(again) == len(new) - len(old) <= 1
    return _deciding_report(now) in again


def _who_sat(match: Content) -> list[Row]:
    """Return who sat at a match before, up to which report; empty for other places."""
    found: list[Row] = match.columns.get("earlier", [])
    return found


def _names_who_sat(before: Content, now: Content, was: Content) -> bool:
    """Return whether a match names nobody more than who sat there before the line.

    When and where it is played may be told with them, as in the earlier content.
    """
    old, new = _who_sat(before), _who_sat(now)
    sat = {"until": before.columns.get("version"), "seats": before.columns.get("seats")}
    told = _who_sat(was)[-1] | sat if _who_sat(was) else sat
    return is_grown(old, new) and all(each in (sat, told) for each in new[len(old) :])


def _deciding_report(match: Content) -> Row | None:
    """Return the report that is the decision of a match, None without one."""
    decision = match.columns.get("decision")
    found = (one for one in match.columns.get("reports", []) if one.get("version") == decision)
    return next(found, None)


def _comparable_report(report: Row) -> Row:
    return {name: value for name, value in report.items() if name not in OF_A_REPORT}


def _new_words(now: Row, was: Row, before: Row | None) -> Iterator[str]:
    """Yield the closed columns with a new value; of a list, such as penalties, with a new item."""
    passed = {DRAFT} | ({"told"} if before is not None else set())
    for column in sorted({*now, *was} - passed):
        value = now.get(column)
        known = [words.get(column) for words in (was, before) if words is not None]
        if value in known:
            continue
        items = [item for one in known if isinstance(one, list) for item in one]
        listed = isinstance(value, list) and before is not None
        if not listed or not all(item in items for item in value or ()):
            yield column


def is_grown(before: Any, now: Any) -> bool:
    """Return whether ``now`` is the list ``before``, possibly with more items at its end.

    Items that are objects may have gained keys, as later versions of the program write more of
    them.
    """
    lists = isinstance(before, list) and isinstance(now, list)
    return lists and len(now) >= len(before) and all(map(_is_same, before, now))


def _is_same(before: Any, now: Any) -> bool:
    if isinstance(before, dict) and isinstance(now, dict):
        return before.items() <= now.items()
    return bool(before == now)
