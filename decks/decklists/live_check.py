"""The check of a list while it is being edited: totals, and problems with their lines."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from decks.checking import Checked
from decks.decklists.selectors import (
    DecklistRow,
    checked_row,
    gravest_first,
    is_unknown,
    violation_rows,
)
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.lines import UnreadableLineError, read_card
from rules.deckbuilding.zones import Zone
from rules.names import name_key, tidy

LONGEST_SHOWN = 80
MOST_SHOWN = 60  # beyond this the text is hardly a list, and the page too long for a phone
_COUNTED = re.compile(r"\s*[0-9]{1,3} \S")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRef:
    """A line of the text by its number, from 1; ``text`` is empty if the message quotes it."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A suggested card name; ``value`` is what its button submits."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A violation in words, the lines concerned, and suggested names."""

    severity: str
    word: str
    text: str
    card: str
    lines: tuple[LineRef, ...]
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneTotal:
    """The size of a zone, its allowed size in words, and whether it fits."""

    label: str
    size: int
    allowed: str
    fits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveCheck:
    """The result of checking a list that is being edited; not stored.

    ``problems`` begin with the errors. Cards that no catalogue knows and that are near to none of
    its names are ``unknown``: one line for all. ``more`` is the number of problems not shown,
    ``side_after`` the empty line after which the side may follow, as Magic Online writes it; 0 if
    the text says by itself what the side is.
    """

    decklist: DecklistRow
    totals: tuple[ZoneTotal, ...]
    problems: tuple[Problem, ...]
    unknown: tuple[Problem, ...]
    more: int
    side_after: int


def live_check(checked: Checked, text: str) -> LiveCheck:
    """Return the totals and problems of a checked text in the active language. No query."""
    lines = _LINE_END.split(text)
    unknown = [item for item in checked.violations if is_unknown(item)]
    others = gravest_first(item for item in checked.violations if not is_unknown(item))
    return LiveCheck(
        decklist=checked_row(checked),
        totals=tuple(_total(zone, checked.deck) for zone in checked.format.zones),
        problems=tuple(_problems(others[:MOST_SHOWN], lines)),
        unknown=tuple(_problems(unknown, lines)),
        more=max(0, len(others) - MOST_SHOWN),
        side_after=_side_after(checked, lines),
    )


def _side_after(checked: Checked, lines: Sequence[str]) -> int:
    """Return the only empty line between cards, where nothing else in the text tells of a side."""
    written = "\n".join(lines).strip().split("\n")
    empty = [at for at, line in enumerate(written, start=1) if not line.strip()]
    side = checked.format.side
    if side is None or len(empty) != 1 or checked.deck.size(side):
        return 0
    counted = all(_COUNTED.match(line) for line in written if line.strip())
    before = next(at for at, line in enumerate(lines) if line.strip())
    return before + empty[0] if counted else 0


def _total(zone: Zone, deck: Deck) -> ZoneTotal:
    size = deck.size(zone.key)
    return ZoneTotal(
        label=translate(zone.label), size=size, allowed=_allowed(zone), fits=zone.allows(size)
    )


def _allowed(zone: Zone) -> str:
    least, most = zone.minimum, zone.maximum
    if zone.or_none and most is not None:
        return _("%(cards)s or none") % {"cards": most}
    if most is None:
        return _("at least %(cards)s") % {"cards": least} if least else ""
    return str(most) if least == most else f"{least}–{most}"


def _problems(violations: Sequence[Violation], lines: Sequence[str]) -> Iterator[Problem]:
    wanted = {name_key(item.card) for item in violations if item.card and item.zone is None}
    by_card = _lines_of(wanted, lines) if wanted else {}
    for item, row in zip(violations, violation_rows(violations), strict=True):
        numbers = by_card.get(name_key(item.card or ""), []) if item.zone is None else []
        numbers = numbers or ([item.line] if item.line else [])
        yield Problem(
            severity=row.severity,
            word=row.word,
            text=row.text,
            card=row.card,
            lines=tuple(
                _ref(number, lines, quoted=item.code != "line.unreadable")
                for number in numbers
                if number <= len(lines)
            ),
            suggestions=tuple(_suggestions(item)),
        )


def _suggestions(violation: Violation) -> Iterator[Suggestion]:
    if violation.line is not None:
        for name in violation.suggestions:
            value = json.dumps([violation.line, violation.card, name], ensure_ascii=False)
            yield Suggestion(name=name, value=value)


def _ref(number: int, lines: Sequence[str], *, quoted: bool) -> LineRef:
    text = tidy(lines[number - 1]) if quoted else ""
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return LineRef(number=number, text=shown)


def _lines_of(wanted: set[str], lines: Sequence[str]) -> dict[str, list[int]]:
    """Return all lines of each card: a violation across zones only names the first one."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        written = tidy(line)
        if not written or written.startswith(("#", "//")):
            continue
        try:
            key = name_key(read_card(written).entry.name)
        except UnreadableLineError:
            continue
        if key in wanted:
            found.setdefault(key, []).append(number)
    return found
