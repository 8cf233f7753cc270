"""Kinds of cards: their names and zones."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rules.names import name_key
from rules.wording import Sentence

_CARD_WORDS = ("carta ", "carte ", "card ", "cards ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of cards in a game.

    ``words`` are its names in Italian and English, singular and plural. ``zones`` None: an
    ordinary card; an empty tuple: not a deck card at all. ``home`` is the zone of such a card
    outside a section. ``first_word``: longer kinds that begin with one of the words are this kind
    too.
    """

    key: str
    label: Sentence
    words: tuple[str, ...]
    zones: tuple[str, ...] | None = None
    home: str | None = None
    first_word: bool = False


@lru_cache(maxsize=1024)
def folded_kind(text: str) -> str:
    """Return a kind's name folded for comparison: no case, accents, hyphens or “Carta”."""
    folded = " ".join(name_key(text).replace("-", " ").split())
    for word in _CARD_WORDS:
        folded = folded.removeprefix(word)
    return folded


def find_kind(kinds: Iterable[Kind], text: str) -> Kind | None:
    """Return the kind with a name; None for unknown names and empty text."""
    folded = folded_kind(text)
    first = folded.partition(" ")[0]
    for kind in kinds:
        words = _folded_words(kind.words)
        if folded in words or (kind.first_word and first in words):
            return kind
    return None


class KnownKinds(dict[str, Kind | None]):
    """The kind of each word met so far, None for unknown words; a cache for many lookups.

    The words of the kinds themselves are known from the start. Of others no more than ``most`` are
    kept, and none that is longer than ``longest``, so that lists cannot fill the memory.
    """

    def __init__(self, kinds: Iterable[Kind], *, most: int = 1000, longest: int = 200) -> None:
        self._kinds, self._most, self._longest = tuple(kinds), most, longest
        words = (word for kind in self._kinds for word in kind.words)
        super().__init__({word: find_kind(self._kinds, word) for word in words})

    def __missing__(self, text: str) -> Kind | None:
        kind = find_kind(self._kinds, text)
        if len(self) < self._most and len(text) < self._longest:
            self[text] = kind
        return kind


@lru_cache(maxsize=256)
def _folded_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(folded_kind(word) for word in words)
