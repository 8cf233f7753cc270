"""What each line of a list means, whatever stands around it.

The lists of a tournament share most of their lines, so what a line means is remembered.
Source: deck construction, Lists in and out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import Heading, read_heading
from rules.deckbuilding.kinds import folded_kind
from rules.deckbuilding.lines import (
    LANGUAGE_LINE,
    CardLine,
    UnreadableLineError,
    is_bulleted,
    read_card,
    read_plain_card,
)
from rules.names import tidy
from rules.remembered import remembered
from rules.wording import Sentence

MOST_KEPT = 8192  # lines of one game


@dataclass(frozen=True, slots=True)
class LanguageLine:
    """The language of the whole list."""

    language: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A tidied line that holds no card, and why."""

    line: str
    reason: Sentence


Meaning = CardLine | Heading | LanguageLine | Unreadable | None
"""None is a blank line or a comment."""


def meaning_of(raw: str, zone_keys: tuple[str, ...], kind_words: frozenset[str]) -> Meaning:
    """Return what a line means as it was written."""
    line = tidy(raw)
    if not line or line.startswith(("#", "//")):
        return None
    if card := read_plain_card(line):
        return card
    if not is_bulleted(line):
        if said := LANGUAGE_LINE.fullmatch(line):
            return LanguageLine(said[1])
        heading = read_heading(line, zone_keys, kind_words)
        if heading is not None:
            return heading
    try:
        return read_card(line)
    except UnreadableLineError as fault:
        return Unreadable(line, fault.reason)


def reader_of(deck_format: DeckFormat) -> Callable[[str], Meaning]:
    """Return what tells the meaning of a line in a format; same zones and kinds, same reader."""
    return _reader(deck_format.zone_keys, deck_format.kind_words)


@lru_cache(maxsize=32)
def _reader(
    zone_keys: tuple[str, ...], words: tuple[tuple[str, ...], ...]
) -> Callable[[str], Meaning]:
    kind_words = frozenset(folded_kind(word) for kind in words for word in kind)
    read = partial(meaning_of, zone_keys=zone_keys, kind_words=kind_words)
    return remembered(read, most=MOST_KEPT)
