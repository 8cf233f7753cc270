"""Lines over cards: they open a zone, name a kind, or say how many cards there are.

Source: deck construction, Lists in and out. The words: ``known_headings``.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from rules.deckbuilding.around import TAGS
from rules.deckbuilding.deck import DeckEntry
from rules.deckbuilding.known_headings import (
    LONGEST,
    HeadingRole,
    find_heading_role,
    first_word,
    is_zone_heading,
    may_be_heading,
    strip_cards_prefix,
    strip_cards_suffix,
)
from rules.deckbuilding.zones import ZoneWords, find_common_zone, find_format_zone, fold_kind

COMMENT = "//"
MARKS = "#!*_=~<>[]-–— "
"""Signs around a heading, as in ``# Main``, ``**Main**``, ``[Main]``, ``== Main ==``."""

_OF = r"(?: ?/ ?[0-9]+)?"  # 30/30
_COUNT_BEHIND = re.compile(
    rf" ?(?:\( ?([0-9]+){_OF}(?: [^\W\d_]+)? ?\)|\[ ?([0-9]+){_OF} ?\]"
    rf"|(?:(?<=[ :])(?:d[ai] |of )?|[-–—=;/,] ?)([0-9]+){_OF}(?: (?:cart[ae]s?|cards?|karten))?)$",
    re.IGNORECASE,
)
_COUNT_BEFORE = re.compile(r"([0-9]+) ")
_FRAMED_TOTAL = re.compile(r"[(\[=] ?([0-9]{1,4}) ([^\d()\[\]=]{1,60})[)\]]?:?")
_ONE_BEHIND = re.compile(r" ?(?:1|\(1\))$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading above cards in a list, with its ``word`` and the ``count`` beside it.

    It starts a zone (its key in ``zone``), or has another ``role``. ``in_comment``: it follows
    ``//``, and is a heading only if the next lines are no comments.
    """

    zone: str | None = None
    role: HeadingRole | None = None
    word: str = ""
    count: int | None = None
    in_comment: bool = False


def read_heading(line: str, zones: ZoneWords, kind_words: frozenset[str]) -> Heading | None:
    """Return the heading in a normalised line, None if it is not one.

    ``zones`` are the headings by zone key, ``kind_words`` the folded names of the game's kinds; a
    kind's name alone, without a count, a colon or marks around it, is no heading.
    """
    if len(line) > LONGEST or "{" in line or line[0].isdigit() or line.startswith(COMMENT):
        return None
    total = _FRAMED_TOTAL.fullmatch(line)  # (30 cards)
    if total and find_heading_role(total[2].strip()) is HeadingRole.TOTAL:
        return Heading(role=HeadingRole.TOTAL, word=total[2].strip(), count=int(total[1]))
    return _heading(line, zones, kind_words, marked=False) or _framed_heading(
        line, zones, kind_words
    )


def heading_from_name(
    entry: DeckEntry, zones: ZoneWords, kind_words: frozenset[str]
) -> Heading | None:
    """Return the heading that an entry's name may be, as in ``24 Lands``, else None.

    ``zones``: headings by zone key; ``kind_words``: folded names of the game's kinds.
    """
    name = entry.name
    if not may_be_heading(entry.key) and first_word(entry.key) not in _first_words(kind_words):
        return None
    if len(name) > LONGEST:
        return None
    heading = find_heading(name, zones, kind_words)
    total = heading is not None and heading.role is HeadingRole.TOTAL  # 49 cards (min 45)
    if not total and any(getattr(entry, tag) for tag in TAGS):
        return None
    opens = heading is None or heading.zone is None or is_zone_heading(name)
    return heading if opens else None


def heading_before_colon(word: str, zones: ZoneWords) -> Heading | None:
    """Return the heading in a word before a colon and a card; None for other words.

    In ``Leader (1): Name`` the 1 counts the card. ``zones``: headings by zone key.
    """
    word = _ONE_BEHIND.sub("", word.strip(MARKS))
    if not word or len(word) > LONGEST or word[0].isdigit():
        return None
    heading = find_heading(word, zones, frozenset())
    places = (None, HeadingRole.COMPANION, HeadingRole.ASIDE)
    return heading if heading is not None and heading.role in places else None


@lru_cache(maxsize=32)
def _first_words(kind_words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(first_word, kind_words))


def heading_in_comment(line: str, zones: ZoneWords, kind_words: frozenset[str]) -> Heading | None:
    """Return the heading in a comment such as ``// 15 Sideboard``, None in others.

    Source: lists of Deckstats and Cockatrice.
    """
    inside = line.removeprefix(COMMENT).strip(MARKS + ":/")
    if not inside or len(inside) > LONGEST:
        return None
    before = _COUNT_BEFORE.match(inside)
    word = inside[before.end() :] if before else inside
    found = _heading(word, zones, kind_words, marked=True) if word else None
    if found is None or (found.zone is not None and find_format_zone(found.word, zones) is None):
        return None
    count = int(before[1][-4:]) if before else found.count
    return replace(found, count=count, in_comment=True)


def comment_zone(line: str, zones: ZoneWords) -> str | None:
    """Return the key of the zone that a comment such as ``// Sideboard`` names, else None.

    Such a comment may mark the start of a part even if it is no heading.
    """
    if not line.startswith(COMMENT):
        return None
    found = heading_in_comment(line, zones, frozenset())
    return found.zone if found else None


def _framed_heading(line: str, zones: ZoneWords, kind_words: frozenset[str]) -> Heading | None:
    if line[0] not in MARKS:
        return None
    inside = line.strip(MARKS + ":").replace("**", "").replace("__", "")
    inside += "]" * ("[" in inside and "]" not in inside)  # **Main [40]**
    if not inside or inside[0].isdigit():
        return None
    return _heading(inside, zones, kind_words, marked=True)


def _heading(
    line: str, zones: ZoneWords, kind_words: frozenset[str], *, marked: bool
) -> Heading | None:
    word = line.removesuffix(":").rstrip()
    count = None
    if behind := _COUNT_BEHIND.search(word):
        count = int(next(filter(None, behind.groups()))[-4:])
        word = word[: behind.start()].rstrip().removesuffix(":").rstrip()
    found = find_heading(word, zones, kind_words)
    if found is None:
        return None
    plain = not marked and word == line
    if found.role in (HeadingRole.KIND, HeadingRole.TOTAL) and plain:
        return None
    if found.role is HeadingRole.TOTAL and count is None:
        return replace(found, role=HeadingRole.KIND)
    return replace(found, count=count)


def find_heading(word: str, zones: ZoneWords, kind_words: frozenset[str]) -> Heading | None:
    """Return the heading that a word names, None for other words.

    Zones of the format come first, then its kinds (folded ``kind_words``), then headings of common
    programs.
    """
    short, role = strip_cards_suffix(word), find_heading_role(word)
    zone = find_format_zone(word, zones) or find_format_zone(short, zones)
    if zone is None and role is None:
        short = strip_cards_prefix(word)
        zone = find_format_zone(short, zones)
    counts = role is HeadingRole.TOTAL and " " in word
    if zone is None and fold_kind(word) in kind_words and not counts:
        return Heading(role=HeadingRole.KIND, word=word)
    if zone is None and role in (None, HeadingRole.KIND):
        zone = find_common_zone(short)
    if zone is not None:
        return Heading(zone=zone, word=short)
    return Heading(role=role, word=word) if role else None
