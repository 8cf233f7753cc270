"""How wide a text is, before anything draws it: as wide as in DejaVu Sans, the widest of the usual
fonts, so that what fits there fits everywhere.
"""

from functools import lru_cache
from itertools import accumulate
from math import ceil
from unicodedata import category, east_asian_width, normalize

_LETTERS = {
    28: "ijl|'",
    32: ",. :;I·",
    36: "f-/r()!",
    40: 't"’',
    53: "csz?Jvxy–",
    58: "kFL_",
    62: "abdeghnopquS0123456789TEYPZ",
    69: "ABCRVXK&",
    76: "DGHNU",
    82: "OQw",
    92: "Mm",
    99: "W@%—",
}
_AS_PICTURE = "\ufe0f"
"""Behind a sign that is drawn as a picture, as ❤️ is."""
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
_WIDTHS[_AS_PICTURE] = 66
_OTHER, _SQUARE, _PICTURE = 72, 100, 138
"""Of a letter of another alphabet, of a sign such as 王, and of one such as 🎲."""
_WITHOUT = ("Mn", "Me", "Cf")
"""What stands on another letter, or is not seen."""
_BOLD = 1.12
SIGN = 0.56
"""Ems of a sign of a usual text, as people count them."""


@lru_cache(maxsize=8192)
def _hundredths(sign: str) -> int:
    if east_asian_width(sign) in "WF":
        return _PICTURE if category(sign) == "So" else _SQUARE
    return sum(
        _WIDTHS.get(letter, 0 if category(letter) in _WITHOUT else _OTHER)
        for letter in normalize("NFKD", sign)
    )


def width_of(text: str, *, bold: bool = False) -> float:
    """Return the width of a line in ems: one is as long as the letters are high."""
    return sum(map(_hundredths, text)) * (_BOLD if bold else 1) / 100


def signs_in(text: str) -> int:
    """Return how many usual signs are as wide as a text; of several lines, as the longest."""
    return ceil(max(map(width_of, text.splitlines()), default=0) / SIGN)


def cut(text: str, signs: int) -> str:
    """Return the beginning of a line that is at most as wide as so many usual signs."""
    fit = sum(width <= 100 * SIGN * signs for width in accumulate(map(_hundredths, text)))
    return text[:fit].rstrip()
