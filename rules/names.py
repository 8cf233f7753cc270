"""Comparison of card names.

Source: deck construction, Names. Quotes, dashes, case, accents and white space are ignored, and
so is an apostrophe written in place of an accent (GIU' for GIÙ). Of a card with several faces also
the way they are parted (Fire // Ice, Fire/Ice).
"""

import re
import unicodedata
from functools import lru_cache

QUOTES = '"`´¨‘’‚‛“”„‟‹›«»′″‴‵‶‷ʹʺʻʼʽʾʿˈˊˋ՚＇＂｀❛❜❝❞〝〞〟'
DASHES = "‐‑‒–—―−⁃⸺⸻﹘﹣－"
INVISIBLE = frozenset({"Cc", "Cf", "Cs"})
LONG_NAME = 200  # characters; no card's
LONGEST_CACHED = 200  # characters; longer texts, which are no names, would fill the memory
MOST_MARKS = 30  # on one letter, as in Unicode's stream-safe texts

_OPENING, _CLOSING = '"“„‟«〝＂', '"”“‟»〞〟＂'
_WHOLE = re.compile(rf".(?=[^{_OPENING}{_CLOSING}]*[^\W_])[^{_OPENING}{_CLOSING}]+.", re.DOTALL)
_PLAIN = str.maketrans(dict.fromkeys(QUOTES, "'") | dict.fromkeys(DASHES, "-"))
FACES = " // "
"""Between the faces of a card in its key."""
_BETWEEN_FACES = re.compile(r" ?/+ ?")
_APOSTROPHE_AS_ACCENT = re.compile(r"(?<=[^\W_])'+(?![^\W_'])")


def clean_line(text: str) -> str:
    """Return a text on one line: invisible characters removed, white space collapsed."""
    if not text.isprintable():
        text = "".join(
            char for char in text if char.isspace() or unicodedata.category(char) not in INVISIBLE
        )
    return " ".join(text.split())


def name_key(name: str) -> str:
    """Return the key for comparing card names and other texts, the same for all spellings.

    ``METTI GIU'``, ``METTI GIÚ`` and ``metti giu`` have the same key, and invisible characters are
    ignored. The function is idempotent.
    """
    return _cached_key_of(name) if len(name) < LONGEST_CACHED else _key_of(name)


def card_key(name: str) -> str:
    """Return the key of a card by its name, the same for all spellings and notations.

    Like ``name_key``, but quotes around the whole name, and how card faces are separated ("Fire //
    Ice", "Fire/Ice"), make no difference.
    """
    if name[:1] in _OPENING and name[-1:] in _CLOSING and _WHOLE.fullmatch(name):
        name = name[1:-1]  # behind a letter the last one could be an accent
    return card_key_from_name_key(name_key(name))


def card_key_from_name_key(key: str) -> str:
    """Return the ``card_key`` of a card by the ``name_key`` of its name."""
    if "/" in key:
        key = " ".join(_BETWEEN_FACES.sub(FACES, key).split())
    if key[:1] == key[-1:] == "'":
        key = key.strip("'").strip() or key
    return key


def _key_of(name: str) -> str:
    return _plain_key(name) if name.isascii() and name.isprintable() else _folded_key(name)


_cached_key_of = lru_cache(maxsize=8192)(_key_of)


def _plain_key(name: str) -> str:
    """Return the key of an ASCII name: no accents to fold. Most names take this path."""
    text = name.lower()
    if "'" in text or '"' in text or "`" in text:
        text = _APOSTROPHE_AS_ACCENT.sub("", " ".join(text.translate(_PLAIN).split()))
    return " ".join(text.split())


def _folded_key(name: str) -> str:
    """Return the key of any name."""
    text = clean_line(name).translate(_PLAIN)
    if len(text) > LONG_NAME:
        text = _without_stacked_marks(text)
    text = unicodedata.normalize("NFKC", text).casefold()
    letters = unicodedata.normalize("NFKD", text.translate(_PLAIN)).casefold()
    bare = "".join(char for char in letters if unicodedata.category(char) != "Mn")
    text = unicodedata.normalize("NFC", bare).translate(_PLAIN)
    return clean_line(_APOSTROPHE_AS_ACCENT.sub("", clean_line(text)))


def _without_stacked_marks(text: str) -> str:
    """Return a text without excessive combining marks on one letter.

    Normalising n marks takes O(n²) steps: a page of marks would take minutes.
    """
    kept = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)
