"""The four laws of the record: what a line of an event's log may tell after those before it.

1. A line tells only what its act may write.
2. A report that was told never changes while its match stands; its words only by an erasure.
3. A draw that was made never changes, and its seed is that of a fingerprint told before, unless the
   draw says otherwise.
4. Undo, redo and a restored snapshot reach only what the line that they name had found
   (``earlier_content``).

What an act may write is a tuple of patterns of places:

``"round/*/match/*: state, +reports"``
    of places that are there these columns may change, and the list ``reports`` may grow;
``"entry/*"``
    a place may be told anew, but no column changes that counts;
``"+round/*"``, ``"-round/*"``
    a place may come; a place may go.

``HELD`` alone stands for law 4.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.events.earlier_content import is_grown, unrestored_changes
from rules.events.ledger import (
    LEFT_OUT,
    Change,
    Content,
    Ledger,
    Line,
    Row,
    affects_results,
    kind_of,
)
from rules.ties.draws import fingerprint

VERSION = 2
"""Version of the laws; the first line that is written under them has it in its facts."""
HELD = ("held",)
MATCH = "round/*/match/*"
DRAW = "draw/*"
BY_RULE = "automatic"
"""The kind of a report that no person made."""
DRAWN = "drawn"
MADE = "+event"
"""The pattern of the act that makes an event."""
SEED_GIVEN = "public seed"
"""The note of a draw whose seed somebody gave."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A law broken by a line, and the place; ``column`` is "" if it is about the place itself."""

    law: int
    place: str
    column: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern, such as ``"round/*/match/*: state, +reports"``.

    ``sign`` is "+" if places of this kind may be added, "-" if they may be removed, "" if their
    ``columns`` may change, and the lists ``grows`` get further items.
    """

    sign: str
    kind: str
    columns: frozenset[str] = frozenset()
    grows: frozenset[str] = frozenset()


@cache
def pattern(text: str) -> Pattern:
    """Parse a pattern of ``Act.writes``; raises ValueError for a malformed one."""
    kind, colon, columns = text.partition(":")
    sign = kind[:1] if kind[:1] in "+-" else ""
    names = [name.strip() for name in columns.split(",")] if colon else []
    kind = kind.removeprefix(sign)
    if not kind.strip() or not all(name.removeprefix("+") for name in names) or (sign and colon):
        raise ValueError(text)
    return Pattern(
        sign,
        kind,
        frozenset(name for name in names if name[0] != "+"),
        frozenset(name[1:] for name in names if name[0] == "+"),
    )


def breaches(
    ledger: Ledger, line: Line, writes: Sequence[str], changes: Sequence[Change]
) -> Iterator[Breach]:
    """Yield the laws that a line breaks.

    ``ledger`` is the state before the line, ``writes`` are the patterns of its act, ``changes`` is
    what ``ledger.changes_by(line)`` returned. A chain that began later than its event is not judged
    before its first line with the whole event.
    """
    if ledger.since is None and (line.facts.get("begun") or MADE not in writes):
        return  # a chain that begins with what was there already
    changed = [each for each in changes if each.differs]
    opened = frozenset(each.place for each in changed if _has_other_state(each))
    for each in changed:
        kind = kind_of(each.place)
        if writes != HELD:
            yield from _breaches_of_writes(each, kind, writes, opened)
        if kind == MATCH and not line.has_whole_event:
            yield from _breaches_of_reports(each, line)
        if kind == DRAW:
            yield from _breaches_of_draw(each, line)
    if writes == HELD:
        yield from (
            Breach(4, place, column) for place, column in unrestored_changes(ledger, line, changes)
        )


def _has_other_state(each: Change) -> bool:
    """Return whether the column ``state`` of a place changed, as when a round is published."""
    return bool(each.before and each.now and _state_column(each.before) != _state_column(each.now))


def _state_column(held: Content) -> Any:
    return held.row.get("state")


def _breaches_of_writes(
    each: Change, kind: str, writes: Sequence[str], opened: Collection[str]
) -> Iterator[Breach]:
    """Yield breaches of the first law: changes of a place that the act may not write.

    ``opened`` are the places whose state the line changes: the matches of a published round become
    public.
    """
    may = [own for own in map(pattern, writes) if own.kind == kind]
    before, now = each.before, each.now
    if before is None or now is None:
        if not any(own.sign == ("+" if before is None else "-") for own in may):
            yield Breach(1, each.place)
        elif now is not None and any(one.get("kind") != BY_RULE for one in _reports_column(now)):
            yield Breach(1, each.place, "reports")
        return
    named = [own for own in may if not own.sign]
    former, present = before.columns, now.columns
    closed = bool(former) != bool(present)  # a draft, for who may not read its words
    if closed and each.place.partition("/match/")[0] in opened:
        return
    if closed or not named:
        yield Breach(1, each.place)
    appeared = dict.fromkeys(LEFT_OUT & (present.keys() - former.keys()))
    for column, was in {**former, **appeared}.items():
        is_now = present.get(column)
        if is_now == was or not affects_results(kind, column):
            continue
        grown = is_grown(was, is_now)
        written = any(column in own.columns or (grown and column in own.grows) for own in named)
        if not written and (grown or column != "reports" or before.is_draft):
            yield Breach(1, each.place, column)


def _reports_column(held: Content) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = held.columns.get("reports", [])
    return found


def _breaches_of_reports(each: Change, line: Line) -> Iterator[Breach]:
    """Yield breaches of the second law: reports of a match that were changed or removed."""
    before, now = each.before, each.now
    if before is None or now is None or not before.row or not now.columns:
        return
    if not is_grown(_reports_column(before), _reports_column(now)):
        yield Breach(2, each.place, "reports")
    elif before.words is not None and now.words is not None and not line.erases:
        how_many = len(_reports_column(before))
        if _report_words(before.words, how_many) != _report_words(now.words, how_many):
            yield Breach(2, each.place, "told")


def _report_words(words: Row, how_many: int) -> list[Row]:
    """Return the closed parts of the first ``how_many`` reports of a match, {} for unknown ones."""
    found: list[Row] = words.get("told") or [{}] * how_many
    return found[:how_many]


def _breaches_of_draw(each: Change, line: Line) -> Iterator[Breach]:
    """Yield breaches of the third law: a changed draw, or a seed without earlier fingerprint."""
    before, now = each.before, each.now
    if now is None:
        yield Breach(3, each.place)
    elif before is not None and _state_column(before) == DRAWN:
        yield from (Breach(3, each.place, column) for column in _changed_columns(before, now, line))
    elif _state_column(now) != DRAWN or now.row.get("by_hand"):
        if (
            before is not None
            and _state_column(now) != DRAWN
            and _fingerprint_of(before) != _fingerprint_of(now)
        ):
            yield Breach(3, each.place, "fingerprint")
    elif _fingerprint_of(now) != fingerprint(str(now.row.get("seed"))):
        yield Breach(3, each.place, "seed")
    elif (before is None or _fingerprint_of(before) != _fingerprint_of(now)) and not is_seed_given(
        now
    ):
        yield Breach(3, each.place, "fingerprint")


def _fingerprint_of(draw: Content) -> Any:
    return draw.row.get("fingerprint")


def _changed_columns(before: Content, now: Content, line: Line) -> Iterator[str]:
    """Yield the columns in which a draw changed, except the stage that a restore has removed."""
    for column, was in before.row.items():
        is_now = now.row.get(column)
        if is_now != was and not (line.has_whole_event and column == "stage" and is_now is None):
            yield column
    if before.words is not None and now.words is not None and not line.erases:
        for column in sorted({*before.words, *now.words}):
            if before.words.get(column) != now.words.get(column):
                yield column


def is_seed_given(draw: Content) -> bool:
    """Return whether the note of a draw names its seed as given; True if the note is unknown."""
    return draw.words is None or draw.words.get("note") == SEED_GIVEN
