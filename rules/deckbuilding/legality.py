"""Where a card may be played, as a catalogue of cards says it.

In writing: the names of formats between commas, with the most copies behind a colon where fewer
than usual are allowed: ``legacy, vintage: 1``; a hyphen where it is legal nowhere.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from rules.names import name_key

Legality = Mapping[str, int | None]
"""The most copies by format, which is named by its ``name_key``; None for the usual number."""
NOWHERE = "-"

_ONE = re.compile(r"([^:]*[^:\s])\s*(?::\s*([1-9][0-9]?))?")


@lru_cache(maxsize=4096)
def legality_of_text(text: str) -> Legality:
    """Return what a text says. Raises ValueError."""
    found: dict[str, int | None] = {}
    for part in text.split(",") if text.strip() != NOWHERE else ():
        one = _ONE.fullmatch(part.strip())
        key = name_key(one[1]) if one else ""
        if one is None or not key:
            raise ValueError(f"{part!r} names no format.")
        found[key] = int(one[2]) if one[2] else None
    return MappingProxyType(found)


def legality_in_text(legality: Legality) -> str:
    """Return the text of a legality, formats in order."""
    parts = (
        key if copies is None else f"{key}: {copies}" for key, copies in sorted(legality.items())
    )
    return ", ".join(parts) or NOWHERE


def legal_anywhere(printings: Iterable[Legality]) -> Legality:
    """Return what holds of a card of several printings: any makes it legal, the least limit holds.

    Source: Pokémon tournament rules, Card legality: who owns a legal printing may play every other.
    """
    found: dict[str, int | None] = {}
    for printing in printings:
        for key, copies in printing.items():
            limits = [one for one in (found.get(key), copies) if one is not None]
            found[key] = min(limits, default=None)
    return found
