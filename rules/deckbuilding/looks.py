"""Which colours and which emblem the pages of a game have: those that come with the site."""

from dataclasses import dataclass

PALETTES = ("green", "red", "violet", "amber", "blue", "teal", "indigo")
EMBLEMS = ("cards", "crown", "die", "pawn", "gear", "paw", "star", "stars", "bolt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A palette and an emblem by their keys; what they look like is drawn by ``config.looks``."""

    palette: str = PALETTES[0]
    emblem: str = EMBLEMS[0]
