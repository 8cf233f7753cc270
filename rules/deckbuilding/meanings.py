"""What each line of a list means, whatever stands around it.

The lists of a tournament share most of their lines, so what a line means is remembered.
Source: deck construction, Lists in and out.
"""

from dataclasses import dataclass
from functools import lru_cache

from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import Heading, read_heading
from rules.deckbuilding.kinds import folded_kind
from rules.deckbuilding.lines import (
    LANGUAGE_LINE,
    CardLine,
    UnreadableLineError,
    is_bulleted,
    read_card,
)
from rules.names import tidy
from rules.wording import Sentence

LONGEST_KEPT = 120  # characters of a line that is remembered
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


class Meanings(dict[str, Meaning]):
    """The lines of one game and what they mean, each read when it is first asked for."""

    def __init__(self, zone_keys: tuple[str, ...], kind_words: frozenset[str]) -> None:
        super().__init__()
        self.zone_keys = zone_keys
        self.kind_words = kind_words

    def __missing__(self, raw: str) -> Meaning:
        """Read a line, and remember it unless it is long."""
        meaning = meaning_of(raw, self.zone_keys, self.kind_words)
        if len(raw) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[raw] = meaning
        return meaning


def meaning_of(raw: str, zone_keys: tuple[str, ...], kind_words: frozenset[str]) -> Meaning:
    """Return what a line means as it was written."""
    line = tidy(raw)
    if not line or line.startswith(("#", "//")):
        return None
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


def meanings_in(deck_format: DeckFormat) -> Meanings:
    """Return what lines mean in a format; those with the same zones and kinds share it."""
    return _meanings(deck_format.zone_keys, tuple(kind.words for kind in deck_format.kinds))


@lru_cache(maxsize=32)
def _meanings(zone_keys: tuple[str, ...], words: tuple[tuple[str, ...], ...]) -> Meanings:
    return Meanings(zone_keys, frozenset(folded_kind(word) for kind in words for word in kind))
