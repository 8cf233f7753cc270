"""The reader of a file type, and the registry of readers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

from config.wording import translate
from decks.files.encodings import decode_text
from decks.rulebook import DeckRules
from rules.deckbuilding.beside import excluded_heading
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import render_deck, render_entry, section_heading
from rules.deckbuilding.zones import LABELS, find_zone
from rules.registry import Registry

Resolve = Callable[[str], str | None]
"""A function from a card's id to its name, or None."""


@dataclass(frozen=True, kw_only=True)
class ReaderInput:
    """Input of a reader: a file's content, and the rules of the format.

    ``resolve`` returns the name of a card by its id, None if unknown.
    """

    content: bytes
    rules: DeckRules
    resolve: Resolve

    @cached_property
    def text(self) -> str:
        """Return the content as text; raises BadInput ``file_rejected``."""
        return decode_text(self.content)


@dataclass(frozen=True, kw_only=True)
class ParsedList:
    """A deck read from a file, and the list as text to be stored."""

    deck: Deck
    text: str


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A file type: its key, its extension (with dot), how it is recognised and read.

    ``read`` raises BadInput for a file that is not of the type; an unreadable line is a problem of
    the deck. ``archive`` marks types whose content is a zip archive.
    """

    key: str
    ending: str
    recognises: Callable[[ReaderInput], bool]
    read: Callable[[ReaderInput], ParsedList]
    archive: bool = False


READERS = Registry("file_type", Reader)


def editable_text(deck: Deck, rules: DeckRules) -> str:
    """Return a deck as editable text with headings in the active language.

    The text reads back as the same deck by these rules. Unreadable lines follow, and at the end the
    cards that are not counted, such as a maybeboard.
    """
    lines = [
        unreadable_text_line(problem.sentence.values["text"])
        for problem in deck.problems
        if problem.code == "line.unreadable"
    ]
    text = render_deck(
        deck,
        rules.format,
        heading=lambda zone: zone_heading(zone, rules.format),
        language=gettext("Language"),
        catalogue=rules.catalogue,
    )
    aside = (
        f"\n{excluded_heading(each.heading, rules.format)}\n"
        + "".join(f"{render_entry(entry, times=True)}\n" for entry in each.entries)
        for each in deck.aside
    )
    return "".join((text, *(f"{line}\n" for line in lines), *aside))


def unreadable_text_line(text: object) -> str:
    """Return a line "? TEXT :", which the list's parser reports as unreadable."""
    return f"? {text} :"


def zone_heading(zone: str, deck_format: DeckFormat) -> str:
    """Return a zone key's heading in the active language, if the parser knows that one.

    Else the default heading.
    """
    name = translate(LABELS[zone]) if zone in LABELS else zone
    opens = find_zone(name, deck_format.zone_words) == zone
    return name if opens else section_heading(zone)
