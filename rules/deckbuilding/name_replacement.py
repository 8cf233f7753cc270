"""Replacement of one card name in a written list; everything else stays as written."""

from collections.abc import Iterator
from dataclasses import replace

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.line_replacement import LINES, line_changed
from rules.deckbuilding.lines import CardLine, read_line
from rules.deckbuilding.render import render_entry
from rules.deckbuilding.zones import zone_of_word
from rules.errors import RuleError
from rules.names import card_key, tidy

_TRIES = 8  # maximum occurrences of the name in its line


def replace_name(text: str, line: int, old: str, new: str) -> str:
    """Return the list with the card on one line (from 1) renamed to ``new``.

    Count, bullet, tags and white space of the line and all other lines are preserved. If the new
    name would be parsed differently, its count is moved before it.

    Raises RuleError ``line_changed`` if the line does not hold the card ``old``, and
    ``name_unwritable`` for a name that no line can hold.
    """
    parts = LINES.split(text)
    at = 2 * (line - 1)
    if line < 1 or at >= len(parts):
        raise line_changed(line)
    mark = "\ufeff" if line == 1 and text.startswith("\ufeff") else ""
    written = parts[at].removeprefix(mark)
    card = _card(written)
    if card is None or card.entry.key != card_key(old):
        raise line_changed(line)
    wanted = replace(card, entry=replace(card.entry, name=tidy(new)))
    mended = next(
        (way for way in _candidate_lines(written, card, wanted) if _card(way) == wanted), None
    )
    if mended is None:
        raise RuleError(
            "name_unwritable",
            "“%(card)s” can't be written in line %(line)s. Nothing was changed: type it.",
            card=tidy(new),
            line=line,
        )
    parts[at] = mark + mended
    return "".join(parts)


def _card(written: str) -> CardLine | None:
    """Return the card of a line; None if the line is something else or unreadable."""
    line = tidy(written)
    if not line or line.startswith(("#", "//")) or zone_of_word(line, ()) is not None:
        return None
    for way in (written, line):  # tabs may be cells, or white space within a name
        try:
            return read_line(way)
        except UnreadableLineError:
            continue
    return None


def _candidate_lines(written: str, card: CardLine, wanted: CardLine) -> Iterator[str]:
    """Yield candidate lines: the name replaced in place, then the line rewritten."""
    seen = [at for at, char in enumerate(written) if tidy(char)]
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
