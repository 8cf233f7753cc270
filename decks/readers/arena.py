"""Lists exported by Magic Arena: headings, and lines such as ``4 Name (SET) 123``.

Source: deck construction, Lists in and out.
"""

from collections.abc import Iterator

from decks.readers.base import READERS, ReadList, Source
from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.lines import LINE_END, read_card
from rules.deckbuilding.render import section_word
from rules.deckbuilding.text import parse
from rules.names import tidy

_HEADINGS = {"deck": "", "sideboard": "side"}
_OTHER_HEADINGS = frozenset({"about", "commander", "companion"})


def _lines(text: str) -> list[str]:
    return [tidy(line) for line in LINE_END.split(text)]


def _has_number(line: str) -> bool:
    """Return whether a line is a card with a set and a number."""
    try:
        card = read_card(line)
    except UnreadableLineError:
        return False
    return card.counted and bool(card.entry.expansion and card.entry.number)


def _recognises(source: Source) -> bool:
    """Return whether every line is a card, a heading of the program, or the name of the deck."""
    lines = [line for line in _lines(source.text) if line]
    cards = sum(_has_number(line) for line in lines)
    others = [line for line in lines if not line[0].isdigit()]
    known = _HEADINGS.keys() | _OTHER_HEADINGS
    about = any(line.casefold() == "about" for line in others)
    return cards > 0 and all(
        line.casefold() in known or (about and line.casefold().startswith("name "))
        for line in others
    )


def _translated_lines(source: Source) -> Iterator[str]:
    shape = source.rules.format
    about = False
    for line in _lines(source.text):
        word = line.casefold()
        if word in _HEADINGS:
            about = False
            zone = _HEADINGS[word] or shape.main
            yield section_word((shape.side or zone) if word == "sideboard" else zone)
        elif word in _OTHER_HEADINGS:
            about = word == "about"
        elif not (about and word.startswith("name ")):
            yield line


def _read(source: Source) -> ReadList:
    text = "\n".join(_translated_lines(source)).strip() + "\n"
    rules = source.rules
    return ReadList(deck=parse(text, rules.format, rules.catalogue), text=text)


ARENA = READERS.define(key="arena", ending=".arena.txt", recognises=_recognises, read=_read)
