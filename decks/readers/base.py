"""What a reader of files is, and the register of those there are."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

from config.wording import translate
from decks.formats.rulebook import DeckRules
from decks.readers.encodings import decode
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import render, section_word
from rules.deckbuilding.zones import LABELS, zone_of_word
from rules.registry import Registry

Resolve = Callable[[str], str | None]
"""Returns the name of the card with an id, or None."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file as sent, the rules of the format that it is meant for, and who knows ids."""

    content: bytes
    rules: DeckRules
    resolve: Resolve

    @cached_property
    def text(self) -> str:
        """Return the content as text; raises BadInput ``file_rejected``."""
        return decode(self.content)


@dataclass(frozen=True, kw_only=True)
class ReadList:
    """A list that was read, and the written list that is kept of it."""

    deck: Deck
    text: str


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A type of file: its name for programs, how it is told by its content, how it is read.

    ``read`` raises BadInput for a file that is not of the type; a bad line is a problem of the
    deck. ``archive``: its content is a zip archive, not text.
    """

    key: str
    ending: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source], ReadList]
    archive: bool = False


READERS: Registry[Reader] = Registry("file_type")


def written(deck: Deck, deck_format: DeckFormat) -> str:
    """Return a deck as a list to mend, headed in the active language.

    What could not be read stands at its end. A line that ends with a colon and opens
    nothing stays unreadable until somebody mends it.
    """
    unread = [
        f"? {problem.sentence.values['text']} :"
        for problem in deck.problems
        if problem.code == "line.unreadable"
    ]
    text = render(
        deck,
        deck_format,
        heading=lambda zone: _heading(zone, deck_format),
        language=gettext("Language"),
    )
    return text + "".join(f"{line}\n" for line in unread)


def _heading(zone: str, deck_format: DeckFormat) -> str:
    """Return the zone's name as its reader knows it, where that opens the zone in a list."""
    name = translate(LABELS[zone]) if zone in LABELS else zone
    opens = zone_of_word(name, deck_format.zone_keys) == zone
    return name if opens else section_word(zone)
