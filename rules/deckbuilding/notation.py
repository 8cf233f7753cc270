"""How the lists of a game are written by the programs and sites that its players build decks with.

Source: lists exported by Pokémon TCG Live; card numbers as Bandai and Square Enix print them.
"""

import re
from dataclasses import dataclass, replace

from rules.deckbuilding.deck import Entry

ANYTHING = "*"
_SET_BEHIND = re.compile(
    r"(\S.*) ([A-Z][A-Z0-9-]{1,7}|Energy) ([A-Z]{0,5}[0-9]{1,4}[a-z]?)(?: (?:PH|RH|rh))?"
)
_CARD_NUMBER = re.compile(
    r"(?:.* )?([A-Z]{0,4}[0-9]{0,3})-([0-9]{3})[A-Z]?(?:_P[0-9]{1,3})?(?: [^0-9].*)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """What lists of a game have that others have not.

    With ``set_behind`` set and number may stand behind a name without brackets:
    ``Charmander MEW 4``. ``headings`` are words over cards that open no zone: ``Trainer: 35``.
    With ``faces`` a card may be called by its front face. ``same_cards`` are the names of one card
    each, the first of which it is known by; ANYTHING in one stands for any text.
    """

    set_behind: bool = False
    headings: tuple[str, ...] = ()
    faces: bool = False
    same_cards: tuple[tuple[str, ...], ...] = ()

    def entry(self, written: Entry) -> Entry:
        """Return an entry whose name is that of the card alone."""
        if not self.set_behind or written.expansion:
            return written
        found = _SET_BEHIND.fullmatch(written.name)
        if found is None:
            return written
        name, expansion, number = found.groups()
        if expansion == "Energy" and not name.endswith(expansion):
            return replace(written, name=f"{name} {expansion}", number=number)
        return replace(written, name=name, expansion=expansion, number=number)


def card_number(entry: Entry) -> str:
    """Return the number of a card, "" without one.

    It stands in the tags (``(OP01-025)``, ``(OP01 25)``), behind the name, or in its place. That
    of another picture of the card (``OP01-025_p1``) is the same.
    """
    if entry.expansion and entry.number.isdecimal():
        return f"{entry.expansion.upper()}-{int(entry.number):03}"
    for written in (entry.number, entry.expansion, entry.name):
        if found := _CARD_NUMBER.fullmatch(written.upper()):
            return f"{found[1]}-{found[2]}"
    return ""
