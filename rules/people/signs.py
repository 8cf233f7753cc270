"""Signs of names and contacts: what cannot be seen, and what a spreadsheet shows for a mistake."""

import re
import unicodedata

OVERRIDE = "\u202e"
"""Turns what follows around: the name would be read backwards."""
BIDI = set("\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c") | {OVERRIDE}
TAKEN_OFF = str.maketrans(dict.fromkeys((BIDI - {OVERRIDE}) | set("\u200b\u2060\ufeff\u00ad")))
"""Direction marks and other signs without width, which come along where text is copied."""
HIDDEN = {"Cc", "Cs", "Co", "Zl", "Zp"}
BLANK = {
    *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0)),
    *map(chr, (*range(0x2061, 0x2065), *range(0x206A, 0x2070), *range(0xFFF0, 0xFFFC))),
    *map(chr, (0x180E, 0x16FE4, 0x1D159, 0xE0001, *range(0x1BCA0, 0x1BCA4))),
    *map(chr, range(0x1D173, 0x1D17B)),
}
"""Letters, marks and signs that are drawn as nothing (Unicode: Default_Ignorable_Code_Point).

Of those, what joins or varies signs is kept: joiners, variation selectors, tags of flags.
"""
ADDRESS = re.compile(r"[^\s@,;<>()\"\\]+@(?:[^\s@,;<>()\"\\.]+\.)+[^\s@,;<>()\"\\.]{2,}")
"""An e-mail address."""
_LONG_NUMBER = re.compile(r"(?<!\w)\+?\d(?:[ ./-]?\d){6,}(?!\w)")
LONGEST_ERROR = 40
_BETWEEN_WORDS = re.compile(r"[\s,;<>()\"\\]+")
_SPREADSHEET_ERROR = re.compile(
    r"#(?:n/[ad]|nv|ref!|rif!|bezug!|value!|valore!|wert!|div/0!|name\?|nome\?|num!|zahl!"
    r"|null!|nullo!|spill!|espansione!|calc!|calcolo!|field!|blocked!|connect!|unknown!|busy!"
    r"|getting_data|error!|#+)|err:\d{3}",
    re.IGNORECASE,
)
_SHORTENED = re.compile(r"\d(?:[.,]\d+)?E[+-]\d{2,3}", re.IGNORECASE)


def without_marks(text: str) -> str:
    """Return a text without signs of no width, as a name copied from elsewhere has around it."""
    return text.translate(TAKEN_OFF)


def hides(text: str) -> bool:
    """Return whether a text has a sign that cannot be seen, or turns others around.

    Signs newer than this program are no such: new pictures come each year.
    """
    return any(
        sign == OVERRIDE
        or sign in BLANK
        or unicodedata.category(sign) in HIDDEN
        or (ord(sign) & 0xFFFE == 0xFFFE or "\ufdd0" <= sign <= "\ufdef")
        for sign in text
    )


def holds_address(text: str) -> bool:
    """Return whether a text has an e-mail address in it; in linear time, however long it is."""
    if "@" not in text:
        return False
    words = (word.strip(".:!?'") for word in _BETWEEN_WORDS.split(text))
    return any(ADDRESS.fullmatch(word) for word in words)


def holds_long_number(text: str) -> bool:
    """Return whether a text has a number of seven digits or more, as of a phone or a member."""
    return _LONG_NUMBER.search(text) is not None


def is_spreadsheet_error(text: str) -> bool:
    """Return whether a cell holds the mistake of a formula (#N/A) or a shortened number (3.1E+08).

    The digits of a shortened number are lost.
    """
    text = text.strip()
    found = _SPREADSHEET_ERROR.fullmatch(text) or _SHORTENED.fullmatch(text)
    return len(text) <= LONGEST_ERROR and found is not None
