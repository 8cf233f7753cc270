"""Which letters no font of the sheets can draw: they are printed as boxes."""

import unicodedata
from functools import cache, lru_cache

from PIL import ImageFont

from tournaments.core.event_state import EventFacts
from tournaments.core.names import by_surname
from tournaments.paper.typesetting import fonts

UNASSIGNED = "\U0010ffff"
"""A character that no font ever has: fonts draw it as they draw whatever they lack."""
VARIANTS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""They choose a form of the letter before them."""
Face = tuple[ImageFont.FreeTypeFont, bytes]


def names_with_boxes(facts: EventFacts) -> list[str]:
    """Return whose names have a letter that is printed as a box, by surname; no query."""
    found = [entry for entry in facts.entries.values() if has_boxes(entry.display_name)]
    return [entry.display_name for entry in sorted(found, key=by_surname)]


def has_boxes(text: str) -> bool:
    """Return whether a text has a letter that no font of the sheets can draw."""
    return not text.isascii() and not all(map(_is_drawn, text))


@lru_cache(maxsize=16_384)
def _is_drawn(letter: str) -> bool:
    # Joiners, direction marks and variants have no shape of their own.
    if unicodedata.category(letter) in ("Cf", "Zs") or letter in VARIANTS:
        return True
    return any(_shape(font, letter) != box for font, box in _faces())


@cache
def _faces() -> tuple[Face, ...]:
    """Return a face of each family, with the box that it draws instead of a letter it lacks."""
    families = {each.family: (each.path, each.index) for each in fonts().fonts() if each.path}
    opened = [ImageFont.truetype(path, index=index) for path, index in families.values()]
    return tuple((font, _shape(font, UNASSIGNED)) for font in opened)


def _shape(font: ImageFont.FreeTypeFont, letter: str) -> bytes:
    return bytes(font.getmask(letter, mode="1"))
