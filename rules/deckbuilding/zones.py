"""Zones of a deck, the section words that open them, and kinds of cards with their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rules.deckbuilding.known_headings import OF_ANY_GAME, SECTION_WORDS, USUAL_WORDS, fold_heading
from rules.names import name_key
from rules.wording import Sentence

ZoneWords = tuple[tuple[str, tuple[str, ...]], ...]
"""The key of each zone of a format, and the words that open it."""


FEW = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A zone of a deck, such as main or side, and its allowed sizes.

    ``maximum`` None means no upper limit; ``or_none`` also allows an empty zone. ``words`` are its
    headings in a list, in place of the defaults for its key; the first is the one written.
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
    def has_few(self) -> bool:
        """Return whether the zone is for one or two cards, such as the leader's."""
        return self.maximum is not None and 0 < self.maximum <= FEW

    @property
    def allows_all(self) -> bool:
        return self.maximum is None and not self.minimum

    def allows(self, size: int) -> bool:
        """Return whether a size is allowed."""
        if self.or_none and size == 0:
            return True
        return self.minimum <= size and (self.maximum is None or size <= self.maximum)


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


def find_format_zone(word: str, own: ZoneWords) -> str | None:
    """Return the key of the format's zone that a heading names, else None.

    ``own`` are the format's headings by zone key.
    """
    return _zones_by_word(own).get(fold_heading(word))


def find_common_zone(word: str) -> str | None:
    """Return the key of the zone that a heading names in any game, else None."""
    return _of_any_game().get(fold_heading(word))


def find_zone(word: str, own: ZoneWords) -> str | None:
    """Return the key of the zone that a heading names, else None.

    The format's ``own`` headings come first, then those of any game.
    """
    return find_format_zone(word, own) or find_common_zone(word)


def add_common_headings(
    zones: Sequence[Zone], main: str, side: str | None, kinds: Iterable[str] = ()
) -> ZoneWords:
    """Return the headings of each zone key, with those that common programs write.

    ``main`` and ``side`` are zone keys. A heading of another zone or of one of the ``kinds`` is not
    added.
    """
    taken = {fold_heading(word): "" for word in kinds}
    taken |= {fold_heading(word): zone.key for zone in reversed(zones) for word in zone.opened_by}
    found = []
    for zone in zones:
        roles = {main: "main", side: "side"}
        usual = (*USUAL_WORDS.get(roles.get(zone.key, ""), ()), *USUAL_WORDS.get(zone.key, ()))
        if not zone.words:  # a word of another game is asked about
            usual = tuple(
                w for w in usual if find_common_zone(w) in (None, zone.key, roles.get(zone.key))
            )
        more = [
            word for word in usual if taken.setdefault(fold_heading(word), zone.key) == zone.key
        ]
        found.append((zone.key, tuple(dict.fromkeys((*zone.opened_by, *more)))))
    return tuple(found)


@lru_cache(maxsize=256)
def _zones_by_word(own: ZoneWords) -> dict[str, str]:
    """Return the zone of each word of a format; of one that opens several, the first."""
    pairs = [(fold_heading(word), key) for key, words in own for word in words]
    return dict(reversed(pairs))


@cache
def _of_any_game() -> dict[str, str]:
    """Return the zone of each section word; of one that opens several, the first game's."""
    pairs = [(fold_heading(word), key) for key, words in OF_ANY_GAME.items() for word in words]
    return dict(reversed(pairs))


def zone_label(key: str) -> Sentence | str:
    """Return the label of a zone key; an unknown zone keeps its name."""
    return LABELS.get(key, key)


_CARD_WORDS = ("carta ", "carte ", "card ", "cards ")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardKind:
    """A kind (type) of cards in a game, such as Creature.

    ``words`` are its names in Italian and English, singular and plural. ``zones`` None: an ordinary
    card; an empty tuple: not a deck card at all. ``home`` is the zone of such a card outside a
    section. ``first_word``: longer kinds that begin with one of the words are this kind too.
    """

    key: str
    label: Sentence
    words: tuple[str, ...]
    zones: tuple[str, ...] | None = None
    home: str | None = None
    first_word: bool = False


@lru_cache(maxsize=1024)
def fold_kind(text: str) -> str:
    """Return a kind's name folded for comparison: no case, accents, hyphens or “Carta”."""
    folded = " ".join(name_key(text).replace("-", " ").split())
    for word in _CARD_WORDS:
        folded = folded.removeprefix(word)
    return folded


def find_kind(kinds: Iterable[CardKind], text: str) -> CardKind | None:
    """Return the kind that a text names; None for unknown names and empty text."""
    folded = fold_kind(text)
    first = folded.partition(" ")[0]
    for kind in kinds:
        words = _folded_words(kind.words)
        if folded in words or (kind.first_word and first in words):
            return kind
    return None


class KindCache(dict[str, CardKind | None]):
    """A dict from names of kinds as written to kinds, filled on lookup; None if unknown.

    The names of the kinds themselves are in it from the start. Of others at most ``most`` are kept,
    none longer than ``longest``, so that lists cannot fill the memory.
    """

    def __init__(self, kinds: Iterable[CardKind], *, most: int = 1000, longest: int = 200) -> None:
        self._kinds, self._most, self._longest = tuple(kinds), most, longest
        words = (word for kind in self._kinds for word in kind.words)
        super().__init__({word: find_kind(self._kinds, word) for word in words})

    def __missing__(self, text: str) -> CardKind | None:
        kind = find_kind(self._kinds, text)
        if len(self) < self._most and len(text) < self._longest:
            self[text] = kind
        return kind


@lru_cache(maxsize=256)
def _folded_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold_kind(word) for word in words)
