"""Numbers as people write them: points in halves and quarters, and whole numbers of spreadsheets.

Source: contracts, Formats of one's own.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

from rules.errors import BadInput

HALF = "½"
DENOMINATORS = (1, 2, 4)
"""Points are whole, halves or quarters."""
_SIGNS = (
    *(("½", (1, 2)), ("⅓", (1, 3)), ("⅔", (2, 3)), ("¼", (1, 4)), ("¾", (3, 4))),
    *(("⅕", (1, 5)), ("⅖", (2, 5)), ("⅗", (3, 5)), ("⅘", (4, 5))),
    *(("⅛", (1, 8)), ("⅜", (3, 8)), ("⅝", (5, 8)), ("⅞", (7, 8))),
)
PARTS = {Fraction(*parts): sign for sign, parts in _SIGNS}
"""The signs of parts of a point: up to five share places, half of a quarter counts for a draw."""
TYPED = {sign: part for part, sign in PARTS.items() if part.denominator in DENOMINATORS}
LONGEST = 8
ODD = re.compile(r"[^0-9./-]")
MOST_POINTS = 100


def ordinal_suffix(number: int) -> str:
    """Return the suffix of an English ordinal: "st", "nd", "rd" or "th"."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def read_points(typed: str) -> Fraction:
    """Return typed points as a fraction: ``3``, ``½``, ``1¼``, ``0,5``, ``1/2``.

    Raises BadInput ``bad_points`` for anything else, also for other fractions.
    """
    text = "".join(typed.split()).replace(",", ".")
    if text[-1:] in TYPED and text[:-1].isdecimal() | (len(text) == 1):
        return int(text[:-1] or 0) + TYPED[text[-1]]
    try:
        number = Fraction(text) if len(text) <= LONGEST and not ODD.search(text) else None
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None or number.denominator not in DENOMINATORS:
        raise BadInput("bad_points", "Enter points such as 3, ½ or ¼.")
    return number


def format_points(points: Fraction) -> str:
    """Return points as displayed: ``3``, ``½``, ``1¼``, at multiplayer tables also ``1⅓``."""
    whole, part = divmod(points, 1)
    return f"{whole or ''}{PARTS[part]}" if part else str(whole)


def number_to_json(number: Fraction) -> int | str:
    """Return a number for JSON: an integer as it is, a fraction as text ``"1/2"``."""
    return number.numerator if number.denominator == 1 else str(number)


def scale_points(points: Sequence[Fraction]) -> tuple[tuple[int, ...], int]:
    """Return (points as integers, scale): each is multiplied by the scale, which is 1, 2 or 4."""
    parts = max((one.denominator for one in points), default=1)
    return tuple(int(one * parts) for one in points), parts


_WHOLE = re.compile(r"\+?(\d{1,15})(?:[.,](0*))?")
_THOUSANDS = 3


def parse_whole_number(text: str) -> int | None:
    """Return the whole number (from 0) in a spreadsheet cell; None if it holds none.

    Zeros after a point or a comma are allowed. Digits are those of any script. ``1.000`` and
    ``1,000`` are a thousand in some languages and one in others: None.
    """
    found = _WHOLE.fullmatch(text.strip())
    if found is None or len(found[2] or "") == _THOUSANDS:
        return None
    return int(found[1])


def scale_fractions(numbers: Iterable[Fraction]) -> tuple[list[int], int]:
    """Return (fractions as integers, scale): each is multiplied by the scale.

    The scale is their least common denominator.
    """
    found = [(one.numerator, one.denominator) for one in numbers]
    parts = lcm(*{denominator for _numerator, denominator in found})
    return [number * (parts // each) for number, each in found], parts


def sum_fractions(numbers: Iterable[Fraction]) -> Fraction:
    """Return the sum of fractions; three times as fast as ``sum``."""
    found, parts = scale_fractions(numbers)
    return Fraction(sum(found), parts)
