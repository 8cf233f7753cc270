"""Stream a published catalogue, of whatever size, in the memory of its names."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any, cast
from zipfile import BadZipFile, ZipFile, ZipInfo

import ijson

from decks.cards.files import CARDS, CardFile, read_cards
from decks.cards.published.pokemon import POKEMON, PokemonTCG, set_codes
from decks.cards.published.schemas import Collector, Item, NoCardError, Schema
from decks.cards.published.scryfall import SCRYFALL
from decks.cards.published.ygoprodeck import YGOPRODECK
from decks.files.encodings import is_zip
from decks.files.limits import MEBIBYTE, rejected
from rules.errors import BadInput

SCHEMAS = (SCRYFALL, YGOPRODECK, POKEMON)
GZIP = b"\x1f\x8b"
MARK = b"\xef\xbb\xbf"
BUFFER = 64 * 1024
MOST_OF_A_CARD = MEBIBYTE
MOST_BRACKETS = 4000
"""Lists and objects of a card and those read ahead: what is nested deeply takes ijson long."""
MOST_MEMBERS = 20_000
SETS, CARDS_BY_SET = "sets", "cards"
"""Folders of the Pokémon TCG data."""

_DAMAGED = (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError)


@dataclass(slots=True)
class Meter:
    """Counts what is read of a file after unpacking, and refuses more than ``most`` bytes."""

    most: int
    told: Callable[[int], None] = lambda _read: None
    read: int = 0

    def add(self, count: int) -> None:
        """Count bytes; raises BadInput ``file_too_large``."""
        self.read += count
        if self.read > self.most:
            raise BadInput(
                "file_too_large",
                "The file holds more than %(most)s MB; nothing was stored. Whoever runs this site "
                "can load it there, by the command load_cards.",
                most=self.most // MEBIBYTE,
            )
        self.told(self.read)


@dataclass(slots=True)
class _Source:
    """A file as ijson reads it: metered, and with a limit for each card."""

    file: IO[bytes]
    meter: Meter
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
            raise _no_cards_behind(self.cards) if self.cards else _unknown_schema()
        return piece

    def read_card(self) -> None:
        """Note that a card is read."""
        self.cards += 1
        self.length = self.brackets = 0


def read_catalogue(file: IO[bytes], name: str = "", *, meter: Meter) -> CardFile:
    """Return the cards of a table, or of a published catalogue; ``file`` can be sought in.

    Memory grows with the number of cards, not with the size of the file. Raises BadInput:
    ``file_too_large``, ``file_rejected`` for broken JSON, a damaged archive or another schema, and
    as ``read_cards``.
    """
    try:
        return _read(file, name, meter)
    except _DAMAGED:
        raise rejected(
            "The file is damaged or cut off; nothing was stored. Download it again."
        ) from None


def _read(file: IO[bytes], name: str, meter: Meter) -> CardFile:
    start = _start(file)
    if is_zip(start):
        members = _members(file)
        return _read_by_set(file, members, meter) if members else _read_table(file, name)
    if start.startswith(GZIP):
        file = cast(IO[bytes], gzip.GzipFile(fileobj=file))
        start = _start(file)
    text = start.removeprefix(MARK).lstrip()
    if not text.startswith((b"[", b"{")):
        return _read_table(file, name)
    file.seek(len(MARK) if start.startswith(MARK) else 0)
    return _collected(_items(file, meter, "item" if text.startswith(b"[") else "data.item"), "")


def _start(file: IO[bytes]) -> bytes:
    start = file.read(1024)
    file.seek(0)
    return start


def _read_table(file: IO[bytes], name: str) -> CardFile:
    return read_cards(file.read(CARDS.size + 1), name)


def _items(file: IO[bytes], meter: Meter, where: str) -> Iterator[Item]:
    """Yield the cards of JSON one by one; raises BadInput for broken JSON and for other values."""
    source = _Source(file, meter)
    try:
        for item in ijson.items(source, where, use_float=True, buf_size=BUFFER):
            source.read_card()
            if not isinstance(item, dict):
                raise _no_card(source.cards)
            yield item
    except ijson.JSONError:
        raise rejected(
            "The file is no whole JSON: it breaks off or has a mistake after card %(number)s. "
            "Nothing was stored: download it again.",
            number=source.cards,
        ) from None


def _collected(items: Iterator[Item], file: str) -> CardFile:
    """Return the cards of one file, by the schema of its first card."""
    schema: Schema | None = None
    collector: Collector | None = None
    for number, item in enumerate(items, start=1):
        if collector is None:
            schema = next((one for one in SCHEMAS if one.recognises(item)), None)
            if schema is None:
                raise _unknown_schema()
            collector = schema.collector()
        _add(collector, item, file, number)
    if schema is None or collector is None:
        raise _unknown_schema()
    return _card_file(schema, collector)


def _add(collector: Collector, item: Item, file: str, number: int) -> None:
    try:
        collector.add(item, file)
    except NoCardError:
        raise _no_card(number, file) from None


def _card_file(schema: Schema, collector: Collector) -> CardFile:
    try:
        cards = tuple(collector.cards())
    except NoCardError as fault:
        raise rejected(
            "The card “%(card)s…” of the file has a text that is too long. Nothing was stored.",
            card=str(fault)[:60],
        ) from None
    if not cards:
        raise BadInput("no_cards", "The file holds no card. Nothing was stored.")
    return CardFile(cards=cards, source=schema.label)


def _members(file: IO[bytes]) -> list[ZipInfo]:
    """Return the JSON files of an archive by name; none of a workbook, which has no such files."""
    with ZipFile(file) as archive:
        members = archive.infolist()
    file.seek(0)
    if len(members) > MOST_MEMBERS:
        raise rejected("The archive holds more files than any catalogue; nothing was stored.")
    found = (one for one in members if one.filename.endswith(".json"))
    return sorted(found, key=lambda one: one.filename)


def _read_by_set(file: IO[bytes], members: list[ZipInfo], meter: Meter) -> CardFile:
    collector = PokemonTCG()
    with ZipFile(file) as archive:
        for member in members:
            path = PurePosixPath(member.filename)
            if CARDS_BY_SET in path.parts[:-1]:
                with archive.open(member) as opened:
                    items = _items(cast(IO[bytes], opened), meter, "item")
                    for number, item in enumerate(items, start=1):
                        if not POKEMON.recognises(item):
                            raise _no_card(number, path.name)
                        _add(collector, item, path.stem, number)
            elif SETS in path.parts[:-1]:
                with archive.open(member) as opened:
                    collector.codes = set_codes(_items(cast(IO[bytes], opened), meter, "item"))
    return _card_file(POKEMON, collector)


def _no_card(number: int, file: str = "") -> BadInput:
    values: dict[str, Any] = {"number": number}
    if file:
        return rejected(
            "%(file)s: card %(number)s is not a card as this catalogue has them. Nothing was "
            "stored: download it again.",
            file=file,
            **values,
        )
    return rejected(
        "Card %(number)s of the file is not a card as this catalogue has them. Nothing was "
        "stored: download it again.",
        **values,
    )


def _no_cards_behind(number: int) -> BadInput:
    return rejected(
        "Behind card %(number)s the file has what is no card. Nothing was stored: download it "
        "again.",
        number=number,
    )


def _unknown_schema() -> BadInput:
    return rejected(
        "The file is JSON of another kind; nothing was stored. Known are: Scryfall's cards, "
        "YGOPRODeck's cards and the Pokémon TCG data."
    )
