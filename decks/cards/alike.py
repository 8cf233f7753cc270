"""Texts alike to one that was typed, out of tens of thousands, by ``rapidfuzz.fuzz.ratio``.

Two texts are at most as much alike as the letters that they share. These are counted first, for
all texts at once: few are left to be compared.
"""

from collections.abc import Sequence

import numpy as np
from rapidfuzz import fuzz, process

KINDS = 32
"""Kinds of letters; several letters of one kind only make more texts to be compared."""
LONGEST_NAME = 255


class AlikeTexts:
    """Texts, and how many letters of each kind each of them has."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._lengths = np.fromiter(map(len, texts), dtype=np.int32, count=len(texts))
        letters = _kinds_of("".join(texts))
        of = np.repeat(np.arange(len(texts), dtype=np.int64), self._lengths)
        counts = np.bincount(letters * len(texts) + of, minlength=KINDS * len(texts))
        self._counts = counts.clip(max=LONGEST_NAME).astype(np.uint8).reshape(KINDS, len(texts))

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


def _kinds_of(text: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return codes.astype(np.int64) % KINDS
