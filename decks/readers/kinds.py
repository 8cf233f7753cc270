"""Choose the reader of a file by its content, else by its extension, and check the list."""

import re
from dataclasses import dataclass

from decks.cards.catalogues import card_id_resolver
from decks.checking import CheckedDeck, check_deck, require_storable_text
from decks.files.encodings import is_zip
from decks.files.limits import ONE_LIST, require_size
from decks.readers import documents
from decks.readers import sheets as sheets
from decks.readers import ydk as ydk
from decks.readers.base import READERS, Reader, ReaderInput, Resolve
from decks.rulebook import DeckRules

FILE_TYPES = READERS.keys()

_FIRST_SIGNS = re.compile(
    r"\s*(?:ydke://|<\?xml|<Deck\b|<cockatrice_deck|\{|[#!](?:main|extra|side|created)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """A decklist read from a file and checked.

    ``type`` is the file type's key, ``text`` the list as text.
    """

    type: str
    text: str
    checked: CheckedDeck


def read_file(
    content: bytes,
    name: str,
    rules: DeckRules,
    declared_type: str | None = None,
    resolve: Resolve | None = None,
) -> CheckedFile:
    """Read and check the decklist of a file; nothing is stored.

    name: the file's. declared_type: one of FILE_TYPES, instead of recognition. resolve: returns the
    name of the card with an id, by default the catalogue's. Raises BadInput: ``file_too_large``,
    ``file_rejected``, ``column_missing``, ``column_twice``, ``wrong_type``, ``text_too_long``,
    ``text_unstorable``, ``unknown_file_type``.
    """
    require_size(content, ONE_LIST)
    source = ReaderInput(
        content=content, rules=rules, resolve=resolve or card_id_resolver(rules.catalogue)
    )
    reader = READERS.get(declared_type) if declared_type else _choose_reader(source, name)
    read = reader.read(source)
    require_storable_text(read.text)
    return CheckedFile(type=reader.key, text=read.text, checked=check_deck(rules, read.deck))


def may_be_foreign_file(text: str) -> bool:
    """Return whether a pasted text may be another program's file, by its beginning.

    ``read_file`` then recognises its type, or reads it as text.
    """
    return bool(_FIRST_SIGNS.match(text)) or sheets.has_header(text)


def convert_to_list_text(text: str, rules: DeckRules) -> str:
    """Return a pasted text as the text of a decklist; convert another program's file.

    Raises the BadInput of ``read_file``.
    """
    require_storable_text(text)
    if not may_be_foreign_file(text):
        return text
    return read_file(text.encode(), "", rules).text


def find_file_type(name: str) -> str | None:
    """Return the key of the file type with a file name's extension; None if unknown."""
    by_ending = _reader_by_extension(name)
    return by_ending.key if by_ending else None


def _choose_reader(source: ReaderInput, name: str) -> Reader:
    archive = is_zip(source.content)
    asked = [reader for reader in READERS if reader.archive is archive]
    recognised = (reader for reader in asked if reader.recognises(source))
    return next(recognised, None) or _reader_by_extension(name) or documents.TEXT


def _reader_by_extension(name: str) -> Reader | None:
    return next((reader for reader in READERS if name.lower().endswith(reader.ending)), None)
