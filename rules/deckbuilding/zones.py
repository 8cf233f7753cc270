"""Zones of a deck, and the section words that open them."""

from dataclasses import dataclass
from functools import cache, lru_cache

from rules.names import name_key
from rules.wording import Sentence

ZoneWords = tuple[tuple[str, tuple[str, ...]], ...]
"""The key of each zone of a format, and the words that open it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A part of a deck and its allowed sizes.

    ``maximum`` None means no upper limit; ``or_none`` also allows an empty zone. ``words`` open
    it in a list, in place of those of its key; the first is written.
    """

    key: str
    label: Sentence
    minimum: int = 0
    maximum: int | None = None
    or_none: bool = False
    words: tuple[str, ...] = ()

    @property
    def opened_by(self) -> tuple[str, ...]:
        """Return the words that open the zone in a list."""
        return self.words or SECTION_WORDS.get(self.key, ())

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


def zone_of_word(word: str, own: ZoneWords) -> str | None:
    """Return the zone that a section word opens: the format's own zones first, else any game's."""
    folded = _folded(word)
    for key, words in own:
        if folded in _folded_words(words):
            return key
    return _of_any_game().get(folded)


def _folded(word: str) -> str:
    return name_key(word).replace("-", " ")


@lru_cache(maxsize=256)
def _folded_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(_folded, words))


@cache
def _of_any_game() -> dict[str, str]:
    """Return the zone of each section word; of one that opens several, the first game's."""
    pairs = [(_folded(word), key) for key, words in SECTION_WORDS.items() for word in words]
    return dict(reversed(pairs))


def label_of(key: str) -> Sentence | str:
    """Return a zone's label; an unknown zone keeps its name."""
    return LABELS.get(key, key)
