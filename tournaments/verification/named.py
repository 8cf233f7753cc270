"""Check that the lines of acts that may write much change only what they say they change."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules.events.ledger import COUNTED, kind_of
from rules.events.log_chain import canonical
from tournaments.chain.lines import KEPT_DIGESTS
from tournaments.models import LogLine
from tournaments.verification.finding import Finding

Row = dict[str, Any]

NAMED: Mapping[str, str] = {"event.changed": "event", "entry.changed": "entry/*"}
"""Acts whose lines name each column that they change, and the kind of place they change."""
LISTS: Mapping[str, tuple[str, str]] = {
    "penalty.given": ("penalties", "given"),
    "penalty.match_lost": ("penalties", "given"),
    "penalty.taken_back": ("penalties", "given"),
    "apart.kept": ("apart", "pairs"),
    "apart.ended": ("apart", "pairs"),
}
"""Acts that change one item of a list, and where it stands in the closed words."""


def check_named(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield the lines whose rows change more than their ``before`` and ``after`` name.

    Lines from before digests of kept rows were recorded are not checked.
    """
    rows: dict[str, Row] = {}
    lists: dict[str, Counter[bytes]] = {}
    for line in lines:
        changed = line.facts.get("rows", {})
        places: list[str] = []
        if KEPT_DIGESTS in line.words:
            places = [*_changes_not_named(line, changed, rows), *_lists_changed_twice(line, lists)]
            places += _wrong_states_before(line, changed, rows)
        for place in places:
            words = _("Line %(line)s of the log (%(action)s) changes more than it says: %(place)s.")
            values = {"line": line.number, "action": line.action, "place": place}
            yield Finding("named", words % values)
        rows |= changed
        for place, column in LISTS.values():
            if place in changed or place in line.words:
                lists[place] = _items(line, place, column)
                if not line.salt:
                    del lists[place]  # an erasure rewrote it


def _changes_not_named(
    line: LogLine, changed: Mapping[str, Row], rows: Mapping[str, Row]
) -> Iterator[str]:
    """Yield the columns that affect results and change without being named by the line."""
    kind = NAMED.get(line.action)
    for place, row in changed.items():
        if kind_of(place) == kind and place in rows:
            for column in sorted(COUNTED[kind]):
                named = line.before.get(column) != line.after.get(column)
                if rows[place].get(column) != row.get(column) and not named:
                    yield f"{place}, {column}"


def _wrong_states_before(
    line: LogLine, changed: Mapping[str, Row], rows: Mapping[str, Row]
) -> Iterator[str]:
    """Yield the player or event whose state before the line is not the one that the line names."""
    for prefix, column in (("entry", "status"), ("event", "state")):
        there = [place for place in changed if place.partition("/")[0] == prefix]
        if line.action.startswith(f"{prefix}.") and len(there) == 1 and column in line.before:
            was = rows.get(there[0], {}).get(column)
            if was not in (None, line.before[column]):
                yield f"{there[0]}, {column}"


def _lists_changed_twice(line: LogLine, lists: Mapping[str, Counter[bytes]]) -> Iterator[str]:
    """Yield the place of a list that the line's act changes by one item, if more items differ.

    These are penalties and pairs kept apart; ``lists`` holds the items by place before the line.
    """
    place, column = LISTS.get(line.action, ("", ""))
    if place in lists and line.salt:
        was, now = lists[place], _items(line, place, column)
        if ((was - now) + (now - was)).total() > 1:
            yield place


def _items(line: LogLine, place: str, column: str) -> Counter[bytes]:
    return Counter(map(canonical, line.words.get(place, {}).get(column, [])))
