"""Lists whose parts are separated by empty lines instead of headings: finding and naming the parts.

Source: deck construction, Lists in and out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from rules.deckbuilding.deck import Deck, Part, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import COMMENT, zone_of_comment
from rules.deckbuilding.line_replacement import LINES
from rules.deckbuilding.zones import ZoneWords
from rules.errors import RuleError
from rules.names import tidy
from rules.wording import Sentence

UNNAMED = "list.parts_unnamed"
SIGNS = "/#-–—=*_~+. "
"""What a line between two parts is drawn with."""
NO_CARDS = ""
"""The name of a part that holds no cards, such as a title."""


@dataclass(frozen=True, slots=True)
class LooseCard:
    """A card before any section: its line from 1, copies, whether the line is a name alone."""

    line: int
    count: int
    bare: bool


def parts_of(
    lines: Sequence[str],
    loose: Sequence[LooseCard],
    kinds: Sequence[int],
    deck_format: DeckFormat,
    *,
    headed: bool = False,
) -> tuple[Part, ...]:
    """Return the parts, divided by empty lines, of the cards before any section.

    () if there are fewer than two cards or zones, or if every part but the first is named.

    ``kinds`` are the lines that name a kind of cards. A part that begins with one is named. Cards
    ``headed`` as the main zone are parts only where they have the sizes of several zones.
    """
    if len(loose) < 2 or len(deck_format.zones) < 2:
        return ()
    words = deck_format.zone_words
    blocks: list[list[LooseCard]] = [[loose[0]]]
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
    line = tidy(line)
    return not line.strip(SIGNS) or zone_of_comment(line, zones) is not None


def _part(lines: Sequence[str], block: Sequence[LooseCard], words: ZoneWords) -> Part:
    first = block[0].line
    while first > 1 and not _is_divider(lines[first - 2], words):
        first -= 1
    return Part(
        first=first,
        last=block[-1].line,
        cards=sum(card.count for card in block),
        title=len(block) == 1 and block[0].bare,
    )


def parts_unnamed(parts: Sequence[Part], deck_format: DeckFormat) -> Violation:
    """Return the violation for a list whose parts are not named; its ``lines`` are the parts'."""
    return Violation(
        code=UNNAMED,
        sentence=Sentence(
            "Empty lines split the list into %(parts)s parts (lines %(lines)s), and nothing "
            "says what each is. Put a heading above each of them (%(zones)s), or take the "
            "empty lines out if they are one part.",
            {
                "parts": len(parts),
                "lines": tuple(lines_in_words(part) for part in parts),
                "zones": tuple(zone.label for zone in deck_format.zones),
            },
        ),
        found=len(parts),
        line=parts[1].first,
        lines=tuple((part.first, part.last) for part in parts),
    )


def lines_in_words(part: Part) -> str:
    """Return a part's lines in words: 22, or 24–38."""
    return str(part.first) if part.first == part.last else f"{part.first}–{part.last}"


def possible_zones(
    parts: Sequence[Part], deck_format: DeckFormat, most: int = 3
) -> list[tuple[str, ...]]:
    """Return the zones that the parts may be, one key a part; those whose sizes fit come first.

    A first line that is a name alone may be a title.
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


def _can_be_zones(parts: Sequence[Part], deck_format: DeckFormat) -> bool:
    """Return whether the parts can be several zones, the main one first, by their sizes alone."""
    zones = combinations(deck_format.zone_keys, len(parts))
    return any(
        some[0] == deck_format.main and not _count_misfits(some, parts, deck_format)
        for some in zones
    )


def _count_misfits(zones: Sequence[str], parts: Sequence[Part], deck_format: DeckFormat) -> int:
    sizes = {zone.key: zone for zone in deck_format.zones}
    return sum(not sizes[zone].allows(part.cards) for zone, part in zip(zones, parts, strict=True))


def name_parts(text: str, deck: Deck, zones: Sequence[str], heading: Callable[[str], str]) -> str:
    """Return a list with a heading above each part; a part of NO_CARDS becomes a comment.

    ``deck`` is what was read of the text. Raises RuleError ``line_changed`` where it does not
    have as many parts.
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
                lines[each] = f"{COMMENT} {lines[each]}" if tidy(lines[each]) else lines[each]
        elif zone != open_zone:
            open_zone = zone
            end = next(iter(lines[1::2]), "\n")
            lines[at] = f"{heading(zone)}{end}{lines[at]}"
    return "\ufeff" * marked + "".join(lines)


def without_parts(text: str, deck: Deck, deck_format: DeckFormat) -> str:
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
        "The list has other parts by now. Nothing was changed: check the list again.",
    )
