"""The check of a list while it is being edited: totals, and problems with their lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from config.wording import translate
from decks.checking import Checked
from decks.decklists.mending import value_for_line, value_for_name, value_for_ones
from decks.decklists.parts import PartsQuestion, Suggestion, parts_question
from decks.decklists.selectors import (
    DecklistRow,
    checked_row,
    gravest_first,
    is_unknown,
    violation_rows,
)
from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.doubts import shortened
from rules.deckbuilding.headings import COMMENT
from rules.deckbuilding.lines import read_line
from rules.deckbuilding.parts import UNNAMED
from rules.deckbuilding.settling import without_numbers
from rules.deckbuilding.zones import Zone
from rules.names import card_key, tidy

MOST_SHOWN = 60  # beyond this the text is hardly a list, and the page too long for a phone
SEVERAL = 3
"""Lines without a number from which one answer for all is offered."""
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRef:
    """A line of the text by its number, from 1; ``text`` is empty if the message quotes it."""

    number: int
    text: str


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
    its names are ``unknown``: one line for all. ``more`` is the number of problems not shown.
    ``question`` is about the zones of the list's parts, None if they are named.
    """

    decklist: DecklistRow
    totals: tuple[ZoneTotal, ...]
    problems: tuple[Problem, ...]
    unknown: tuple[Problem, ...]
    more: int
    question: PartsQuestion | None


def live_check(checked: Checked, text: str) -> LiveCheck:
    """Return the totals and problems of a checked text in the active language. No query."""
    lines = _LINE_END.split(text)
    unknown = [item for item in checked.violations if is_unknown(item)]
    shown = (item for item in checked.violations if not is_unknown(item) and item.code != UNNAMED)
    others = gravest_first(shown)
    return LiveCheck(
        decklist=checked_row(checked),
        totals=tuple(_zone_total(zone, checked.deck) for zone in checked.format.zones),
        problems=tuple(_with_ones(others, _problems(others[:MOST_SHOWN], lines))),
        unknown=tuple(_problems(unknown, lines)),
        more=max(0, len(others) - MOST_SHOWN),
        question=parts_question(checked, lines) if checked.deck.parts else None,
    )


def _zone_total(zone: Zone, deck: Deck) -> ZoneTotal:
    size = deck.size(zone.key)
    return ZoneTotal(
        label=translate(zone.label), size=size, allowed=_allowed_sizes(zone), fits=zone.allows(size)
    )


def _allowed_sizes(zone: Zone) -> str:
    least, most = zone.minimum, zone.maximum
    if zone.or_none and most is not None:
        return _("%(cards)s or none") % {"cards": most}
    if most is None:
        return _("at least %(cards)s") % {"cards": least} if least else ""
    return str(most) if least == most else f"{least}–{most}"


def _problems(violations: Sequence[Violation], lines: Sequence[str]) -> Iterator[Problem]:
    wanted = {card_key(item.card) for item in violations if item.card and item.zone is None}
    by_card = _lines_by_card(wanted, lines) if wanted else {}
    for item, row in zip(violations, violation_rows(violations), strict=True):
        numbers = by_card.get(card_key(item.card or ""), []) if item.zone is None else []
        numbers = numbers or ([item.line] if item.line else [])
        yield Problem(
            severity=row.severity,
            word=row.word,
            text=row.text,
            card=row.card,
            lines=tuple(
                _line_ref(number, lines, quoted=item.code != "line.unreadable")
                for number in numbers
                if number <= len(lines)
            ),
            suggestions=tuple(_suggestions(item, lines)),
        )


def _with_ones(violations: Sequence[Violation], problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems; the first line without a number of many offers one answer for all."""
    asked = without_numbers(violations)
    first = asked[0] if len(asked) >= SEVERAL else None
    for violation, problem in zip(violations, problems, strict=False):
        if violation is not first:
            yield problem
            continue
        name = _("1 before each of the %(count)s lines without a number") % {"count": len(asked)}
        answer = Suggestion(name=name, value=value_for_ones())
        yield replace(problem, suggestions=(*problem.suggestions, answer))


def _suggestions(violation: Violation, lines: Sequence[str]) -> Iterator[Suggestion]:
    number = violation.line
    if number is None or number > len(lines):
        return
    was = tidy(lines[number - 1])
    for other in violation.suggestions:
        if violation.card is not None:
            yield Suggestion(name=other, value=value_for_name(number, violation.card, other))
        else:
            yield Suggestion(name=other, value=value_for_line(number, was, other))
    comment = f"{COMMENT} {was}"
    if violation.code in ("line.no_card", "line.unclear") and comment not in violation.suggestions:
        without = value_for_line(number, was, comment)
        yield Suggestion(name=_("Leave this line out"), value=without)


def _line_ref(number: int, lines: Sequence[str], *, quoted: bool) -> LineRef:
    return LineRef(number=number, text=shortened(tidy(lines[number - 1])) if quoted else "")


def _lines_by_card(wanted: set[str], lines: Sequence[str]) -> dict[str, list[int]]:
    """Return all lines of each card: a violation across zones only names the first one."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        written = tidy(line)
        if not written or written.startswith(("#", COMMENT)):
            continue
        try:
            key = read_line(line).entry.key
        except UnreadableLineError:
            continue
        if key in wanted:
            found.setdefault(key, []).append(number)
    return found
