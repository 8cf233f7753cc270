"""Which colours and emblem the pages of a game have, and the initials of a person."""

from collections.abc import Mapping
from types import MappingProxyType

from decks.rulebook import base_format
from decks.stored_formats import is_custom_game_format
from rules.deckbuilding.formats import FormatEmblem
from rules.deckbuilding.house import base_key

HOUSE = FormatEmblem()
"""That of copies of formats, and of games that a site adds."""
LOOKS: Mapping[str, FormatEmblem] = MappingProxyType(
    {
        "doomtrooper": FormatEmblem(palette="red", emblem="gear"),
        "creatures-of-exo": FormatEmblem(palette="violet", emblem="paw"),
        "yugioh": FormatEmblem(palette="amber", emblem="star"),
        "saint-seiya": FormatEmblem(palette="blue", emblem="stars"),
        "thoom": FormatEmblem(palette="teal", emblem="bolt"),
    }
)


def find_format_emblem(format_key: str) -> FormatEmblem:
    """Return the colours and emblem for a deck format's pages, ``HOUSE`` by default.

    One query for an organiser's format.
    """
    if is_custom_game_format(format_key):
        return base_format(format_key).look or HOUSE
    if base_key(format_key) != format_key:
        return HOUSE
    return LOOKS.get(base_format(format_key).game, HOUSE)


INKS = (
    ("#e6d0ee", "#4a1259"),
    ("#d0e4ee", "#0d4257"),
    ("#d5eed0", "#1d4f14"),
    ("#eee7d0", "#554714"),
    ("#eed3d0", "#6b1a14"),
    ("#d0d4ee", "#1d2668"),
    ("#eed0de", "#661139"),
    ("#d0eee8", "#0c4c40"),
    ("#e9e4dc", "#463a27"),
)
"""Ground and letters of the discs, as ``hero.css`` has them."""


def initials(name: str) -> str:
    """Return the initials of a name's first and last word, in capitals."""
    words = [word for word in name.split() if word[0].isalnum()] or [name[:1]]
    letters = words[0][0] + (words[-1][0] if len(words) > 1 else "")
    return letters.upper()
