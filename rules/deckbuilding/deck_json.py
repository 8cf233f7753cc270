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
    read_around,
)
from rules.deckbuilding.deck import HIGHEST_COUNT, Deck, Entry, Violation
from rules.deckbuilding.doubts import SHOWN
from rules.deckbuilding.faults import unknown_zone
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.lines import COLON_RULE, ends_with_colon
from rules.deckbuilding.printings import LONGEST_NUMBER, NUMBER_RULE, split_number
from rules.deckbuilding.text import finished_deck
from rules.deckbuilding.zones import label_of
from rules.errors import BadInput
from rules.names import tidy
from rules.wording import Sentence
from rules.wording import gettext_noop as _

EXPANSION_RULE = Sentence("An expansion has a letter in its code or name.")

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
    """Return the deck of ``{"main": [{"name": …, "count": …}, …], …}``.

    Raises BadInput ``wrong_type`` with the path of the value of the wrong type, starting at
    ``field``. Invalid counts and names, and zones that the format does not have, become problems
    of the deck.
    """
    if not isinstance(zones, dict):
        raise _wrong_type(field, _("an object"))
    read: dict[str, list[Entry]] = {}
    problems: list[Violation] = []
    for given, entries in zones.items():
        zone = given if given in deck_format.zone_keys else tidy(str(given))
        path = f"{field}.{zone}"
        if not isinstance(entries, list):
            raise _wrong_type(path, _("a list"))
        if zone not in deck_format.zone_keys:
            problems.append(unknown_zone(deck_format, zone))
        kept = read.setdefault(zone, [])
        for number, entry in enumerate(entries, start=1):
            place = f"{path}[{number - 1}]"
            if not isinstance(entry, dict):
                raise _wrong_type(place, _("an object"))
            texts = {key: _text(entry, key, place) for key in TAGS}
            try:
                kept.append(_entry(entry, texts))
            except UnreadableLineError as fault:
                problems.append(_unreadable_entry(zone, number, entry.get("name"), fault.reason))
    declared = _text({"language": language}, "language", "")
    return finished_deck(deck_format, read, declared, problems)


def _text(values: Mapping[str, object], key: str, path: str) -> str:
    value = values.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong_type(f"{path}.{key}".lstrip("."), _("a text"))
    return plain_tag(key, value)


def plain_tag(key: str, text: str) -> str:
    """Return a tag's text without the characters that would end it in a written list."""
    return text if text.isalnum() else tidy(text.translate(_GRAMMAR[key]))


def _entry(entry: Mapping[str, object], texts: Tags) -> Entry:
    count = entry.get("count", 1)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= HIGHEST_COUNT:
        raise UnreadableLineError(COUNT_RULE)
    name = entry.get("name")
    if not isinstance(name, str):
        raise UnreadableLineError(NAME_RULE)
    return entry_of(name, count, texts)


def entry_of(name: str, count: int, texts: Tags, line: int | None = None) -> Entry:
    """Return an entry from a name, a count and separate tags.

    What stands around the name is read as in a written list, unless ``texts`` gives it; ``texts``
    holds all tags, empty or cleaned by ``plain_tag``. Raises UnreadableLineError.
    """
    expansion, number = texts["expansion"], texts["number"]
    if not number:
        expansion, number = split_number(expansion)
    if len(number) > LONGEST_NUMBER:
        raise UnreadableLineError(NUMBER_RULE)
    if expansion and not any(char.isalpha() for char in expansion):
        raise UnreadableLineError(EXPANSION_RULE)
    given = texts | {"expansion": expansion, "number": number}
    read = read_around(tidy(name), count=count, given=given).entry(line)
    if ends_with_colon(read):
        raise UnreadableLineError(COLON_RULE)
    return read


def _unreadable_entry(zone: str, number: int, name: object, reason: Sentence) -> Violation:
    shown = tidy(name)[:SHOWN] if isinstance(name, str) else ""
    return Violation(
        code="line.unreadable",
        sentence=Sentence(
            "%(zone)s, entry %(number)s can't be read: “%(text)s”. %(reason)s",
            {"zone": label_of(zone), "number": number, "text": shown, "reason": reason},
        ),
        zone=zone,
    )


def _wrong_type(path: str, expected: str) -> BadInput:
    return BadInput(
        "wrong_type", "%(field)s must be %(expected)s.", field=path, expected=Sentence(expected)
    )


def deck_to_json(deck: Deck) -> dict[str, list[dict[str, object]]]:
    """Return the zones as JSON: name, count and non-empty tags of each entry."""
    return {
        zone: [_entry_to_json(entry) for entry in entries] for zone, entries in deck.zones.items()
    }


def _entry_to_json(entry: Entry) -> dict[str, object]:
    texts = {key: getattr(entry, key) for key in TAGS}
    return {
        "name": entry.name,
        "count": entry.count,
        **{key: text for key, text in texts.items() if text},
    }
