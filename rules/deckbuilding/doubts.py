"""Lines that can be read in several ways, or may hold no card: the player is asked what is meant.

Source: deck construction, Lists in and out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.catalogue import SUGGEST_FOR, SUGGESTIONS, Catalogue
from rules.deckbuilding.deck import HIGHEST_COUNT, Entry, Violation
from rules.deckbuilding.lines import CardLine, read_card
from rules.deckbuilding.render import render_entry
from rules.names import card_key
from rules.wording import Sentence

SHOWN = 80  # characters of a line that are quoted

_NUMBER_FIRST = re.compile(r"[(\[#]?([0-9]+)(?:[.)\],°º/|](?![0-9]))?[x×*]?\s*([^\W\d_].*)")
_NUMBER_LAST = re.compile(r"(.*\S)(?: [-–—/] | ?[,:=|] ?)([0-9]+)")
_COUNT_BEHIND = re.compile(r"(.*\S) ([1-9][0-9]?)")
_BARE_NUMBER = re.compile(r"(.*\S) ([0-9]+)")
_LISTED = re.compile(r"[(\[#]?[0-9]+[.)\]°º] ?")
_TAGS_BEHIND = re.compile(r" ?[({\[].*$")


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line with several readings: ``card`` takes all of it as a name, ``ways`` are the others.

    Each of ``ways`` is a line of a list that can be read in one way only.
    """

    card: CardLine
    ways: tuple[str, ...]


def readings_of(card: CardLine) -> Unclear | None:
    """Return the readings of a line with a number that may be a count ("3. Name"), else None."""
    ways = () if card.counted else tuple(_counted_ways(card.entry, card.side))
    if not ways:
        return None
    whole = line_of_reading(card.entry, card.entry.name, 1, card.side)
    return Unclear(card, tuple(dict.fromkeys([*ways, *whole])))


def _counted_ways(entry: Entry, side: bool) -> Iterator[str]:
    """Yield the lines of a line without a count that have a number of it as their count."""
    listed = _LISTED.match(entry.name)
    behind = [*_behind_number(entry, entry.name[listed.end() :], side)] if listed else []
    if behind:
        yield from behind
    elif first := _NUMBER_FIRST.fullmatch(entry.name):
        yield from line_of_reading(entry, first[2], int(first[1][-4:]), side)
        if listed:
            yield from line_of_reading(entry, first[2], 1, side)
    elif last := _NUMBER_LAST.fullmatch(entry.name):
        yield from line_of_reading(entry, last[1], int(last[2][-4:]), side)
    elif entry.version.isdecimal():
        plain, count = replace(entry, version=""), int(entry.version[-4:])
        yield from line_of_reading(plain, entry.name, count, side)


def _behind_number(entry: Entry, rest: str, side: bool) -> Iterator[str]:
    """Yield the line behind the number of a list: ``4 Name`` of ``1. 4 Name``."""
    try:
        card = read_card(rest) if rest else None
    except UnreadableLineError:
        return
    if card is not None and card.counted:
        yield from line_of_reading(entry, card.entry.name, card.entry.count, side)


def count_behind(card: CardLine) -> Unclear | None:
    """Return the readings of a line whose last word is a number up to 99, else None.

    Asked of lists of which most lines are so: ``Name 4``. Behind the code of a set stands the
    number of a card.
    """
    found = _COUNT_BEHIND.fullmatch(card.written)
    if found is None or (card.entry.number and " " not in card.entry.expansion):
        return None
    way, whole = f"{found[2]}x {found[1]}", f"1x {card.written}"
    return Unclear(card, (way, whole))


def line_of_reading(entry: Entry, name: str, count: int, side: bool) -> Iterator[str]:
    """Yield the line that has this one reading, unless it is no valid line."""
    if 1 <= count <= HIGHEST_COUNT:
        line = render_entry(replace(entry, name=name, count=count), times=True)
        written = f"SB: {line}" if side else line
        try:
            read_card(written)
        except UnreadableLineError:
            return
        yield written


def other_card(card: CardLine, catalogue: Catalogue) -> Unclear | None:
    """Return the readings of a counted line that is a card's name with its count: 7 Colored Fish.

    None for most lines: no card of the catalogue has this name.
    """
    entry = card.entry
    for name in (card.written, _TAGS_BEHIND.sub("", card.written)):
        key = card_key(name)
        if key != entry.key and catalogue.get(key) is not None:
            side = card.side
            ways = [
                *line_of_reading(entry, entry.name, entry.count, side),
                *line_of_reading(entry, name, 1, side),
            ]
            return Unclear(card, tuple(ways))
    return None


def unclear_line(zone: str, number: int, line: str, ways: tuple[str, ...]) -> Violation:
    """Return the violation for a line with several readings, which are its suggestions."""
    return Violation(
        code="line.unclear",
        sentence=Sentence(
            "Line %(line)s can be read in more than one way: “%(text)s”. Write one of: %(ways)s.",
            {"line": number, "text": shortened(line), "ways": ways},
        ),
        zone=zone,
        line=number,
        suggestions=ways,
    )


class NoCards:
    """Lines without a number that are no card of a catalogue, such as greetings.

    The nearest names are looked up for the first lines only, as they take long.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._left = SUGGEST_FOR

    def ways(self, card: CardLine) -> tuple[str, ...]:
        """Return the lines that may be meant: near names, a count, a card unknown so far."""
        entry = card.entry
        near: tuple[str, ...] = ()
        if self._left:
            self._left -= 1
            near = tuple(self._catalogue.nearest(entry.key, SUGGESTIONS - 1))
        ways = [way for name in near for way in line_of_reading(entry, name, 1, side=False)]
        last = _BARE_NUMBER.fullmatch(entry.name)
        if last and self._catalogue.get(card_key(last[1])) is not None:
            ways = [*line_of_reading(entry, last[1], int(last[2][-4:]), side=False)]
        return (*ways, *line_of_reading(entry, entry.name, 1, side=False))

    def violation(self, zone: str, number: int, card: CardLine) -> Violation:
        """Return the violation for a line that is no card, which is not counted as one."""
        return Violation(
            code="line.no_card",
            sentence=Sentence(
                "Line %(line)s is no card of the catalogue and has no number, so it is not "
                "counted: “%(text)s”. Leave it out, or write 1 before it if it is a card.",
                {"line": number, "text": shortened(card.entry.name)},
            ),
            zone=zone,
            line=number,
            suggestions=self.ways(card),
        )


def shortened(line: str, most: int = SHOWN) -> str:
    """Return a line as it is quoted: no more than its first characters."""
    return line if len(line) <= most else line[:most] + "…"
