"""Parsing of lists as tables: one card per row, with zone, count and tags in separate cells.

Source: deck construction, Lists in and out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.deckbuilding.around import (
    COUNT_RULE,
    TAGS,
    UnreadableLineError,
    language_key,
    parse_count,
)
from rules.deckbuilding.beside import (
    CardsOutsideZones,
    find_section_heading,
    unknown_zone_violation,
    unreadable_line_violation,
)
from rules.deckbuilding.catalogue import CardCatalogue
from rules.deckbuilding.deck import Deck, DeckEntry, Violation
from rules.deckbuilding.deck_json import build_entry, clean_tag
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.lines import LANGUAGE_LINE
from rules.deckbuilding.text import LANGUAGE_RULE, build_deck, default_zone
from rules.names import clean_line
from rules.numbers import parse_whole_number
from rules.wording import Sentence

COLUMNS = ("zone", "count", "name", *TAGS)

_TIMES = "xX×"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTableRow:
    """A row of a card table: its number from 1, cells by column, and its text for messages.

    ``fault`` is the reason why it holds no card, if already known.
    """

    number: int
    cells: Mapping[str, str]
    shown: str
    fault: Sentence | None = None


def deck_from_rows(
    rows: Iterable[CardTableRow], deck_format: DeckFormat, catalogue: CardCatalogue | None = None
) -> Deck:
    """Return the deck of a card table; unreadable rows become its ``problems``.

    A row without a zone is assigned like a line before any heading; a row with only ``Language:
    it`` declares the list's language. Never raises.
    """
    zones: dict[str, list[DeckEntry]] = {}
    problems: list[Violation] = []
    beside = CardsOutsideZones()
    declared = ""
    for row in rows:
        word = clean_line(row.cells.get("zone", ""))
        place = find_section_heading(word, deck_format) if word else None
        zone = place.zone if place else word
        try:
            if not row.fault and (language := row_language(row)):
                if declared and language_key(language) != language_key(declared):
                    raise UnreadableLineError(LANGUAGE_RULE)
                declared = declared or language
                continue
            entry = row_entry(row)
        except UnreadableLineError as fault:
            where = zone or deck_format.main
            problems.append(unreadable_line_violation(where, row.number, row.shown, fault.reason))
            continue
        if place is not None and place.role is not None:
            beside.add(place.role, place.word, entry)
            continue
        if zone and zone not in deck_format.zone_keys:
            problems.append(unknown_zone_violation(deck_format, zone, row.number))
        home = zone or default_zone(deck_format, entry, catalogue)
        zones.setdefault(home, []).append(entry)
    return build_deck(deck_format, zones, declared, problems, beside)


def row_language(row: CardTableRow) -> str:
    """Return the language that a row declares for the list, "" for other rows."""
    filled = [key for key, cell in row.cells.items() if clean_line(cell)]
    match = LANGUAGE_LINE.fullmatch(clean_line(row.cells.get("name", "")))
    return str(match[1]) if match and filled == ["name"] else ""


def row_entry(row: CardTableRow) -> DeckEntry:
    """Return the entry that a row holds; raise UnreadableLineError."""
    if row.fault:
        raise UnreadableLineError(row.fault)
    texts = {key: clean_tag(key, row.cells.get(key, "")) for key in TAGS}
    count = 1
    if written := clean_line(row.cells.get("count", "")):
        found = parse_whole_number(_without_times(written))
        if found is None:
            raise UnreadableLineError(COUNT_RULE)
        count = parse_count(str(found))
    return build_entry(row.cells.get("name", ""), count, texts, row.number)


def _without_times(text: str) -> str:
    """Return a count without the sign of multiplication before or behind it: 4x, × 4."""
    if text[:1] in _TIMES:
        return text[1:].removeprefix(" ")
    return text[:-1].removesuffix(" ") if text[-1] in _TIMES else text
