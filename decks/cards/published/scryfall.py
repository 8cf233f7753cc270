"""Scryfall's bulk files of Magic cards: Oracle Cards, Default Cards, All Cards.

Source: Scryfall's documentation, Card Objects, Layouts and Faces, Bulk Data. A list of objects
``card``; English and Italian printings are read, and each card becomes one row with both names.
Names that printings have in other worlds (``flavor_name``) stand beside them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from decks.cards.files import LONGEST, LONGEST_ATTRIBUTE, CardData
from decks.cards.published.schemas import (
    CatalogueSchema,
    InvalidCardError,
    Item,
    LongTextError,
    build_card_data,
    get_name,
    get_objects,
    get_text,
)
from decks.cards.published.schemas import get_texts as legalities_of
from rules.deckbuilding.catalogue import Legality, combine_legalities
from rules.names import name_key

NO_CARDS = frozenset({"token", "double_faced_token", "emblem", "art_series"})
"""Layouts of what is in no deck."""
COPIES: Mapping[str, int | None] = {"legal": None, "restricted": 1}
"""The copies that a legality allows; all others allow none."""
FORMATS_OF_A_CARD = 25
"""As many as Scryfall tells; so many more take the memory of another name."""
ITALIAN, ENGLISH = "it", "en"
PAPER = "paper"
FACES = " // "
SUPERTYPES = ("Basic", "Elite", "Host", "Legendary", "Ongoing", "Snow", "World")


@dataclass(slots=True)
class _Known:
    """What the printings read so far say of one card."""

    name: str
    kind: str = ""
    italian: str = ""
    printed: str = ""
    others: dict[str, None] = field(default_factory=dict)
    legal_in: Legality | None = None
    weight: int = 0


class ScryfallCollector:
    """Collector of Magic cards, merging printings by English name."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self.kept = 0

    def add(self, item: Item, file: str) -> None:
        """Take a printing; tokens, art, digital-only printings and other languages are left out."""
        language = get_text(item, "lang") or ENGLISH
        if language not in (ITALIAN, ENGLISH) or not _is_played_with(item):
            return
        faces = get_objects(item, "card_faces")
        names = [get_name(face, "name") for face in faces]
        name = get_name(item, "name")
        if names and len(set(names)) == 1:  # both sides show the same card
            name, faces, names = names[0], (), []
        if not name_key(name):
            raise InvalidCardError("name")
        known = self._known.setdefault(name_key(name), _Known(name=name))
        self.kept -= known.weight
        known.others |= dict.fromkeys(names) | dict.fromkeys(_flavor_names(item))
        known.kind = known.kind or _kind(get_text(item, "type_line"))
        known.legal_in = _merged(known.legal_in, _legality(item))
        if language == ITALIAN:
            _add_italian(known, item, faces)
        known.weight = 1 + len(known.others) + len(known.legal_in or ()) // FORMATS_OF_A_CARD
        self.kept += known.weight

    def cards(self) -> Iterator[CardData]:
        """Yield a row for each card, by its Italian name where there is one that no other has."""
        taken = set(self._known)
        for key, known in self._known.items():
            italian = name_key(known.italian)
            own = italian not in ("", key) and italian not in taken
            taken.add(italian)
            yield build_card_data(
                name=known.italian if own else known.name,
                name_en=known.name if own else "",
                kind=known.kind,
                others=known.others if own else (*known.others, known.italian),
                legal_in=known.legal_in,
            )


def _flavor_names(item: Item) -> Iterator[str]:
    """Yield the names that a printing and its faces have in another world, also as one name."""
    faces = [get_name(face, "flavor_name") for face in get_objects(item, "card_faces")]
    whole = FACES.join(faces) if len(faces) > 1 and all(faces) else ""
    yield from filter(None, (get_name(item, "flavor_name"), whole, *faces))


def _is_played_with(item: Item) -> bool:
    if get_text(item, "layout") in NO_CARDS or item.get("digital") is True:
        return False
    games = item.get("games")
    return not games or not isinstance(games, list) or PAPER in games


def _kind(type_line: str) -> str:
    """Return the type of the first face, of several the last: Creature of Artifact Creature."""
    words = type_line.partition("//")[0].partition("—")[0].split()
    kind = next((word for word in reversed(words) if word not in SUPERTYPES), "")
    if len(kind) > LONGEST["kind"]:
        raise LongTextError(kind)
    return kind


def _legality(item: Item) -> Legality | None:
    if item.get("legalities") is None:
        return None
    told = legalities_of(item, "legalities")
    if sum(map(len, told)) > LONGEST_ATTRIBUTE:
        raise LongTextError("".join(told))
    return {name_key(key): COPIES[word] for key, word in told.items() if word in COPIES}


def _merged(known: Legality | None, more: Legality | None) -> Legality | None:
    if known is None or more is None or known == more:
        return more if known is None else known
    return combine_legalities((known, more))


def _add_italian(known: _Known, item: Item, faces: tuple[Item, ...]) -> None:
    """Note the printed Italian name, of several the newest; all names of faces are kept."""
    printed = [get_name(face, "printed_name") for face in faces]
    whole = FACES.join(printed) if printed and all(printed) else get_name(item, "printed_name")
    released = get_text(item, "released_at")[: len("2026-11-25")]
    if whole and (not known.italian or released > known.printed):
        known.italian, known.printed = whole, released
    known.others |= dict.fromkeys(filter(None, printed))


SCRYFALL = CatalogueSchema(
    label="Scryfall",
    recognises=lambda item: item.get("object") == "card" and "name" in item,
    collector=ScryfallCollector,
)
