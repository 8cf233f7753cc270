"""Parsing of one line of a list: a card with its count and tags.

Source: deck construction, Lists in and out.
"""

import re
from dataclasses import dataclass, field, replace

from rules.deckbuilding.around import (
    LONGEST,
    UnreadableLineError,
    count_from,
    counts_in_brackets,
    read_around,
)
from rules.deckbuilding.deck import Entry
from rules.deckbuilding.printings import is_finish
from rules.names import tidy
from rules.wording import Sentence

SIGN_RULE = Sentence("A line can't start with a sign and a number.")
COLON_RULE = Sentence("A line that ends with a colon must name a zone or a kind.")
BOLD_RULE = Sentence("A line in asterisks must name a zone or a kind.")
CELLS_RULE = Sentence("The line has more cells than a count and a name.")

LINE_END = re.compile(r"[\r\n\v\f\x85\u2028\u2029](?:(?<=\r)\n)?")
"""Line separators of all platforms; a set of characters is searched faster than alternatives."""

LANGUAGE_LINE = re.compile(r"(?:lingua|language) ?: ?(\S.*)", re.IGNORECASE)

_COUNT_FIRST = re.compile(
    r"(?:([0-9]+)(?:[x×*] ?|X | [x×*] | ?[;:] ?| [-–—=|] | )|[x×] ?([0-9]+) )(?=\S)"
)
_WIDE = re.compile(r"[（ｘＸ]?[０-９]{1,20}[ｘＸ：；）]?")
_NARROW = str.maketrans("０１２３４５６７８９ｘＸ：；（）", "0123456789xX:;()")
_BULLET = re.compile(r"[-–—*•·‣◦▪●○■□►▶+>] ")
_BOLD = ("**", "__")
_SIGN = re.compile(r"[-+−][0-9]")
_SIDE = re.compile(r"SB: ?", re.IGNORECASE)
_MARKS = re.compile(rf"(?:{_BULLET.pattern})?(?:SB: ?)?", re.IGNORECASE)
_CELL_LAST = re.compile(r"; ?[x×]?-?[0-9]+[x×]?[; ]*$")
_CELL = re.compile(r"[x×]? ?(-?[0-9]+) ?[x×]?")

_PLAIN = re.compile(
    r"([1-9][0-9]{0,2})x? (?![xX×] )([^\W\d_][^(){}\[\]:*#^|<>$€£¥•●○◦]*?)"
    r"(?: \(([^\W\d_]\w*)\))?(?: \{([^\W\d_][^(){}\[\],=]*?)(?<! )\})?"
)

_TIMES = frozenset("xX×*")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A card, whether the line assigns it to the side, and what is written there.

    ``zone`` is the word of a zone that a mark names, "" without one. ``written`` is the line
    without bullet and ``SB:``; a ``bare`` line is a name alone, without a count, tag or mark; one
    without a count is not ``counted``. ``times``: the count stands first with a sign, as in
    ``2x``; ``bracketed``: it stands behind, in brackets.
    """

    entry: Entry
    side: bool
    zone: str = ""
    written: str = field(default="", compare=False)
    counted: bool = field(default=True, compare=False)
    bare: bool = field(default=False, compare=False)
    times: bool = field(default=False, compare=False)
    bracketed: bool = field(default=False, compare=False)


def is_bulleted(line: str) -> bool:
    """Return whether a bullet or ``SB:`` marks the line as a card."""
    side = _SIDE.match(line)
    return bool(_BULLET.match(line) or (side and side.end() < len(line)))


def read_plain_card(line: str) -> CardLine | None:
    """Return the card of a common line such as ``2 Name (SET) {Kind}``, None for others.

    A fast path: if it returns a card, :func:`read_card` returns the same.
    """
    match = _PLAIN.fullmatch(line)
    if match is None:
        return None
    count, name, expansion, kind = match.groups("")
    if not name[0].isalpha() or (expansion and not expansion[0].isalpha()):
        return None  # characters such as ² are not digits
    if len(line) > LONGEST or (expansion and is_finish(expansion)):
        return None
    entry = Entry(name=name, count=int(count), expansion=expansion, kind=kind)
    return CardLine(entry=entry, side=False, written=line, times=line[match.end(1)] == "x")


def read_line(written: str) -> CardLine:
    """Return the card of a line as it was written; raises UnreadableLineError.

    Where tabs part a count from a name they are cells of a spreadsheet, else white space.
    """
    written = _with_narrow_digits(written)
    line = tidy(written)
    if "\t" not in written.strip():
        return read_card(line)
    cells = [cell for cell in map(tidy, written.split("\t")) if cell]
    marked = _MARKS.match(cells[0])
    cells[0] = cells[0][marked.end() :] if marked else cells[0]
    cells = [cell for cell in cells if cell]
    first, last = (_CELL.fullmatch(cells[at]) if len(cells) > 1 else None for at in (0, -1))
    number, names = first or last, cells[1:] if first else cells[:-1]
    if number is None or (last and not first and _COUNT_FIRST.match(names[0])):
        return read_card(line)
    if not all(name.startswith(("(", "[", "{")) for name in names[1:]):
        raise UnreadableLineError(CELLS_RULE)
    card = read_card(f"{marked[0] if marked else ''}{number[1]}x {' '.join(names)}")
    return replace(card, times=False)


def _with_narrow_digits(text: str) -> str:
    """Return a text with digits, and signs and brackets beside them, of the usual width: ４ｘ."""
    return text if text.isascii() else _WIDE.sub(lambda found: found[0].translate(_NARROW), text)


def read_card(line: str) -> CardLine:
    """Return the card of a normalised line; raises UnreadableLineError."""
    if _SIGN.match(line):
        raise UnreadableLineError(SIGN_RULE)
    rest = _without_bullet(line)
    side = bool(_SIDE.match(rest))
    rest = _without_bullet(_SIDE.sub("", rest, count=1)) if side else rest
    bold = rest.startswith(_BOLD) and rest[2:3] != rest[0]  # _____ Goblin is a card
    rest = tidy(rest.replace(rest[:2], " ")) if bold else rest
    if _SIGN.match(rest):
        raise UnreadableLineError(SIGN_RULE)
    if rest.endswith(":"):
        raise UnreadableLineError(COLON_RULE)
    count, written = None, rest
    if first := _COUNT_FIRST.match(rest):
        count, rest = count_from(first[1] or first[2]), rest[first.end() :]
    cells = ";" in first[0] if first else bool(_CELL_LAST.search(rest))
    found = read_around(rest.rstrip("; ") if cells else rest, count=count)
    entry, counted = found.entry(), found.count is not None
    if cells and ";" in entry.name:
        raise UnreadableLineError(CELLS_RULE)
    if ends_with_colon(entry):
        raise UnreadableLineError(COLON_RULE)
    if bold and not counted:
        raise UnreadableLineError(BOLD_RULE)
    return CardLine(
        entry=entry,
        side=side,
        zone=found.zone,
        written=written,
        counted=counted,
        bare=not counted and line == entry.name,
        times=first is not None and not _TIMES.isdisjoint(first[0]),
        bracketed=first is None and counts_in_brackets(rest),
    )


def _without_bullet(line: str) -> str:
    return _BULLET.sub("", line, count=1) if _BULLET.match(line) else line


def ends_with_colon(entry: Entry) -> bool:
    """Return whether the entry's line, with the count first, would end with a colon."""
    tags = (entry.expansion, entry.number, entry.kind, entry.genus, entry.language, entry.version)
    return entry.name.endswith(":") and not any(tags)


def runs_into_count(card: str) -> bool:
    """Return whether a name, with its tags, behind ``2`` would lose characters to the count."""
    first = _COUNT_FIRST.match(f"1 {card}")
    return first is not None and first.end() > len("1 ")
