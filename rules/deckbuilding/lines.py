"""Lines of a list: a card with its count and tags, one line replaced, and parts of lines.

Everything but the replaced line stays as written. Parts are separated by empty lines instead of
headings; they are found here, and named.

Source: deck construction, Lists in and out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise

from rules.deckbuilding.around import (
    LONGEST,
    UnreadableLineError,
    has_bracketed_count,
    parse_count,
    parse_name,
    remark_start,
)
from rules.deckbuilding.catalogue import is_card_finish
from rules.deckbuilding.deck import Deck, DeckEntry, DeckSection, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import COMMENT, comment_zone
from rules.deckbuilding.zones import ZoneWords
from rules.errors import RuleError
from rules.names import clean_line
from rules.wording import Sentence

SIGN_RULE = Sentence("Remove the symbol before the number.")
HEADING_RULE = Sentence("A heading must name a zone or a card type.")
UNREAD_RULE = Sentence("This line was not read. Fix it, or delete it.")
"""About a line "? TEXT :", which stands for a row that a reader of files could not read."""
CELLS_RULE = Sentence("One card per line.")

LINE_END = re.compile(r"[\r\n\v\f\x85\u2028\u2029](?:(?<=\r)\n)?")
"""Line separators of all platforms; a set of characters is searched faster than alternatives."""

LANGUAGE_LINE = re.compile(r"(?:lingua|language) ?: ?(\S.*)", re.IGNORECASE)

_COUNT_FIRST = re.compile(
    r"(?:([0-9]+)(?:[x×*] ?|X | [x×*] | ?[;:] ?| [-–—=|] | )|[x×] ?([0-9]+) )(?=\S)"
)
_COPIES_OF = re.compile(
    r"(?:copies of|(?:copie|esemplari) di|(?:kopien|exemplare) von"
    r"|(?:copies|exemplaires|copias|c[oó]pias|ejemplares|exemplares) de) "
    r"(?!l['’]|(?:le|la|las|les|los) )(?=\S)",
    re.IGNORECASE,
)
_COPY_OF = re.compile(
    r"(?:cop(?:y|ies) of |(?:copi[ae]|esemplar[ei]) (?:d(?:i|el|ello|ella|ei|egli|elle) |dell['’])"
    r"|(?:kopien?|exemplare?) vo[nm] |(?:copies?|exemplaires?) (?:d(?:e|u|es) |d['’])"
    r"|(?:copias?|ejemplar(?:es)?) del? |(?:c[oó]pias?|exemplares) d(?:e|o|a|os|as) )(?=\S)",
    re.IGNORECASE,
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
    """A card line of a list: the entry, and how it was written.

    ``side``: a mark such as ``SB:`` assigns it to the side; ``zone`` is the zone word of a mark, ""
    without one. ``written`` is the line without bullet and ``SB:``. ``counted``: the line states
    the count; ``bare``: it is a name alone, without a count, tag or mark. ``times``: the count
    comes first with a sign, as in ``2x``; ``bracketed``: it follows the name, in brackets.
    """

    entry: DeckEntry
    side: bool
    zone: str = ""
    written: str = field(default="", compare=False)
    counted: bool = field(default=True, compare=False)
    bare: bool = field(default=False, compare=False)
    times: bool = field(default=False, compare=False)
    bracketed: bool = field(default=False, compare=False)


def is_bulleted(line: str) -> bool:
    """Return whether a normalised line begins with a bullet or ``SB:``."""
    side = _SIDE.match(line)
    return bool(_BULLET.match(line) or (side and side.end() < len(line)))


def read_plain_card(line: str) -> CardLine | None:
    """Return the card of a common line such as ``2 Name (SET) {Kind}``, else None.

    A fast path: if it returns a card, :func:`read_card` returns the same.
    """
    match = _PLAIN.fullmatch(line)
    if match is None:
        return None
    count, name, expansion, kind = match.groups("")
    if not name[0].isalpha() or (expansion and not expansion[0].isalpha()):
        return None  # characters such as ² are not digits
    if "//" in name or _COPY_OF.match(name):
        return None
    if len(line) > LONGEST or (expansion and is_card_finish(expansion)):
        return None
    entry = DeckEntry(name=name, count=int(count), expansion=expansion, kind=kind)
    return CardLine(entry=entry, side=False, written=line, times=line[match.end(1)] == "x")


def read_line(written: str) -> CardLine:
    """Return the card of a raw line; raises UnreadableLineError.

    Tabs that separate a count from a name are read as cells of a spreadsheet, else as white space.
    """
    written = _with_narrow_digits(written)
    line = clean_line(written)
    if "\t" not in written.strip():
        return read_card(line)
    cells = [cell for cell in map(clean_line, written.split("\t")) if cell]
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
    rest = strip_bullet(line)
    side = bool(_SIDE.match(rest))
    rest = strip_bullet(_SIDE.sub("", rest, count=1)) if side else rest
    bold = rest.startswith(_BOLD) and rest[2:3] != rest[0]  # _____ Goblin is a card
    rest = clean_line(rest.replace(rest[:2], " ")) if bold else rest
    if _SIGN.match(rest):
        raise UnreadableLineError(SIGN_RULE)
    if rest.endswith(":"):
        raise UnreadableLineError(UNREAD_RULE if rest.startswith("? ") else HEADING_RULE)
    count, written = None, rest
    if first := _COUNT_FIRST.match(rest):
        count, rest = parse_count(first[1] or first[2]), rest[first.end() :]
        rest = _COPIES_OF.sub("", rest, count=1) if count > 1 and _COPIES_OF.match(rest) else rest
    cells = ";" in first[0] if first else bool(_CELL_LAST.search(rest))
    found = parse_name(rest.rstrip("; ") if cells else rest, count=count)
    entry, counted = found.entry(), found.count is not None
    if cells and ";" in entry.name:
        raise UnreadableLineError(CELLS_RULE)
    if ends_with_colon(entry):
        raise UnreadableLineError(HEADING_RULE)
    if bold and not counted:
        raise UnreadableLineError(HEADING_RULE)
    return CardLine(
        entry=entry,
        side=side,
        zone=found.zone,
        written=written,
        counted=counted,
        bare=not counted and line == entry.name,
        times=first is not None and not _TIMES.isdisjoint(first[0]),
        bracketed=first is None and has_bracketed_count(rest),
    )


def text_after_count(card: CardLine) -> str:
    """Return the text after the count of a line, "" if the count does not come first."""
    first = _COUNT_FIRST.match(card.written)
    return card.written[first.end() :] if first else ""


def strip_bullet(line: str) -> str:
    """Return a line without its leading bullet."""
    return _BULLET.sub("", line, count=1) if _BULLET.match(line) else line


def name_without_remark(card: CardLine) -> str:
    """Return the card's name without “copy of” or a remark after ``//``, if it has one.

    Returns "" if it has neither, and if a count after the name shows that the whole text before it
    is the name.
    """
    name = card.entry.name
    if card.counted and not _COUNT_FIRST.match(card.written):
        return ""
    if card.counted and (of := _COPY_OF.match(name)):
        return name[of.end() :]
    at = remark_start(name) if "//" in name else None
    return "" if at is None else name[:at]


def ends_with_colon(entry: DeckEntry) -> bool:
    """Return whether the entry's line, with the count first, would end with a colon."""
    tags = (entry.expansion, entry.number, entry.kind, entry.genus, entry.language, entry.version)
    return entry.name.endswith(":") and not any(tags)


def may_be_truncated(name: str) -> bool:
    """Return whether the parser might cut the end of this name off in the line ``2 NAME``.

    The line ``NAME x2`` is safe.
    """
    return bool(_COPY_OF.match(name)) or ("//" in name and remark_start(name) is not None)


def needs_count_separator(card: str) -> bool:
    """Return whether the start of a card's text would be read as part of a count before it."""
    first = _COUNT_FIRST.match(f"1 {card}")
    return first is not None and first.end() > len("1 ")


LINES = re.compile(f"({LINE_END.pattern})")
"""Splits a text into its lines and, between them, their ends."""


def replace_line(text: str, line: int, was: str, becomes: str) -> str:
    """Return a decklist's text with one line (from 1) replaced.

    ``was`` is the present line, ``becomes`` the new one. Raises RuleError ``line_changed`` if the
    line is not what it ``was``, apart from white space.
    """
    parts = LINES.split(text)
    at = 2 * (line - 1)
    if line < 1 or at >= len(parts) or clean_line(parts[at]) != clean_line(was):
        raise line_changed_error(line)
    mark = "\ufeff" if line == 1 and text.startswith("\ufeff") else ""
    parts[at] = mark + clean_line(becomes)
    return "".join(parts)


def line_changed_error(line: int) -> RuleError:
    """Return the RuleError ``line_changed`` for a line (from 1)."""
    return RuleError(
        "line_changed",
        "The decklist has changed. Check it again.",
        line=line,
    )


UNNAMED = "list.parts_unnamed"
SIGNS = "/#-–—=*_~+. "
"""What a line between two parts is drawn with."""
NO_CARDS = ""
"""The name of a part that holds no cards, such as a title."""


@dataclass(frozen=True, slots=True)
class CardWithoutHeading:
    """A card before any heading: its line (from 1) and copies.

    ``bare``: the line is a name alone.
    """

    line: int
    count: int
    bare: bool


def split_parts(
    lines: Sequence[str],
    loose: Sequence[CardWithoutHeading],
    kinds: Sequence[int],
    deck_format: DeckFormat,
    *,
    headed: bool = False,
) -> tuple[DeckSection, ...]:
    """Return the sections, divided by empty lines, of the cards before any heading.

    () if there are fewer than two cards or zones, or if every section but the first is named.
    ``lines`` are those of the list, ``loose`` the cards. ``kinds`` are the numbers of lines that
    name a kind of cards; a section that begins with one is named. If the cards have the ``headed``
    main zone above them, they are sections only if their sizes fit several zones.
    """
    if len(loose) < 2 or len(deck_format.zones) < 2:
        return ()
    words = deck_format.zone_words
    blocks: list[list[CardWithoutHeading]] = [[loose[0]]]
    for before, card in pairwise(loose):
        between = lines[before.line : card.line - 1]
        if any(_is_divider(line, words) for line in between):
            blocks.append([])
        blocks[-1].append(card)
    named = [
        any(before[-1].line < line < block[0].line for line in kinds)
        for before, block in pairwise(blocks)
    ]
    if all(named):
        return ()
    parts = tuple(_part(lines, block, words) for block in blocks)
    return () if headed and not _can_be_zones(parts, deck_format) else parts


def _is_divider(line: str, zones: ZoneWords) -> bool:
    line = clean_line(line)
    return not line.strip(SIGNS) or comment_zone(line, zones) is not None


def _part(
    lines: Sequence[str], block: Sequence[CardWithoutHeading], words: ZoneWords
) -> DeckSection:
    first = block[0].line
    while first > 1 and not _is_divider(lines[first - 2], words):
        first -= 1
    return DeckSection(
        first=first,
        last=block[-1].line,
        cards=sum(card.count for card in block),
        title=len(block) == 1 and block[0].bare,
    )


def unnamed_parts_violation(parts: Sequence[DeckSection], deck_format: DeckFormat) -> Violation:
    """Return the violation for a list whose parts have no headings."""
    return Violation(
        code=UNNAMED,
        sentence=Sentence(
            "Parts without a heading: %(parts)s (lines %(lines)s). Add headings (%(zones)s) or "
            "remove the empty lines.",
            {
                "parts": len(parts),
                "lines": tuple(line_range(part) for part in parts),
                "zones": tuple(zone.label for zone in deck_format.zones),
            },
        ),
        found=len(parts),
        line=parts[1].first,
        lines=tuple((part.first, part.last) for part in parts),
    )


def line_range(part: DeckSection) -> str:
    """Return the line numbers of a section as text: "22" or "24–38"."""
    return str(part.first) if part.first == part.last else f"{part.first}–{part.last}"


def possible_zone_assignments(
    parts: Sequence[DeckSection], deck_format: DeckFormat, most: int = 3
) -> list[tuple[str, ...]]:
    """Return at most ``most`` ways to assign zones to the sections, fitting sizes first.

    Each way has the key of a zone for each section, NO_CARDS for a first line that may be a title.
    """
    title = (NO_CARDS,) if parts[0].title else ()
    rest = parts[len(title) :]
    found = [
        zones
        for zones in combinations(deck_format.zone_keys, len(rest))
        if deck_format.main in zones
    ]
    ordered = sorted(found, key=lambda zones: _count_misfits(zones, rest, deck_format))
    return [(*title, *zones) for zones in ordered[:most]]


def _can_be_zones(parts: Sequence[DeckSection], deck_format: DeckFormat) -> bool:
    """Return whether the parts can be several zones, the main one first, by their sizes alone."""
    zones = combinations(deck_format.zone_keys, len(parts))
    return any(
        some[0] == deck_format.main and not _count_misfits(some, parts, deck_format)
        for some in zones
    )


def _count_misfits(
    zones: Sequence[str], parts: Sequence[DeckSection], deck_format: DeckFormat
) -> int:
    sizes = {zone.key: zone for zone in deck_format.zones}
    return sum(not sizes[zone].allows(part.cards) for zone, part in zip(zones, parts, strict=True))


def add_part_headings(
    text: str, deck: Deck, zones: Sequence[str], heading: Callable[[str], str]
) -> str:
    """Return a decklist's text with a heading above each section without one.

    ``deck`` is the parsed text. ``zones`` has the zone key of each section; one of NO_CARDS becomes
    a comment. ``heading`` returns the heading of a zone key. Raises RuleError ``line_changed`` if
    it has another number of sections.
    """
    if not deck.parts or len(deck.parts) != len(zones):
        raise _other_parts_error()
    marked = text.startswith("\ufeff")
    lines = LINES.split(text.removeprefix("\ufeff"))
    open_zone = NO_CARDS
    for part, zone in zip(deck.parts, zones, strict=True):
        at = 2 * (part.first - 1)
        if zone == NO_CARDS:
            for each in range(at, 2 * part.last, 2):
                lines[each] = f"{COMMENT} {lines[each]}" if clean_line(lines[each]) else lines[each]
        elif zone != open_zone:
            open_zone = zone
            end = next(iter(lines[1::2]), "\n")
            lines[at] = f"{heading(zone)}{end}{lines[at]}"
    return "\ufeff" * marked + "".join(lines)


def remove_part_breaks(text: str, deck: Deck, deck_format: DeckFormat) -> str:
    """Return a list's text without the blank lines that split it into parts.

    Raises RuleError ``line_changed`` if the list has no parts.
    """
    if not deck.parts:
        raise _other_parts_error()
    first, last = deck.parts[0].first, deck.parts[-1].last
    return "".join(_without_dividers(LINES.split(text), first, last, deck_format))


def _without_dividers(
    lines: Sequence[str], first: int, last: int, deck_format: DeckFormat
) -> Iterator[str]:
    for at in range(0, len(lines), 2):
        inside = first <= at // 2 + 1 <= last
        if not (inside and _is_divider(lines[at], deck_format.zone_words)):
            yield from lines[at : at + 2]


def _other_parts_error() -> RuleError:
    return RuleError(
        "line_changed",
        "The decklist has changed. Check it again.",
    )
