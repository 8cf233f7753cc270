"""When two card names are one.

Source: deck construction, Names: quotes, dashes, case, accents and white space make no
difference, and neither does an apostrophe written in place of an accent (GIU' for GIÙ).
"""

import re
import unicodedata
from functools import lru_cache

QUOTES = '"`´¨‘’‚‛“”„‟‹›«»′″‴‵‶‷ʹʺʻʼʽʾʿˈˊˋ՚＇＂｀❛❜❝❞〝〞〟'
DASHES = "‐‑‒–—―−⁃⸺⸻﹘﹣－"
INVISIBLE = frozenset({"Cc", "Cf", "Cs"})

_PLAIN = str.maketrans(dict.fromkeys(QUOTES, "'") | dict.fromkeys(DASHES, "-"))
_APOSTROPHE_AS_ACCENT = re.compile(r"(?<=[^\W_])'+(?![^\W_'])")


def tidy(text: str) -> str:
    """Return a text in one line: without invisible characters, white space collapsed."""
    if not text.isprintable():
        text = "".join(
            char for char in text if char.isspace() or unicodedata.category(char) not in INVISIBLE
        )
    return " ".join(text.split())


@lru_cache(maxsize=8192)
def name_key(name: str) -> str:
    """Return what two spellings of one card name have in common.

    ``METTI GIU'``, ``METTI GIÚ`` and ``metti giu`` are one card. Invisible characters
    can't tell two cards apart. The key of a key is that key.
    """
    text = unicodedata.normalize("NFKC", tidy(name).translate(_PLAIN)).casefold()
    letters = unicodedata.normalize("NFKD", text.translate(_PLAIN)).casefold()
    bare = "".join(char for char in letters if unicodedata.category(char) != "Mn")
    text = unicodedata.normalize("NFC", bare).translate(_PLAIN)
    return tidy(_APOSTROPHE_AS_ACCENT.sub("", tidy(text)))
