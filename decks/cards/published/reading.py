"""Stream a published catalogue, of whatever size, in the memory of its names."""

import math
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, Protocol, cast
from zipfile import BadZipFile, ZipInfo

import ijson

from decks.cards.files import CARDS, CardFile, read_cards
from decks.cards.published.pokemon import POKEMON, PokemonCollector, printed_set_codes
from decks.cards.published.schemas import (
    CatalogueSchema,
    Collector,
    InvalidCardError,
    Item,
    LongTextError,
)
from decks.cards.published.scryfall import SCRYFALL
from decks.cards.published.ygoprodeck import YGOPRODECK
from decks.files.archives import GzipReader, open_zip
from decks.files.encodings import is_zip
from decks.files.limits import MEBIBYTE, file_rejected_error
from rules.errors import BadInput

SCHEMAS = (SCRYFALL, YGOPRODECK, POKEMON)
GZIP = b"\x1f\x8b"
MARK = b"\xef\xbb\xbf"
BUFFER = 64 * 1024
START = 1024
MOST_OF_A_CARD = MEBIBYTE
MOST_BRACKETS = 4000
"""Lists and objects of a card and those read ahead: what is nested deeply takes ijson long."""
MOST_MEMBERS = 20_000
SETS, CARDS_BY_SET = "sets", "cards"
"""Folders of the Pokémon TCG data."""

_DAMAGED = (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError)


class BinaryFile(Protocol):
    """Protocol of a binary file that can be read."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, none at the end."""


def file_too_large_error() -> BadInput:
    """Return the error ``file_too_large``: only the command line can load this file."""
    return BadInput(
        "file_too_large",
        "The file is too large. Ask the site’s operator to load it with load_cards.",
    )


@dataclass(slots=True)
class ReadLimiter:
    """Counts what is read of a file; raises BadInput ``file_too_large`` above the limits.

    ``most`` bytes after unpacking, ``most_kept`` cards and other names, ``seconds`` of processor
    time. ``told`` is called after each piece with the number of bytes read so far.
    """

    most: int
    most_kept: int = 2_000_000
    seconds: float = math.inf
    told: Callable[[int], None] = lambda _read: None
    read: int = 0
    began: float = field(default_factory=time.thread_time)

    def add(self, count: int) -> None:
        """Count bytes; raises BadInput ``file_too_large``."""
        self.read += count
        if self.read > self.most:
            raise file_too_large_error()
        if time.thread_time() - self.began > self.seconds:
            raise file_too_large_error()
        self.told(self.read)

    def keep(self, kept: int) -> None:
        """Look at how many cards and names are kept; raises BadInput ``file_too_large``."""
        if kept > self.most_kept:
            raise file_too_large_error()


@dataclass(slots=True)
class _Source:
    """A file as ijson reads it: metered, and with a limit for each card."""

    file: BinaryFile
    meter: ReadLimiter
    cards: int = 0
    length: int = 0
    brackets: int = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; raises BadInput ``file_rejected`` before what no card has."""
        piece = self.file.read(BUFFER if size < 0 else size)
        self.meter.add(len(piece))
        self.length += len(piece)
        self.brackets += piece.count(b"[") + piece.count(b"{")
        if self.length > MOST_OF_A_CARD or self.brackets > MOST_BRACKETS:
            raise _damaged(self.cards) if self.cards else _unknown_schema()
        return piece

    def read_card(self) -> None:
        """Note that a card is read."""
        self.cards += 1
        self.length = self.brackets = 0


def read_catalogue(file: IO[bytes], name: str = "", *, meter: ReadLimiter) -> CardFile:
    """Return the cards of a table or of a published catalogue (JSON, gzip, zip).

    ``file`` must be seekable, ``name`` is the file's; ``meter`` limits what is read. Memory grows
    with the number of cards, not with the size of the file. Raises BadInput: ``file_too_large``,
    ``file_rejected`` for broken JSON, a damaged archive or another schema, and ``read_cards``'
    errors.
    """
    try:
        return _read(file, name, meter)
    except _DAMAGED:
        raise _damaged() from None


def _read(file: IO[bytes], name: str, meter: ReadLimiter) -> CardFile:
    start = file.read(START)
    file.seek(0)
    if is_zip(start):
        members = _members(file)
        if members:
            return _read_by_set(file, members, meter)
    packed = start.startswith(GZIP)
    if packed:
        start = GzipReader(file).read(START)
        file.seek(0)
    text = start.removeprefix(MARK).lstrip()
    source: BinaryFile = GzipReader(file) if packed else file
    if not text.startswith((b"[", b"{")):
        return read_cards(_all_of(source, CARDS.size + 1), name)
    if start.startswith(MARK):
        source.read(len(MARK))
    where = "item" if text.startswith(b"[") else "data.item"
    return _collected(_items(source, meter, where), meter)


def _all_of(source: BinaryFile, most: int) -> bytes:
    """Return what a source holds, or ``most`` bytes of it."""
    pieces, length = [], 0
    while length < most and (piece := source.read(min(BUFFER, most - length))):
        pieces.append(piece)
        length += len(piece)
    return b"".join(pieces)


def _items(file: BinaryFile, meter: ReadLimiter, where: str) -> Iterator[Item]:
    """Yield the cards of JSON one by one; raises BadInput for broken JSON and for other values."""
    source = _Source(file, meter)
    try:
        for item in ijson.items(source, where, use_float=True, buf_size=BUFFER):
            source.read_card()
            if not isinstance(item, dict):
                raise _damaged(source.cards - 1)
            yield item
    except ijson.JSONError:
        raise _damaged(source.cards) from None


def _collected(items: Iterator[Item], meter: ReadLimiter) -> CardFile:
    """Return the cards of one file, by the schema of its first card."""
    schema: CatalogueSchema | None = None
    collector: Collector | None = None
    for number, item in enumerate(items, start=1):
        if collector is None:
            schema = next((one for one in SCHEMAS if one.recognises(item)), None)
            if schema is None:
                raise _unknown_schema()
            collector = schema.collector()
        _add(collector, item, "", number)
        meter.keep(collector.kept)
    if schema is None or collector is None:
        raise _unknown_schema()
    return _card_file(schema, collector)


def _add(collector: Collector, item: Item, file: str, number: int) -> None:
    try:
        collector.add(item, file)
    except LongTextError as fault:
        raise _long_text(fault) from None
    except InvalidCardError:
        raise _damaged(number - 1) from None


def _card_file(schema: CatalogueSchema, collector: Collector) -> CardFile:
    try:
        cards = tuple(collector.cards())
    except LongTextError as fault:
        raise _long_text(fault) from None
    if not cards:
        raise BadInput("no_cards", "The file has no cards.")
    return CardFile(cards=cards, source=schema.label)


def _members(file: IO[bytes]) -> list[ZipInfo]:
    """Return the JSON files of an archive by name; none of a workbook, which has no such files."""
    with open_zip(file) as archive:
        members = archive.infolist()
    file.seek(0)
    if len(members) > MOST_MEMBERS:
        raise _unknown_schema()
    found = (one for one in members if one.filename.endswith(".json"))
    return sorted(found, key=lambda one: one.filename)


def _read_by_set(file: IO[bytes], members: list[ZipInfo], meter: ReadLimiter) -> CardFile:
    collector = PokemonCollector()
    with open_zip(file) as archive:
        for member in members:
            path = PurePosixPath(member.filename)
            if CARDS_BY_SET in path.parts[:-1]:
                with archive.open(member) as opened:
                    items = _items(cast(IO[bytes], opened), meter, "item")
                    for number, item in enumerate(items, start=1):
                        if not POKEMON.recognises(item):
                            raise _damaged(number - 1)
                        _add(collector, item, path.stem, number)
                        meter.keep(collector.kept)
            elif SETS in path.parts[:-1]:
                with archive.open(member) as opened:
                    collector.codes = printed_set_codes(
                        _items(cast(IO[bytes], opened), meter, "item")
                    )
    return _card_file(POKEMON, collector)


def _long_text(fault: LongTextError) -> BadInput:
    return file_rejected_error(
        "Unknown JSON format. Use a file from Scryfall, YGOPRODeck or Pokémon TCG data.",
        card=str(fault)[:60],
    )


def _damaged(cards: int = 0) -> BadInput:
    return file_rejected_error(
        "The file is damaged after card %(number)s. Download it again.", number=cards
    )


def _unknown_schema() -> BadInput:
    return file_rejected_error(
        "Unknown JSON format. Use a file from Scryfall, YGOPRODeck or Pokémon TCG data."
    )
