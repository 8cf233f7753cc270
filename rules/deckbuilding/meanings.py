"""The meaning of one line of a written list: a card, a heading, a language, or none of these.

Source: deck construction, Lists in and out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from rules.deckbuilding.around import (
    SEVERAL_RULE,
    UnreadableLineError,
    holds_several,
    without_markup,
)
from rules.deckbuilding.doubts import Unclear, readings_of
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import (
    COMMENT,
    Heading,
    heading_before_colon,
    heading_in_comment,
    heading_like,
    read_heading,
)
from rules.deckbuilding.known_headings import opens_main
from rules.deckbuilding.lines import (
    LANGUAGE_LINE,
    CardLine,
    is_bulleted,
    read_card,
    read_line,
    read_plain_card,
)
from rules.deckbuilding.zones import ZoneWords
from rules.names import tidy
from rules.wording import Sentence

MOST_KEPT = 8192  # lines per game
LONGEST_KEPT = 200  # characters of a line; longer ones would fill the memory


@dataclass(frozen=True, slots=True)
class LanguageLine:
    """A declaration of the list's language."""

    language: str


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A normalised line without a card, and the reason; ``ways`` are lines that may be meant."""

    line: str
    reason: Sentence
    ways: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardOrHeading:
    """A card that is called like a heading, ``24 Lands``: the lines around it tell which it is."""

    card: CardLine
    heading: Heading


Meaning = CardLine | CardOrHeading | Heading | LanguageLine | Unclear | UnreadableLine | None
"""None stands for a blank line, a comment, or what a program says about the list."""

_STARS = re.compile(r"\*{3,20} ?[^\W\d].*")
"""Around lines that are about the list, if they are no heading. Source: Pokémon TCG Online."""
_ABOUT = re.compile(
    r"(?:name|deck name|nome|nome del mazzo|author|autore|format|formato"
    r"|layout (?:main|sideboard)) ?[:=] ?\S.*"
    r"|[0-9]{1,3} (?:influence spent|agenda points)(?: .*)?",
    re.IGNORECASE,
)
"""Lines about the list. Source: files of XMage and Forge, lists of Fabrary and NetrunnerDB."""


_RULE = re.compile(
    r"[-=_*~—–`]{3,80}|>+|\[(?:list|ul|ol|quote|code|spoiler|center)\]", re.IGNORECASE
)
"""Lines between others, and what opens a part of a forum's page."""
_BESIDE = re.compile(r"(?<=\S)(?: {2,}|\t ?)[1-9][0-9]?[xX]? (?=[^\W\d_])")
"""Between two columns of cards, as they are copied from a page."""
ZONE_RULE = Sentence("Write cards below the word, one a line.")


def meaning_of(raw: str, zones: ZoneWords, kind_words: frozenset[str]) -> Meaning:
    """Return a raw line as a card, heading, language, unclear or unreadable line, or None."""
    line = tidy(raw)
    if ("  " in raw or "\t" in raw) and _has_columns(raw):
        return UnreadableLine(line, SEVERAL_RULE)
    if "\t" not in raw and not LANGUAGE_LINE.match(line):
        plain = without_markup(line)
        raw, line = (raw, line) if plain == line else (plain, plain)
    if not line or _RULE.fullmatch(line):
        return None
    if line.startswith(COMMENT):
        return heading_in_comment(line, zones, kind_words)
    if "\t" not in raw and not holds_several(line) and (card := read_plain_card(line)):
        return _card_or_heading(card, zones, kind_words)
    if not is_bulleted(line):
        if match := LANGUAGE_LINE.fullmatch(line):
            return LanguageLine(match[1])
        if _ABOUT.fullmatch(line):
            return None
        heading = read_heading(line, zones, kind_words)
        if heading is not None or line.startswith("#") or _STARS.fullmatch(line):
            return heading
        if ":" in line and (named := _in_zone(line, zones)):
            return named
    try:
        card = read_line(raw)
    except UnreadableLineError as fault:
        return UnreadableLine(line, fault.reason)
    return readings_of(card) or _card_or_heading(card, zones, kind_words)


def _has_columns(raw: str) -> bool:
    """Return whether a count and a name stand before the count and the name of another card."""
    beside = _BESIDE.search(raw) if raw.lstrip()[:1].isdigit() else None
    before = raw[: beside.start()].lstrip(" 0123456789xX") if beside else ""
    return any(map(str.isalpha, before))


def _in_zone(line: str, zones: ZoneWords) -> Meaning:
    """Return the card of a line such as ``Leader: Name``, None for other lines.

    Behind the word of the main zone the name of the list may stand as well.
    """
    word, _colon, rest = line.replace("**", "").partition(": ")
    heading = heading_before_colon(word, zones) if rest else None
    if heading is None:
        return None
    try:
        card = read_card(rest)
    except UnreadableLineError as fault:
        return UnreadableLine(line, fault.reason)
    if heading.zone is not None and opens_main(heading.word):
        return UnreadableLine(line, ZONE_RULE, (f"{COMMENT} {line}",))
    return replace(card, zone=heading.word, bare=False)


def _card_or_heading(card: CardLine, zones: ZoneWords, kind_words: frozenset[str]) -> Meaning:
    """Return a card, with the heading that it may be as well."""
    if card.times or card.side:
        return card
    heading = heading_like(card.entry, zones, kind_words)
    if heading is None:
        return card
    return CardOrHeading(card, replace(heading, count=card.entry.count if card.counted else None))


def reader_of(deck_format: DeckFormat) -> Callable[[str], Meaning]:
    """Return a cached parser of lines for a format; formats with equal zones and kinds share it."""
    return _cached_parser(deck_format.zone_words, deck_format.heading_kinds)


@lru_cache(maxsize=32)
def _cached_parser(zones: ZoneWords, kind_words: frozenset[str]) -> Callable[[str], Meaning]:
    """Return a cached parser for these zones and kinds."""
    read = partial(meaning_of, zones=zones, kind_words=kind_words)
    cached = lru_cache(maxsize=MOST_KEPT)(read)
    return lambda text: cached(text) if len(text) < LONGEST_KEPT else read(text)
