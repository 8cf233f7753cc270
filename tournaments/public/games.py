"""Which colours and emblem the pages of a game have."""

from collections.abc import Mapping
from types import MappingProxyType

from decks.rulebook import base_format
from decks.stored_formats import is_own
from rules.deckbuilding.house.formats import base_of
from rules.deckbuilding.looks import Look

HOUSE = Look()
"""That of copies of formats, and of games that a site adds."""
LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "doomtrooper": Look(palette="red", emblem="gear"),
        "creatures-of-exo": Look(palette="violet", emblem="paw"),
        "yugioh": Look(palette="amber", emblem="star"),
        "saint-seiya": Look(palette="blue", emblem="stars"),
        "thoom": Look(palette="teal", emblem="bolt"),
    }
)


def look_of(format_key: str) -> Look:
    """Return the colours and the emblem of a format's pages, ``HOUSE`` where it has none.

    No query but for a game of one's own, as ``base_format``.
    """
    if is_own(format_key):
        return base_format(format_key).look or HOUSE
    if base_of(format_key) != format_key:
        return HOUSE
    return LOOKS.get(base_format(format_key).game, HOUSE)
