"""YGOPRODeck's Yu-Gi-Oh! cards: the answer of ``cardinfo.php``, best with ``misc=yes``.

Source: YGOPRODeck's documentation of its API, version 7. An object whose ``data`` lists the cards;
each is one row with its ids, those of other artworks too, as simulators write any of them.
"""

from collections.abc import Iterator

from decks.cards.files import CardData
from decks.cards.published.schemas import (
    CatalogueSchema,
    InvalidCardError,
    Item,
    build_card_data,
    get_objects,
    get_text,
    get_texts,
)
from rules.names import name_key

COPIES = {"forbidden": 0, "banned": 0, "limited": 1, "semi-limited": 2}
LISTS = {"tcg": "ban_tcg", "ocg": "ban_ocg", "goat": "ban_goat"}
"""The lists of banned cards by the format that has them."""
USUAL = ("tcg", "ocg")
"""Formats in which a card is taken to be legal where the file was made without ``misc``."""
NO_CARDS = ("token", "skill")
KINDS = {
    "spell": "Spell",
    "trap": "Trap",
    "fusion": "Fusion Monster",
    "synchro": "Synchro Monster",
    "xyz": "Xyz Monster",
    "link": "Link Monster",
    "token": "Token",
    "skill": "Skill",
}
"""Kinds by the frame of a card; all other frames are of a monster."""


class YGOPRODeckCollector:
    """Collector of Yu-Gi-Oh! cards by name."""

    def __init__(self) -> None:
        self._cards: dict[str, CardData] = {}

    @property
    def kept(self) -> int:
        """Return how many cards are kept."""
        return len(self._cards)

    def add(self, item: Item, file: str) -> None:
        """Take a card; of two with one name the first counts."""
        ids = [_id(item), *map(_id, get_objects(item, "card_images"))]
        name, name_en = get_text(item, "name"), get_text(item, "name_en")
        frame = get_text(item, "frameType").removesuffix("_pendulum")
        found = build_card_data(
            name=name,
            name_en=name_en if name_key(name_en) != name_key(name) else "",
            kind=KINDS.get(frame, "Monster"),
            legal_in={} if frame in NO_CARDS else dict(_legality(item)),
            ids=ids,
        )
        self._cards.setdefault(found.key, found)

    def cards(self) -> Iterator[CardData]:
        """Yield the cards."""
        yield from self._cards.values()


def _id(item: Item) -> int:
    number = item.get("id")
    if not isinstance(number, int):
        raise InvalidCardError("id")
    return number


def _legality(item: Item) -> Iterator[tuple[str, int | None]]:
    """Yield the formats in which a card is legal, with its copies where they are limited."""
    told = get_texts(item, "banlist_info")
    formats: tuple[str, ...] = USUAL
    if more := get_objects(item, "misc_info"):
        listed = more[0].get("formats") or ()
        formats = tuple(name_key(str(one)) for one in listed)
    for column in formats:
        word = told.get(LISTS.get(column, ""), "")
        copies = COPIES.get(word.strip().lower().replace(" ", "-"))
        if copies != 0:
            yield column, copies


YGOPRODECK = CatalogueSchema(
    label="YGOPRODeck",
    recognises=lambda item: "frameType" in item and "id" in item and "name" in item,
    collector=YGOPRODeckCollector,
)
