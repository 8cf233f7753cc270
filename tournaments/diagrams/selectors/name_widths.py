"""How wide names are drawn, in half em, so that a page knows before it is drawn which fit.

The widths are those of DejaVu Sans, the widest of the usual fonts: what fits there fits everywhere.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import ceil

from anyascii import anyascii

from rules.results import PlayerId
from tournaments.core.names import as_listed, folded, with_initial
from tournaments.core.rows import EntryRow

_LETTERS = {
    28: "ijl|'",
    32: ",. :;I",
    36: "f-/r()!",
    40: 't"’',
    53: "csz?Jvxy",
    58: "kFL_",
    62: "abdeghnopquS0123456789TEYPZ",
    69: "ABCRVXK&",
    76: "DGHNU",
    82: "OQw",
    92: "Mm",
    99: "W@%",
}
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
_OTHER = 70
BOLD = 1.12
"""How many times wider bold letters are, at most."""


@lru_cache(maxsize=8192)
def width_of(text: str, *, bold: bool = False) -> int:
    """Return the width of a text in half em, rounded up."""
    letters = map(anyascii, text)  # à as a; a sign of several letters, such as 王, is as wide as W
    hundredths = sum(_WIDTHS.get(each if len(each) == 1 else "W", _OTHER) for each in letters)
    return ceil(hundredths * (BOLD if bold else 1) / 50)


def shortest_names(entries: Iterable[EntryRow]) -> dict[PlayerId, str]:
    """Return the surname of each player, with the initial or the name if others share it."""
    entries = tuple(entries)
    named = [(as_listed(each).surname, with_initial(each), each.display_name) for each in entries]
    counted = Counter(folded(name) for names in named for name in {*names})
    return {
        entry.number: next((name for name in names if counted[folded(name)] == 1), names[-1])
        for entry, names in zip(entries, named, strict=True)
    }
