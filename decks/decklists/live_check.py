"""The check of a list while it is being edited: totals, and problems with their lines.

``unnamed_parts_context`` asks what the parts of a list are; ``apply_edit`` takes the answers to
what is asked, as the buttons beside the list send them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from decks.checking import CheckedDeck
from decks.decklists.card_rows import edit_button_value, short_error, zone_rows
from decks.decklists.selectors import (
    checked_deck_row,
    is_unknown_card,
    sort_by_severity,
    violation_rows,
)
from decks.files.limits import parse_strict_json
from decks.labels import zone_label
from decks.readers.base import zone_heading
from decks.rulebook import DeckRules
from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.catalogue import CardCatalogue
from rules.deckbuilding.deck import Deck, DeckSection, Violation
from rules.deckbuilding.edits import add_card, replace_count, replace_name
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import COMMENT
from rules.deckbuilding.lines import (
    NO_CARDS,
    UNNAMED,
    add_part_headings,
    line_range,
    possible_zone_assignments,
    read_line,
    remove_part_breaks,
    replace_line,
)
from rules.deckbuilding.settling import add_missing_counts, missing_count_violations, shorten_line
from rules.deckbuilding.text import parse_decklist
from rules.deckbuilding.zones import Zone
from rules.errors import BadInput
from rules.names import card_key, clean_line

CHOSEN = "chosen"
"""The parts are as in the fields beside the button, one for each."""
JOINED = "joined"
"""The parts are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistEdit:
    """A button pressed beside a decklist: its value ``order``, and the fields with it.

    ``order`` is the JSON of ``edit_button_value``. ``chosen`` are zones of the list's parts;
    ``card`` and ``zone`` a card to add.
    """

    order: str
    chosen: Sequence[str] = ()
    card: str = ""
    zone: str = ""


def apply_edit(text: str, answer: DecklistEdit, rules: DeckRules) -> str:
    """Return the text of a decklist after the change that a pressed button asks for.

    Raises BadInput ``bad_request`` for an order that no button sends, RuleError ``line_changed``
    and ``name_unwritable`` if the list has changed meanwhile.
    """
    try:
        order = parse_strict_json(answer.order)
    except ValueError:
        raise _unknown_order_error() from None
    match order:
        case {"line": int() as line, "card": str() as card, "becomes": str() as becomes}:
            return replace_name(text, _number(line), card, becomes)
        case {"line": int() as line, "was": str() as was, "becomes": str() as becomes}:
            return replace_line(text, _number(line), was, becomes)
        case {"line": int() as line, "card": str() as card, "count": int() as count}:
            return replace_count(text, _number(line), card, _number(count))
        case {"add": True}:
            return _with_card(text, answer, rules)
        case {"ones": True}:
            return add_missing_counts(text, parse_decklist(text, rules.format, rules.catalogue))
        case {"parts": parts}:
            return _with_parts(text, parts, answer, rules)
    raise _unknown_order_error()


def _number(line: int) -> int:
    if isinstance(line, bool):
        raise _unknown_order_error()
    return line


def _with_card(text: str, answer: DecklistEdit, rules: DeckRules) -> str:
    """Return the text with the card typed beside it; without one as it is."""
    shape = rules.format
    zone = answer.zone if answer.zone in shape.zone_keys else shape.main
    if not answer.card.strip():
        return text
    deck = parse_decklist(text, shape, rules.catalogue)
    return add_card(text, deck, zone, answer.card, zone_heading(zone, shape))


def _with_parts(text: str, parts: Any, answer: DecklistEdit, rules: DeckRules) -> str:
    shape = rules.format
    deck = parse_decklist(text, shape, rules.catalogue)
    if parts == JOINED:
        return remove_part_breaks(text, deck, shape)
    zones = list(answer.chosen) if parts == CHOSEN else parts
    if not isinstance(zones, list) or not {*map(str, zones)} <= {*shape.zone_keys, NO_CARDS}:
        raise _unknown_order_error()
    return add_part_headings(text, deck, zones, lambda zone: zone_heading(zone, shape))


def _unknown_order_error() -> BadInput:
    return BadInput("bad_request", "Choose one of the options.")


LONGEST_SHOWN = 40
MOST_ASKED = 12  # parts one by one: more are hardly zones


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A suggested change of a decklist: a button's label, and the value that it submits."""

    name: str
    value: str


def unnamed_parts_context(checked: CheckedDeck, lines: Sequence[str]) -> dict[str, Any]:
    """Return the template context that asks for the zones of a list's unnamed parts.

    Keys: ``text``, ``rows`` (one per part; none if there are many), ``suggestions`` for all parts
    at once, ``zones`` to choose from, the ``main`` one, ``chosen`` (the value of the submit
    button). No query. Raises StopIteration if the list has no such violation.
    """
    shape, parts = checked.format, checked.deck.parts
    violation = next(item for item in checked.violations if item.code == UNNAMED)
    whole = _("Put everything in: %(zone)s") % {"zone": zone_label(shape.main, shape)}
    known = [(zone.key, translate(zone.label)) for zone in shape.zones]
    return {
        "text": translate(violation.sentence),
        "rows": tuple(_row(part, lines) for part in parts) if len(parts) <= MOST_ASKED else (),
        "suggestions": (
            *(
                Suggestion(
                    name=_in_words(zones, parts, shape), value=edit_button_value(parts=zones)
                )
                for zones in possible_zone_assignments(parts, shape)
            ),
            Suggestion(name=whole, value=edit_button_value(parts=JOINED)),
        ),
        "zones": (*known, (NO_CARDS, _("no cards"))),
        "main": shape.main,
        "chosen": edit_button_value(parts=CHOSEN),
    }


def _in_words(zones: Sequence[str], parts: Sequence[DeckSection], shape: DeckFormat) -> str:
    words = [
        _("Line %(line)s is a heading") % {"line": part.first}
        if zone == NO_CARDS
        else f"{zone_label(zone, shape)} {part.cards}"
        for zone, part in zip(zones, parts, strict=True)
    ]
    return " · ".join(words)


def _row(part: DeckSection, lines: Sequence[str]) -> dict[str, Any]:
    text = clean_line(lines[part.first - 1])
    begins = shorten_line(text, LONGEST_SHOWN)
    return {
        "first": part.first,
        "span": line_range(part),
        "cards": part.cards,
        "begins": begins,
    }


MOST_SHOWN = 60  # beyond this the text is hardly a list, and the page too long for a phone
SEVERAL = 3
"""Lines without a number from which one answer for all is offered."""
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationDetails:
    """A violation for display, with the lines concerned and suggested changes.

    ``label`` is its severity, ``mark`` the error in a few words. ``lines`` are {number, text};
    ``cure`` is the one change of a count that resolves it.
    """

    severity: str
    label: str
    text: str
    card: str
    mark: str
    lines: tuple[dict[str, Any], ...]
    suggestions: tuple[Suggestion, ...]
    cure: Suggestion | None = None


def live_check_context(
    checked: CheckedDeck, text: str, catalogue: CardCatalogue | None = None
) -> dict[str, Any]:
    """Return the template context of a checked decklist: totals, cards, problems.

    Keys: ``decklist``, ``totals`` by zone, ``problems`` (errors first; the ``first`` error again),
    ``lines`` (each line's error), ``unknown`` (cards in no catalogue, without similar names),
    ``more`` (number of problems not displayed), ``question`` about unnamed parts or None. No query.
    """
    lines = _LINE_END.split(text)
    unknown = [item for item in checked.violations if is_unknown_card(item)]
    shown = (
        item for item in checked.violations if not is_unknown_card(item) and item.code != UNNAMED
    )
    others = sort_by_severity(shown)
    known = zone_rows(
        checked.deck, checked.violations, checked.format, catalogue=catalogue, lines=lines
    )
    names = {entry.line: entry.name for _zone, entry in checked.deck}
    problems = tuple(_with_ones(others, _problems(others[:MOST_SHOWN], lines, names)))
    return {
        "decklist": replace(checked_deck_row(checked), cards=known),
        "totals": tuple(_zone_total(zone, checked.deck) for zone in checked.format.zones),
        "problems": problems,
        "first": next((one for one in problems[:1] if one.severity == "error"), None),
        "lines": tuple(_marked_lines(problems, len(lines))),
        "unknown": tuple(_problems(unknown, lines, names)),
        "more": max(0, len(others) - MOST_SHOWN),
        "question": unnamed_parts_context(checked, lines) if checked.deck.parts else None,
    }


def _zone_total(zone: Zone, deck: Deck) -> dict[str, Any]:
    size = deck.size(zone.key)
    end = max(size, zone.maximum or zone.minimum * 4 // 3)
    return {
        "label": translate(zone.label),
        "size": size,
        "allowed": _allowed_sizes(zone),
        "fits": zone.allows(size),
        "bar": round(100 * size / end) if end else 0,
        "least": round(100 * zone.minimum / end) if zone.maximum != zone.minimum and end else 0,
    }


def _allowed_sizes(zone: Zone) -> str:
    least, most = zone.minimum, zone.maximum
    if zone.or_none and most is not None:
        return _("%(cards)s or none") % {"cards": most}
    if most is None:
        return _("at least %(minimum)s") % {"minimum": least} if least else ""
    return str(most) if least == most else f"{least}–{most}"


def _marked_lines(problems: Iterable[ViolationDetails], count: int) -> Iterator[str]:
    """Yield for each line of the text its error in a word or two, else nothing."""
    marks = {
        line["number"]: problem.mark
        for problem in problems
        if problem.severity == "error"
        for line in problem.lines
    }
    return (marks.get(number, "") for number in range(1, count + 1))


def _problems(
    violations: Sequence[Violation], lines: Sequence[str], names: Mapping[int | None, str]
) -> Iterator[ViolationDetails]:
    wanted = {card_key(item.card) for item in violations if item.card and item.zone is None}
    by_card = _lines_by_card(wanted, lines) if wanted else {}
    for item, row in zip(violations, violation_rows(violations), strict=True):
        numbers = by_card.get(card_key(item.card or ""), []) if item.zone is None else []
        numbers = numbers or ([item.line] if item.line else [])
        yield ViolationDetails(
            severity=row.severity,
            label=row.label,
            text=row.text,
            card=row.card,
            mark=short_error(item),
            lines=tuple(
                _line_ref(number, lines, quoted=item.code != "line.unreadable")
                for number in numbers
                if number <= len(lines)
            ),
            suggestions=tuple(_suggestions(item, lines)),
            cure=_cure(item, names),
        )


def _cure(violation: Violation, names: Mapping[int | None, str]) -> Suggestion | None:
    """Return the one count that mends a violation, as a button."""
    cure = violation.cure
    if cure is None or cure.line not in names:
        return None
    words = _("Change to %(count)s") % {"count": cure.count} if cure.count else _("Remove")
    return Suggestion(
        name=words, value=edit_button_value(line=cure.line, card=names[cure.line], count=cure.count)
    )


def _with_ones(
    violations: Sequence[Violation], problems: Iterable[ViolationDetails]
) -> Iterator[ViolationDetails]:
    """Yield the problems; the first line without a number of many offers one answer for all."""
    asked = missing_count_violations(violations)
    first = asked[0] if len(asked) >= SEVERAL else None
    for violation, problem in zip(violations, problems, strict=False):
        if violation is not first:
            yield problem
            continue
        name = _("Add 1 before these %(count)s lines") % {"count": len(asked)}
        answer = Suggestion(name=name, value=edit_button_value(ones=True))
        yield replace(problem, suggestions=(*problem.suggestions, answer))


def _suggestions(violation: Violation, lines: Sequence[str]) -> Iterator[Suggestion]:
    number = violation.line
    if number is None or number > len(lines):
        return
    was = clean_line(lines[number - 1])
    for other in violation.suggestions:
        card = violation.card
        written = {"was": was} if card is None else {"card": card}
        yield Suggestion(name=other, value=edit_button_value(line=number, **written, becomes=other))
    comment = f"{COMMENT} {was}"
    if violation.code in ("line.no_card", "line.unclear") and comment not in violation.suggestions:
        without = edit_button_value(line=number, was=was, becomes=comment)
        yield Suggestion(name=_("Ignore this line"), value=without)


def _line_ref(number: int, lines: Sequence[str], *, quoted: bool) -> dict[str, Any]:
    return {"number": number, "text": shorten_line(clean_line(lines[number - 1])) if quoted else ""}


def _lines_by_card(wanted: set[str], lines: Sequence[str]) -> dict[str, list[int]]:
    """Return all lines of each card: a violation across zones only names the first one."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        written = clean_line(line)
        if not written or written.startswith(("#", COMMENT)):
            continue
        try:
            key = read_line(line).entry.key
        except UnreadableLineError:
            continue
        if key in wanted:
            found.setdefault(key, []).append(number)
    return found
