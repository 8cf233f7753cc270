"""Decks in the JSON format of the API.

Source: contracts, check_deck.
"""

from collections.abc import Mapping

from rules.deckbuilding.around import (
    COUNT_RULE,
    NAME_RULE,
    TAGS,
    Tags,
    UnreadableLineError,
    parse_name,
)
from rules.deckbuilding.beside import unknown_zone_violation
from rules.deckbuilding.catalogue import (
    LONGEST_NUMBER,
    NUMBER_RULE,
    collector_number_from_json,
    split_collector_number,
)
from rules.deckbuilding.deck import HIGHEST_COUNT, Deck, DeckEntry, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.lines import HEADING_RULE, ends_with_colon
from rules.deckbuilding.settling import SHOWN
from rules.deckbuilding.text import build_deck
from rules.deckbuilding.zones import zone_label
from rules.json_reader import (
    JsonObjectReader,
    list_of,
    mapping_of,
    nullable,
    read_document,
    wrong_type_error,
)
from rules.names import clean_line
from rules.wording import Sentence

EXPANSION_RULE = Sentence("Expansion codes need at least one letter.")

# Characters that would end each field in a written list.
_GRAMMAR = {
    key: str.maketrans(dict.fromkeys(signs, " "))
    for key, signs in {
        "kind": ",{}=",
        "genus": ",{}=",
        "language": ",{}=",
        "expansion": "()",
        "version": "[]{}",
        "number": "()#",
    }.items()
}


def deck_from_json(
    zones: object, deck_format: DeckFormat, language: object = None, *, field: str = "zones"
) -> Deck:
    """Parse a deck's JSON: ``{"main": [{"name": …, "count": …}, …], …}``.

    Raises BadInput ``wrong_type``; its ``path`` and ``field`` locate the wrong value from ``field``
    on. Invalid counts, names and zones become problems of the deck.
    """
    rows = read_document(WRONG_TYPE, ZONES, zones, at=field, also_as="field")
    declared = read_document(
        WRONG_TYPE, nullable(_language), language, at="language", also_as="field"
    )
    read: dict[str, list[DeckEntry]] = {}
    problems: list[Violation] = []
    for given, entries in rows.items():
        zone = given if given in deck_format.zone_keys else clean_line(given)
        if zone not in deck_format.zone_keys:
            problems.append(unknown_zone_violation(deck_format, zone))
        kept = read.setdefault(zone, [])
        for number, (entry, texts) in enumerate(entries, start=1):
            try:
                kept.append(_entry(entry, texts))
            except UnreadableLineError as fault:
                problems.append(_unreadable_entry(zone, number, entry.get("name"), fault.reason))
    return build_deck(deck_format, read, declared or "", problems)


def _row(value: object) -> tuple[Mapping[str, object], Tags]:
    """Return an entry as it was sent, and its tags, cleaned."""
    given = JsonObjectReader(value)
    tags = NO_TAGS | {
        key: clean_tag(
            key, given.read(key, collector_number_from_json if key == "number" else _text)
        )
        for key in TAGS
        if given.values.get(key) is not None
    }
    return given.values, tags


def _text(value: object) -> str:
    """Return a text; signs that no database can store are left out later."""
    if not isinstance(value, str):
        raise wrong_type_error("string")
    return value


def _language(value: object) -> str:
    return clean_tag("language", _text(value))


WRONG_TYPE = "wrong_type"
NO_TAGS = dict.fromkeys(TAGS, "")
ZONES = mapping_of(list_of(_row), str)


def clean_tag(key: str, text: str) -> str:
    """Return a tag's text without characters that would end the tag in a written list.

    ``key`` is the tag's field of ``DeckEntry``, such as "expansion".
    """
    return text if text.isalnum() else clean_line(text.translate(_GRAMMAR[key]))


def _entry(entry: Mapping[str, object], texts: Tags) -> DeckEntry:
    count = entry.get("count", 1)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= HIGHEST_COUNT:
        raise UnreadableLineError(COUNT_RULE)
    name = entry.get("name")
    if not isinstance(name, str):
        raise UnreadableLineError(NAME_RULE)
    return build_entry(name, count, texts)


def build_entry(name: str, count: int, texts: Tags, line: int | None = None) -> DeckEntry:
    """Return an entry from a name, a count and separate tags.

    Tags around the name are read as in a written list, unless ``texts`` gives them; ``texts`` holds
    all tags by field of ``DeckEntry``, empty or cleaned by ``clean_tag``. Raises
    UnreadableLineError.
    """
    expansion, number = texts["expansion"], texts["number"]
    if not number:
        expansion, number = split_collector_number(expansion)
    if len(number) > LONGEST_NUMBER:
        raise UnreadableLineError(NUMBER_RULE)
    if expansion and not any(char.isalpha() for char in expansion):
        raise UnreadableLineError(EXPANSION_RULE)
    given = texts | {"expansion": expansion, "number": number}
    read = parse_name(clean_line(name), count=count, given=given).entry(line)
    if ends_with_colon(read):
        raise UnreadableLineError(HEADING_RULE)
    return read


def _unreadable_entry(zone: str, number: int, name: object, reason: Sentence) -> Violation:
    shown = clean_line(name)[:SHOWN] if isinstance(name, str) else ""
    return Violation(
        code="line.unreadable",
        sentence=Sentence(
            "%(zone)s, entry %(number)s can’t be read: “%(text)s”. %(reason)s",
            {"zone": zone_label(zone), "number": number, "text": shown, "reason": reason},
        ),
        zone=zone,
    )


def deck_to_json(deck: Deck) -> dict[str, list[dict[str, object]]]:
    """Return a deck's zones as JSON: name, count and non-empty tags of each entry."""
    return {
        zone: [_entry_to_json(entry) for entry in entries] for zone, entries in deck.zones.items()
    }


def _entry_to_json(entry: DeckEntry) -> dict[str, object]:
    texts = {key: getattr(entry, key) for key in TAGS}
    return {
        "name": entry.name,
        "count": entry.count,
        **{key: text for key, text in texts.items() if text},
    }
