"""Lists as text, and JSON in the API's shape: an object with ``text`` or ``zones``.

If both are present, as in some responses, ``text`` is read.

Source: deck construction, Lists in and out; contracts, check_deck.
"""

from typing import Any

from decks.checking import require_entry_limit, require_storable_text
from decks.files.archives import damaged_file_error
from decks.files.limits import parse_strict_json
from decks.readers.base import READERS, ParsedList, ReaderInput, editable_text
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.text import parse_decklist
from rules.names import clean_line


def _object(text: str) -> dict[str, Any] | None:
    """Return the JSON object of a text; None for anything else."""
    try:
        read = parse_strict_json(text)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _read(source: ReaderInput) -> ParsedList:
    sent = _object(source.text)
    if sent is None or (sent.get("text") is None and sent.get("zones") is None):
        raise damaged_file_error()
    deck_format, catalogue = source.rules.format, source.rules.catalogue
    language, text = sent.get("language"), sent.get("text")
    if text is None:
        require_entry_limit(sent["zones"])
        deck = deck_from_json(sent["zones"], deck_format, language)
        return ParsedList(deck=deck, text=editable_text(deck, source.rules))
    if not isinstance(text, str) or not isinstance(language, str | None):
        raise damaged_file_error()
    require_storable_text(text)
    deck = parse_decklist(text, deck_format, catalogue, language=language or "")
    declared = f"\nLanguage: {clean_line(language)}\n" if language and clean_line(language) else ""
    return ParsedList(deck=deck, text=text + declared)


JSON = READERS.define(
    key="json",
    ending=".json",
    recognises=lambda source: source.text.lstrip().startswith("{"),
    read=_read,
)


def _read_text(source: ReaderInput) -> ParsedList:
    require_storable_text(source.text)
    deck = parse_decklist(source.text, source.rules.format, source.rules.catalogue)
    return ParsedList(deck=deck, text=source.text)


# Plain text has no signature: it is the fallback if no other reader recognises the content.
TEXT = READERS.define(key="text", ending=".txt", recognises=lambda _source: False, read=_read_text)
