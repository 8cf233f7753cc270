"""Zones of a deck, and the section words that open them."""

from dataclasses import dataclass

from rules.names import name_key
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A part of a deck and its allowed sizes.

    ``maximum`` None means no upper limit; ``or_none`` also allows an empty zone.
    """

    key: str
    label: Sentence
    minimum: int = 0
    maximum: int | None = None
    or_none: bool = False

    @property
    def allows_all(self) -> bool:
        """Return whether every size is allowed."""
        return self.maximum is None and not self.minimum

    def allows(self, size: int) -> bool:
        """Return whether a size is allowed."""
        if self.or_none and size == 0:
            return True
        return self.minimum <= size and (self.maximum is None or size <= self.maximum)


# Deck construction, Lists in and out. A word may open different zones in different games.
# The first word of a zone names no other zone: lists are written with it.
SECTION_WORDS: dict[str, tuple[str, ...]] = {
    "leader": ("Leader",),
    "main": ("Main", "Main deck", "Deck", "Mazzo", "Mazzo principale"),
    "evolution": (
        "Evolution",
        "Evolutions",
        "Evolution deck",
        "Evoluzione",
        "Evoluzioni",
        "Mazzo Evoluzione",
        "Mazzo Evoluzioni",
    ),
    "side": ("Side", "Side deck", "Sideboard"),
    "fusion": (
        "Fusion",
        "Fusion deck",
        "Extra",
        "Extra deck",
        "Fusione",
        "Fusioni",
        "Mazzo Fusione",
        "Mazzo Fusioni",
    ),
    "cosmo": ("Cosmo", "Cosmos"),
    "deck": (
        "Combat deck",
        "Deck",
        "Main",
        "Main deck",
        "Mazzo",
        "Mazzo principale",
        "Mazzo da combattimento",
    ),
    "reserve": (
        "Reserve",
        "Reserves",
        "Riserva",
        "Riserve",
        "Side",
        "Side deck",
        "Sideboard",
    ),
}

LABELS: dict[str, Sentence] = {
    "leader": Sentence("Leader"),
    "main": Sentence("Main deck"),
    "evolution": Sentence("Evolution deck"),
    "side": Sentence("Side deck"),
    "fusion": Sentence("Fusion deck"),
    "cosmo": Sentence("Cosmo deck"),
    "deck": Sentence("Combat deck"),
    "reserve": Sentence("Reserve"),
}

_FOLDED = {
    key: frozenset(name_key(word).replace("-", " ") for word in words)
    for key, words in SECTION_WORDS.items()
}


def zone_of_word(word: str, own: tuple[str, ...]) -> str | None:
    """Return the zone that a section word opens: the format's own zones first, else any game's."""
    folded = name_key(word).replace("-", " ")
    others = tuple(key for key in _FOLDED if key not in own)
    return next((key for key in (*own, *others) if folded in _FOLDED.get(key, ())), None)


def label_of(key: str) -> Sentence | str:
    """Return a zone's label; an unknown zone keeps its name."""
    return LABELS.get(key, key)
