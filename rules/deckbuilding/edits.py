"""Changes of one line of a written list: a card's name, its count, a card more.

Everything else stays as written.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.deck import HIGHEST_COUNT, Deck
from rules.deckbuilding.lines import LINES, CardLine, line_changed_error, read_line
from rules.deckbuilding.render import render_entry
from rules.deckbuilding.zones import find_zone
from rules.errors import BadInput, RuleError
from rules.names import card_key, clean_line

_TRIES = 8  # maximum occurrences of the name in its line


def replace_name(text: str, line: int, old: str, new: str) -> str:
    """Return a decklist's text with the card on one line (from 1) renamed.

    ``old`` is its present name, ``new`` the one to write. Count, bullet, tags and white space of
    the line and all other lines are preserved. If the new name would be parsed differently, its
    count is moved before it.

    Raises RuleError ``line_changed`` if the line does not hold the card ``old``, and
    ``name_unwritable`` for a name that no line can hold.
    """
    parts, mark, written, card = _found_card(text, line, old)
    wanted = replace(card, entry=replace(card.entry, name=clean_line(new)))
    mended = next(
        (way for way in _candidate_lines(written, card, wanted) if _card(way) == wanted), None
    )
    if mended is None:
        raise RuleError(
            "name_unwritable",
            "Type “%(card)s” in line %(line)s yourself.",
            card=clean_line(new),
            line=line,
        )
    parts[2 * (line - 1)] = mark + mended
    return "".join(parts)


def replace_count(text: str, line: int, name: str, count: int) -> str:
    """Return a decklist's text with another count on one line (from 1); 0 deletes it.

    ``name`` is the card expected there. All else is preserved. Raises RuleError ``line_changed`` if
    the line does not hold the card, and BadInput ``bad_request`` for more than ``HIGHEST_COUNT``.
    """
    parts, mark, written, card = _found_card(text, line, name)
    if not 0 <= count <= HIGHEST_COUNT:
        raise BadInput("bad_request", "Choose one of the options.")
    at = 2 * (line - 1)
    if not count:
        return mark + "".join(parts[:at] + parts[at + 2 :])
    wanted = replace(card, entry=card.entry.but(count=count))
    anew = render_entry(wanted.entry)
    numbers = _NUMBER.finditer(written) if card.counted else ()
    ways = (f"{written[: n.start()]}{count}{written[n.end() :]}" for n in numbers)
    uncounted = () if card.counted else (f"{count} {clean_line(written)}",)
    parts[at] = mark + next(
        (way for way in (*ways, *uncounted) if _card(way) == wanted),
        f"SB: {anew}" if wanted.side else anew,
    )
    return "".join(parts)


def add_card(text: str, deck: Deck, zone: str, typed: str, heading: str) -> str:
    """Return a decklist's text with a card added after the last one of its zone.

    ``deck`` is the parsed text; ``typed`` is a name, or a line with a count. A zone without cards
    is added at the end under ``heading``. Raises RuleError ``name_unwritable`` if ``typed`` is no
    card.
    """
    card = _card(typed)
    if card is None:
        raise RuleError("name_unwritable", "“%(card)s” is not a card.", card=clean_line(typed))
    line = clean_line(typed) if card.counted else f"1 {clean_line(typed)}"
    last = max((entry.line or 0 for entry in deck.zone(zone)), default=0)
    parts = LINES.split(text)
    end = next(iter(parts[1::2]), "\n")
    if not last:
        opened = f"{heading}{end}{line}" if deck.tally.entries else line
        return f"{text.rstrip()}{end * 2}{opened}" if text.strip() else line
    at = 2 * (last - 1)
    before = _card(parts[at])
    beside = "SB: " if before is not None and before.side else ""
    return "".join((*parts[: at + 1], end, beside, line, *parts[at + 1 :]))


def can_replace_count(line: str, name: str) -> bool:
    """Return whether a line is the card of this name, so that its count can be replaced."""
    card = _card(line)
    return card is not None and card.entry.key == card_key(name)


_NUMBER = re.compile("[0-9]+")


def _found_card(text: str, line: int, name: str) -> tuple[list[str], str, str, CardLine]:
    """Return the lines and their ends, and of one line its mark, what is written and its card.

    Raises RuleError ``line_changed`` if the line does not hold the card.
    """
    parts = LINES.split(text)
    at = 2 * (line - 1)
    if line < 1 or at >= len(parts):
        raise line_changed_error(line)
    mark = "\ufeff" if line == 1 and text.startswith("\ufeff") else ""
    written = parts[at].removeprefix(mark)
    card = _card(written)
    if card is None or card.entry.key != card_key(name):
        raise line_changed_error(line)
    return parts, mark, written, card


def _card(written: str) -> CardLine | None:
    """Return the card of a line; None if the line is something else or unreadable."""
    line = clean_line(written)
    if not line or line.startswith(("#", "//")) or find_zone(line, ()) is not None:
        return None
    for way in (written, line):  # tabs may be cells, or white space within a name
        try:
            return read_line(way)
        except UnreadableLineError:
            continue
    return None


def _candidate_lines(written: str, card: CardLine, wanted: CardLine) -> Iterator[str]:
    """Yield candidate lines: the name replaced in place, then the line rewritten."""
    seen = [at for at, char in enumerate(written) if clean_line(char)]
    letters = "".join(written[at] for at in seen)
    name = "".join(card.entry.name.split())
    start = letters.find(name)
    for _try in range(_TRIES):
        if start < 0:
            break
        first, last = seen[start], seen[start + len(name) - 1]
        yield written[:first] + wanted.entry.name + written[last + 1 :]
        start = letters.find(name, start + 1)
    anew = render_entry(wanted.entry)
    yield f"SB: {anew}" if wanted.side else anew
