"""Names found while they are typed: by their first letters, by words, by what is near."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

from rapidfuzz import fuzz, process

from rules.names import name_key

LONGEST = 80  # characters that are compared of what is typed
NEAR_WORD = 60  # per cent of a word that must be right
NEAR_NAME = 72
MOST_LOOKS = 2000  # places of the index that are looked at: what is everywhere helps nobody

_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")


class NameFinder:
    """The keys of names, in order, and one text of them all in which words are searched.

    A search for two letters is as quick as one for a whole name, whatever the number of names:
    ordered keys are bisected, and words are found by ``str.find`` in one long text.
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
        """Return keys, best first: those that begin so, then with such words, then near ones."""
        wanted = name_key(typed[:LONGEST])
        if not wanted:
            return []
        found = _first(limit, self._beginning(wanted), self._with_word(wanted))
        if len(found) < limit:
            found = _first(limit, found, self._with_words(wanted))
        found = found or _first(limit, self._with_near_words(wanted))
        return found or _first(limit, self._near(wanted))

    def _beginning(self, wanted: str) -> Iterator[str]:
        for at in range(bisect_left(self.keys, wanted), len(self.keys)):
            if not self.keys[at].startswith(wanted):
                return
            yield self.keys[at]

    def _with_word(self, wanted: str) -> Iterator[str]:
        """Yield the keys in which what is wanted begins at a word."""
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
        """Yield the keys in which all words begin a word, in any order."""
        words = _WORD.findall(wanted)
        if len(words) < 2:
            return
        for key in self._with_word(max(words, key=len)):
            if all(word in key for word in words):
                parts = _WORD.findall(key)
                if all(any(part.startswith(word) for part in parts) for word in words):
                    yield key

    def _with_near_words(self, wanted: str) -> Iterator[str]:
        """Yield the keys with the words that come nearest to those that nobody knows."""
        words = [self._known_word(word) for word in _WORD.findall(wanted)[:4]]
        if words:
            yield from self._with_word(" ".join(words))
            yield from self._with_words(" ".join(words))

    def _known_word(self, word: str) -> str:
        """Return a word that some name has: itself, or the one that it comes nearest to."""
        if not word.isalpha():
            return word
        at = bisect_left(self._words, word)
        if at < len(self._words) and self._words[at].startswith(word):
            return word
        near = process.extractOne(word, self._words, scorer=fuzz.ratio, score_cutoff=NEAR_WORD)
        return str(near[0]) if near else word

    def _near(self, wanted: str) -> Iterator[str]:
        found = process.extract(
            wanted, self.keys, scorer=fuzz.ratio, score_cutoff=NEAR_NAME, limit=16
        )
        return (key for key, _score, _at in found)

    @cached_property
    def _words(self) -> list[str]:
        return sorted(set(_LETTERS.findall(self._text)))


def _first(limit: int, *sources: Iterable[str]) -> list[str]:
    """Return the first different keys of the sources, which are asked for no more than that."""
    found: dict[str, None] = {}
    for key in chain.from_iterable(sources):
        found.setdefault(key)
        if len(found) == limit:
            break
    return list(found)
