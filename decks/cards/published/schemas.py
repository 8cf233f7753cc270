"""What every schema of a published catalogue gives, and the values of its cards."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from decks.cards.files import ALSO, LONGEST, LONGEST_ATTRIBUTE, CardData
from rules.deckbuilding.catalogue import Legality, collector_number_from_json, format_legality
from rules.json_reader import WrongValue
from rules.names import clean_line, name_key

Item = Mapping[str, Any]
"""One card of a file, as JSON."""


class InvalidCardError(ValueError):
    """A JSON object does not fit the schema of a card."""


class LongTextError(InvalidCardError):
    """A card has a text longer than a catalogue's column; the message is that text."""


class Collector(Protocol):
    """Protocol: takes JSON cards one by one and returns the cards of a catalogue."""

    @property
    def kept(self) -> int:
        """Return how many cards and other names are kept."""

    def add(self, item: Item, file: str) -> None:
        """Take a card; ``file`` is the name of its file within an archive, else empty.

        Raises InvalidCardError.
        """

    def cards(self) -> Iterable[CardData]:
        """Return all cards; each printing once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueSchema:
    """A schema of published catalogues.

    ``recognises`` returns whether a JSON card has it; ``collector`` creates its collector.
    """

    label: str
    recognises: Callable[[Item], bool]
    collector: Callable[[], Collector]


def get_text(item: Item, key: str) -> str:
    """Return a text of a JSON card on one line, "" if missing.

    Raises InvalidCardError if it is no string.
    """
    value = item.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidCardError(key)
    return clean_line(value)


def get_number(item: Item, key: str) -> str:
    """Return a number (text or integer) of a JSON card as text, "" if missing.

    Raises InvalidCardError for other values.
    """
    value = item.get(key)
    try:
        return "" if value is None else clean_line(collector_number_from_json(value))
    except WrongValue:
        raise InvalidCardError(key) from None


def get_name(item: Item, key: str) -> str:
    """Return a name of a JSON card, "" if missing.

    Raises LongTextError if it is too long, InvalidCardError if it is no string.
    """
    name = get_text(item, key)
    if len(name) > LONGEST["name"]:
        raise LongTextError(name)
    return name


def get_objects(item: Item, key: str) -> tuple[Item, ...]:
    """Return a list of objects in a JSON card, () if missing; raise InvalidCardError."""
    value = item.get(key) or ()
    if not isinstance(value, list | tuple) or not all(isinstance(one, dict) for one in value):
        raise InvalidCardError(key)
    return tuple(value)


def get_texts(item: Item, key: str) -> Mapping[str, str]:
    """Return an object of texts in a JSON card, empty if missing; raise InvalidCardError."""
    value = item.get(key) or {}
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise InvalidCardError(key)
    return value


def _legality_text(legality: Legality) -> str:
    """Return the text of a legality, without formats whose names it could not hold."""
    plain = {key: copies for key, copies in legality.items() if key and not set(key) & set(",:")}
    text = format_legality(plain)
    if len(text) > LONGEST_ATTRIBUTE:
        raise LongTextError(text)
    return text


def build_card_data(
    *,
    name: str,
    name_en: str = "",
    kind: str = "",
    expansion: str = "",
    number: str = "",
    others: Iterable[str] = (),
    legal_in: Legality | None,
    ids: Iterable[int] = (),
) -> CardData:
    """Build the catalogue's data of a card.

    ``others`` are more names, ``ids`` the card's ids at the publisher. Raises InvalidCardError
    without a name, LongTextError.
    """
    others = [other for other in dict.fromkeys(others) if name_key(other)]
    texts = {
        "name": (name, name_en, *others),
        "kind": (kind,),
        "expansion": (expansion,),
        "number": (number,),
    }
    if not name_key(name):
        raise InvalidCardError(name)
    if any(len(text) > LONGEST[key] for key, each in texts.items() for text in each):
        raise LongTextError(name)
    known = " ".join(dict.fromkeys(map(str, ids)))
    if len(known) > LONGEST_ATTRIBUTE or len(ALSO.join(others)) > LONGEST_ATTRIBUTE:
        raise LongTextError(name)
    return CardData(
        key=name_key(name),
        key_en=name_key(name_en),
        name=name,
        name_en=name_en,
        kind=kind,
        genus="",
        expansion=expansion,
        number=number,
        max_copies=None,
        other_names=ALSO.join(others),
        legal_in="" if legal_in is None else _legality_text(legal_in),
        attributes={"id": known} if known else {},
    )
