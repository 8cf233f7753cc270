"""Lists of Yu-Gi-Oh! simulators: one card id per line below #main, #extra, !side (.ydk), or the
same in an address (``ydke://``).

An unknown id is not a syntax error: like a name missing from the catalogue it yields
``card.unknown``, and the card is counted under its id. A name needs a letter, hence
“id 89631139”.
"""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from struct import iter_unpack

from decks.files.limits import file_rejected_error
from decks.readers.base import READERS, ParsedList, ReaderInput, editable_text
from rules.deckbuilding.deck import Deck, DeckEntry, Violation
from rules.deckbuilding.rows import CardTableRow, deck_from_rows
from rules.names import clean_line
from rules.wording import Sentence

# Section words (deck construction, Lists in and out), which every game maps to its own zones.
SECTIONS = {"#main": "Main", "#extra": "Extra", "!side": "Side"}

ID_RULE = Sentence("One card per line.")

_ID = re.compile(r"[0-9]{1,12}")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the non-empty lines with their number, from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if tidied := clean_line(line):
            yield number, tidied


def _recognises(source: ReaderInput) -> bool:
    lines = [line for _number, line in _lines(source.text)]
    cards = [line for line in lines if not line.startswith(("#", "!"))]
    opened = any(line.lower() in SECTIONS for line in lines)
    return opened and bool(cards or "!side" in lines) and all(map(_ID.fullmatch, cards))


def _read(source: ReaderInput) -> ParsedList:
    deck_format = source.rules.format
    deck = deck_from_rows(_card_rows(source), deck_format, source.rules.catalogue)
    deck = replace(deck, problems=(*deck.problems, *_unknown_id_violations(deck, source)))
    return ParsedList(deck=deck, text=editable_text(deck, source.rules))


def _card_rows(source: ReaderInput) -> Iterator[CardTableRow]:
    section = SECTIONS["#main"]
    for number, line in _lines(source.text):
        if line.startswith(("#", "!")):
            section = SECTIONS.get(line.lower(), section)
        elif _ID.fullmatch(line):
            name = source.resolve(line) or _id_as_name(line)
            yield CardTableRow(number=number, cells={"zone": section, "name": name}, shown=line)
        else:
            yield CardTableRow(number=number, cells={"zone": section}, shown=line, fault=ID_RULE)


def _id_as_name(passcode: str) -> str:
    return f"id {passcode}"


def _unknown_id_violations(deck: Deck, source: ReaderInput) -> Iterator[Violation]:
    """Yield a violation for each card with an unresolved id."""
    ids = {line for _number, line in _lines(source.text) if _ID.fullmatch(line)}
    unresolved = {_id_as_name(each): each for each in ids if not source.resolve(each)}
    found = [_unknown_id(zone, entry, unresolved) for zone, entry in deck]
    yield from sorted(filter(None, found), key=lambda violation: violation.line or 0)


def _unknown_id(zone: str, entry: DeckEntry, unresolved: Mapping[str, str]) -> Violation | None:
    if entry.name not in unresolved:
        return None
    return Violation(
        code="card.unknown",
        sentence=Sentence(
            "Unknown card ID %(id)s. Write the card’s name instead.",
            {"id": unresolved[entry.name]},
        ),
        zone=zone,
        card=entry.name,
        line=entry.line,
    )


YDK = READERS.define(key="ydk", ending=".ydk", recognises=_recognises, read=_read)

_ADDRESS = re.compile(r"\s*ydke://([A-Za-z0-9+/=]*)!([A-Za-z0-9+/=]*)!([A-Za-z0-9+/=]*)!?\s*")


def _read_address(source: ReaderInput) -> ParsedList:
    """Read the three parts of an address: base64 of card ids of 32 bits, the lowest byte first."""
    parts = _ADDRESS.fullmatch(source.text)
    if parts is None:
        raise _broken_address_error()
    lines = []
    for section, part in zip(SECTIONS, parts.groups(), strict=True):
        lines += [section, *map(str, _ids(part))]
    return _read(replace(source, content="\n".join(lines).encode()))


def _ids(part: str) -> Iterator[int]:
    try:
        packed = b64decode(part, validate=True)
    except ValueError:
        raise _broken_address_error() from None
    if len(packed) % 4:
        raise _broken_address_error()
    for (number,) in iter_unpack("<I", packed):
        yield number


def _broken_address_error() -> Exception:
    return file_rejected_error("The file can’t be read. Upload text, CSV or .xlsx.")


YDKE = READERS.define(
    key="ydke",
    ending=".ydke",
    recognises=lambda source: source.text.lstrip().startswith("ydke://"),
    read=_read_address,
)
