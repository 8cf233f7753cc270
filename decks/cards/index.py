"""In-memory index of a catalogue: exact, prefix and fuzzy search in both languages.

``SimilarTextIndex`` finds texts alike to one that was typed, by ``rapidfuzz.fuzz.ratio``. Two texts
are at most as much alike as the letters that they share. These are counted first, for all texts at
once: few are left to be compared.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain
from sys import intern

import numpy as np
from rapidfuzz import fuzz, process

from decks.cards.files import ALSO
from rules.deckbuilding.catalogue import CardFacts, Legality, combine_legalities, parse_legality
from rules.names import card_key, card_key_from_name_key, name_key

KINDS = 32
"""Kinds of letters; several letters of one kind only make more texts to be compared."""
LONGEST_NAME = 255


class SimilarTextIndex:
    """An index of a fixed sequence of texts for fuzzy search, by counts of their letters."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._lengths = np.fromiter(map(len, texts), dtype=np.int32, count=len(texts))
        letters = _kinds_of("".join(texts))
        of = np.repeat(np.arange(len(texts), dtype=np.int32), self._lengths)
        self._counts = np.empty((KINDS, len(texts)), dtype=np.uint8)
        for kind in range(KINDS):  # one after the other, as all at once take 60 MB of 50,000 names
            counts = np.bincount(of[letters == kind], minlength=len(texts))
            self._counts[kind] = counts.clip(max=LONGEST_NAME)

    def nearest(self, text: str, *, least: int, limit: int) -> list[str]:
        """Return the texts at least so much alike, in per cent, best first, then by place.

        Equal to ``process.extract`` over all texts; ``text`` has at most 255 letters.
        """
        if not self._texts or len(text) > LONGEST_NAME:
            return []
        possible = self._possible(text, least)
        texts = [self._texts[at] for at in possible]
        found = process.extract(text, texts, scorer=fuzz.ratio, score_cutoff=least, limit=limit)
        return [near for near, _score, _at in found]

    def _possible(self, text: str, least: int) -> list[int]:
        """Return the places of the texts that share enough letters.

        The ratio is twice the letters in common and in order, through the letters of both.
        """
        shared = np.zeros(len(self._texts), dtype=np.uint8)
        for kind, count in enumerate(np.bincount(_kinds_of(text), minlength=KINDS)):
            if count:
                shared += np.minimum(self._counts[kind], np.uint8(count))
        enough = 200 * shared.astype(np.int32) >= least * (self._lengths + len(text))
        return list(np.flatnonzero(enough).tolist())


def _kinds_of(text: str) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return (codes % KINDS).astype(np.uint8)


LONGEST = 80  # characters of the input that are compared
NEAR_WORD = 60  # minimum similarity of a word, in per cent
NEAR_NAME = 72
MOST_LOOKS = 2000  # matches examined at most: a very common word is no help

_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")


class NameFinder:
    """An index of name keys for search by prefix, by word, and by similarity.

    The time hardly depends on the length of the input or the number of names: prefixes are found by
    bisection, words by ``str.find`` in one string of all keys.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = sorted(keys)
        self._text = "\n".join(["", *self.keys, ""])
        self._starts = array("L")
        at = 1
        for key in self.keys:
            self._starts.append(at)
            at += len(key) + 1

    def find(self, typed: str, limit: int) -> list[str]:
        """Return keys, best first: matching prefix, then matching words, then similar words."""
        wanted = card_key(typed[:LONGEST])
        if not wanted:
            return []
        found = _first_distinct(limit, self._keys_beginning_with(wanted), self._with_word(wanted))
        if len(found) < limit:
            found = _first_distinct(limit, found, self._with_words(wanted))
        found = found or _first_distinct(limit, self._with_near_words(wanted))
        return found or self.similar(wanted, least=NEAR_NAME, limit=limit)

    def beginning(self, wanted: str, limit: int) -> list[str]:
        return _first_distinct(limit, self._keys_beginning_with(wanted))

    def _keys_beginning_with(self, wanted: str) -> Iterator[str]:
        for at in range(bisect_left(self.keys, wanted), len(self.keys)):
            if not self.keys[at].startswith(wanted):
                return
            yield self.keys[at]

    def _with_word(self, wanted: str) -> Iterator[str]:
        """Yield the keys in which the input begins at the start of a word."""
        text, at = self._text, self._text.find(wanted)
        for _look in range(MOST_LOOKS):
            if at < 0:
                return
            if not text[at - 1].isalnum():
                line = bisect_right(self._starts, at) - 1
                yield self.keys[line]
                at = self._starts[line] + len(self.keys[line])
            at = text.find(wanted, at + 1)

    def _with_words(self, wanted: str) -> Iterator[str]:
        """Yield the keys in which every word of the input begins a word, in any order."""
        words = _WORD.findall(wanted)
        if len(words) < 2:
            return
        for key in self._with_word(max(words, key=len)):
            if all(word in key for word in words):
                parts = _WORD.findall(key)
                if all(any(part.startswith(word) for part in parts) for word in words):
                    yield key

    def _with_near_words(self, wanted: str) -> Iterator[str]:
        """Yield the keys found after replacing unknown words by the most similar known ones."""
        words = [self._known_word(word) for word in _WORD.findall(wanted)[:4]]
        if words:
            yield from self._with_word(" ".join(words))
            yield from self._with_words(" ".join(words))

    def _known_word(self, word: str) -> str:
        """Return the word itself if some name has it, else the most similar one."""
        if not word.isalpha():
            return word
        at = bisect_left(self._words, word)
        if at < len(self._words) and self._words[at].startswith(word):
            return word
        near = self._alike_words.nearest(word, least=NEAR_WORD, limit=1)
        return near[0] if near else word

    def similar(self, wanted: str, *, least: int, limit: int) -> list[str]:
        """Return the keys at least so much alike, in per cent, best first."""
        return self._alike.nearest(wanted, least=least, limit=limit)

    @cached_property
    def _alike(self) -> SimilarTextIndex:
        return SimilarTextIndex(self.keys)

    @cached_property
    def _alike_words(self) -> SimilarTextIndex:
        return SimilarTextIndex(self._words)

    @cached_property
    def _words(self) -> list[str]:
        return sorted(set(_LETTERS.findall(self._text)))


def _first_distinct(limit: int, *sources: Iterable[str]) -> list[str]:
    """Return the first distinct keys of the sources, which are consumed lazily."""
    found: dict[str, None] = {}
    for key in chain.from_iterable(sources):
        found.setdefault(key)
        if len(found) == limit:
            break
    return list(found)


NEAR = 72  # minimum similarity of a suggested name, in per cent
SHORTEST_BEGINNING = 4  # letters of a name that was typed only in part

CardRow = tuple[str, str, str, str, str, str, str, int | None, str, str]
"""key, key_en, name, name_en, kind, genus, expansion, max_copies, other_names, legal_in; by key."""


class CardIndex:
    """A card catalogue in memory, as the rules use it; also completes card names.

    It holds names, kinds, genera, expansions and limits; everything else stays in the database.
    ``version`` is that of the stored catalogue, ``loaded_at`` when it was loaded (None if never
    stored). ``columns`` are the formats in which some card is legal.
    """

    def __init__(
        self,
        pk: int,
        game: str,
        rows: Iterable[CardRow],
        loaded_at: datetime | None = None,
        *,
        version: int = 0,
    ) -> None:
        self.pk = pk
        self.version = version
        self.game = game
        self.loaded_at = loaded_at
        self.ids: dict[str, str] | None = None  # names by id, loaded at first use
        self._cards: dict[str, CardFacts] = {}
        self._english: dict[str, str] = {}  # by first key: the name as it is written
        columns: set[str] = set()
        for facts, name_en in _merge_printings(rows):
            self._cards[facts.keys[0]] = facts
            if name_en:
                self._english[facts.keys[0]] = name_en
            columns.update(facts.legal_in or ())
        self.columns = tuple(sorted(columns))
        # A card's own name goes before the English name of another, and that before a face's.
        own = tuple(self._cards.items())
        for key, facts in own:
            if english := self._english.get(key):
                self._cards.setdefault(card_key(english), facts)
        for _key, facts in own:
            for other in facts.keys[1:]:
                self._cards.setdefault(other, facts)

    def __len__(self) -> int:
        return len(self._cards)

    def get(self, key: str, /) -> CardFacts | None:
        """Return the facts of a card by ``card_key`` of its name in either language, else None."""
        return self._cards.get(key)

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names near to a key, best first: similar ones, else those that begin with it.

        Empty if no name is near: a suggestion that is far off is worse than none.
        """
        keys = self._finder.similar(key, least=NEAR, limit=2 * limit)
        if not keys and len(key) >= SHORTEST_BEGINNING:
            keys = self._finder.beginning(key, 2 * limit)
        return [each["name"] for each in self._as_found_names(keys)][:limit]

    def complete(self, typed: str, limit: int) -> list[dict[str, str]]:
        """Return the cards whose name, in either language, completes the input.

        Each has its ``name``, its name in the ``other`` language ("" if alike), and its ``kind``.
        """
        return list(self._as_found_names(self._finder.find(typed, 2 * limit)))[:limit]

    @cached_property
    def _finder(self) -> NameFinder:
        return NameFinder(self._cards)

    def _as_found_names(self, keys: Iterable[str]) -> Iterator[dict[str, str]]:
        """Yield each card once, under the name that matched."""
        offered: set[str] = set()
        for key in keys:
            facts = self._cards[key]
            if facts.keys[0] in offered:
                continue
            offered.add(facts.keys[0])
            english = self._english.get(facts.keys[0], "")
            in_english = key != facts.keys[0] and key == card_key(english)
            yield {
                "name": english if in_english else facts.name,
                "other": facts.name if in_english else english if english != facts.name else "",
                "kind": facts.kind,
            }


def _merge_printings(rows: Iterable[CardRow]) -> Iterator[tuple[CardFacts, str]]:
    """Yield each card once, merged from its printings, with its English name.

    A card printed in several expansions has no expansion of its own; the lowest limit applies.
    """
    printings: list[CardRow] = []
    for row in rows:
        if printings and printings[0][0] != row[0]:
            yield _merge_one_card(printings)
            printings = []
        printings.append(row)
    if printings:
        yield _merge_one_card(printings)


def _merge_one_card(printings: list[CardRow]) -> tuple[CardFacts, str]:
    columns = zip(*printings, strict=True)
    keys, keys_en, names, names_en, kinds, genera, expansions, limits, others, legal = columns
    sets, faces = set(expansions), (name_key(name) for each in others for name in each.split(ALSO))
    facts = CardFacts(
        name=names[0],
        keys=tuple(
            dict.fromkeys(card_key_from_name_key(key) for key in (keys[0], *keys_en, *faces) if key)
        ),
        kind=intern(next(filter(None, kinds), "")),
        genus=intern(next(filter(None, genera), "")),
        expansion=intern(expansions[0]) if len(sets) == 1 else "",
        max_copies=min((limit for limit in limits if limit is not None), default=None),
        legal_in=_merge_legality(set(filter(None, legal))),
    )
    return facts, next(filter(None, names_en), "")


def _merge_legality(texts: set[str]) -> Legality | None:
    """Return where any of the printings is legal; None if nothing is said of them."""
    if len(texts) <= 1:  # most cards: those with the same text share one value
        return parse_legality(*texts) if texts else None
    return combine_legalities(map(parse_legality, texts))
