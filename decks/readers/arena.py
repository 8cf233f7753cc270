"""Lists exported by Magic Arena: headings, and lines such as ``4 Name (SET) 123``.

The set and the number of a card are left out: they are of that program, not of the event's game.
Source: deck construction, Lists in and out.
"""

import re
from collections.abc import Iterator

from decks.readers.base import READERS, ReadList, Source
from rules.deckbuilding.lines import LINE_END
from rules.deckbuilding.render import section_word
from rules.deckbuilding.text import parse
from rules.names import tidy

_CARD = re.compile(r"([0-9]{1,3} \S.*?) \([A-Z0-9]{2,8}\) [0-9]{1,5}[a-z★]?")
_HEADINGS = {"deck": "", "sideboard": "side"}
_OTHER_HEADINGS = frozenset({"about", "commander", "companion"})


def _lines(text: str) -> list[str]:
    return [tidy(line) for line in LINE_END.split(text)]


def _recognises(source: Source) -> bool:
    """Return whether every line is a card, a heading of the program, or the name of the deck."""
    lines = [line for line in _lines(source.text) if line]
    cards = sum(bool(_CARD.fullmatch(line)) for line in lines)
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
            card = _CARD.fullmatch(line)
            yield card[1] if card else line


def _read(source: Source) -> ReadList:
    text = "\n".join(_translated_lines(source)).strip() + "\n"
    rules = source.rules
    return ReadList(deck=parse(text, rules.format, rules.catalogue), text=text)


ARENA = READERS.define(key="arena", ending=".arena.txt", recognises=_recognises, read=_read)
