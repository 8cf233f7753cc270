"""Which printing of a card is meant: its set, its number, and how it looks.

Numbers are texts: ``146``, ``34p``, ``A25-141``, ``63★``.

Source: deck construction, Lists in and out; collector numbers as sets have them.
"""

import re

from rules.json_reader import WrongValue
from rules.wording import Sentence

LONGEST_NUMBER = 20
"""Characters of a card's number."""
NUMBER_RULE = Sentence("A card's number has at most %(most)s characters.", {"most": LONGEST_NUMBER})

_MARK = " #"
"""What stands before a number that would not be seen as one: ``(SET #promo)``."""
_CODE = re.compile(r"[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})?")
_NUMBER = re.compile(
    r"(?=[^\s0-9★†]{0,19}[0-9★†])[^\W_][^\s()\[\]{}]{0,19}|[★†][^\s()\[\]{}]{0,19}"
)
_WITH_SIGN = re.compile(r"([A-Za-z0-9]{2,8})[:#]([^\s:#]{1,20})")
_FINISH = re.compile(
    r"(?:non-?)?foil|etched|foil etched|borderless|showcase|(?:extended|full|alternate) art"
    r"|extended|retro frame|promo|prerelease|v\.? ?[0-9]{1,3}",
    re.IGNORECASE,
)
_FINISH_LETTERS = frozenset({"F", "E", "FE"})


def number_from_json(value: object) -> str:
    """Return a card's number as JSON has it, a text or a whole number, as a text.

    Raises WrongValue.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise WrongValue("A card's number must be a text or a whole number from 0.")
    return str(value)


def is_number(word: str, *, behind: str) -> bool:
    """Return whether a word behind a set is a card's number.

    Without letters it is one behind any name of a set, with letters behind a code of one.
    """
    if len(word) > LONGEST_NUMBER:
        return False
    if word.isascii() and word.isdigit():
        return True
    coded = _CODE.fullmatch(behind) and behind in (behind.upper(), behind.lower())
    return bool(coded and _NUMBER.fullmatch(word))


def split_number(text: str) -> tuple[str, str]:
    """Return an expansion without its card number, and the number ("" if there is none).

    ``M10 146``, ``PLST A25-141``, ``M10:146``, ``M10 #promo``, ``#promo``, ``M10 #``.
    """
    words, sign, last = f" {text}".rpartition(_MARK)
    if sign and not last:
        return words.strip(), ""
    if sign and last.strip() and len(last) <= LONGEST_NUMBER:
        return words.strip(), last.strip()
    words, _space, last = text.rpartition(" ")
    words = words.rstrip(" ,:")
    if words and is_number(last, behind=words):
        return words, last
    if (parts := _WITH_SIGN.fullmatch(text)) and is_number(parts[2], behind=parts[1]):
        return parts[1], parts[2]
    return text, ""


def with_number(expansion: str, number: str, *, marked: bool = False) -> str:
    """Return an expansion and a number in one text, which :func:`split_number` parts again."""
    plain = f"{expansion} {number}".strip()
    if marked or split_number(plain) != (expansion, number):
        return f"{expansion}{_MARK}{number}".strip()
    return plain


def is_finish(inside: str) -> bool:
    """Return whether the content of brackets says how a card looks: ``F``, ``Borderless``."""
    return inside in _FINISH_LETTERS or bool(_FINISH.fullmatch(inside))


def hides_a_finish(name: str) -> bool:
    """Return whether behind this text ``(F)`` is no expansion."""
    return name.endswith((")", "]", ">")) or name[-1:].isdigit()
