"""The meaning of one line of a written list: a card, a heading, a language, or none of these.

Source: deck construction, Lists in and out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.doubts import Unclear, readings_of
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import COMMENT, Heading, read_heading
from rules.deckbuilding.kinds import folded_kind
from rules.deckbuilding.lines import (
    LANGUAGE_LINE,
    CardLine,
    is_bulleted,
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
    """A normalised line without a card, and the reason."""

    line: str
    reason: Sentence


Meaning = CardLine | Heading | LanguageLine | Unclear | UnreadableLine | None
"""None stands for a blank line or a comment."""


def meaning_of(raw: str, zones: ZoneWords, kind_words: frozenset[str]) -> Meaning:
    """Return a raw line as a card, heading, language, unclear or unreadable line, or None."""
    line = tidy(raw)
    if not line or line.startswith(COMMENT):
        return None
    if "\t" not in raw and (card := read_plain_card(line)):
        return card
    if not is_bulleted(line):
        if match := LANGUAGE_LINE.fullmatch(line):
            return LanguageLine(match[1])
        heading = read_heading(line, zones, kind_words)
        if heading is not None or line.startswith("#"):
            return heading
    try:
        card = read_line(raw)
    except UnreadableLineError as fault:
        return UnreadableLine(line, fault.reason)
    return readings_of(card) or card


def reader_of(deck_format: DeckFormat) -> Callable[[str], Meaning]:
    """Return a cached parser of lines for a format; formats with equal zones and kinds share it."""
    return _cached_parser(deck_format.zone_words, deck_format.kind_words)


@lru_cache(maxsize=32)
def _cached_parser(
    zones: ZoneWords, words: tuple[tuple[str, ...], ...]
) -> Callable[[str], Meaning]:
    """Return a cached parser for these zones and kinds."""
    kind_words = frozenset(folded_kind(word) for kind in words for word in kind)
    read = partial(meaning_of, zones=zones, kind_words=kind_words)
    cached = lru_cache(maxsize=MOST_KEPT)(read)
    return lambda text: cached(text) if len(text) < LONGEST_KEPT else read(text)
