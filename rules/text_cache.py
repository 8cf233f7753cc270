"""``functools.lru_cache`` for functions of untrusted text, with a limit on the length of a key."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

Answer = TypeVar("Answer")


def cached_by_text(
    answer: Callable[[str], Answer], *, maxsize: int, max_length: int = 200
) -> Callable[[str], Answer]:
    """Return ``answer`` with an LRU cache of ``maxsize`` texts shorter than ``max_length``.

    Longer texts are computed on each call, so requests cannot fill the memory.
    """
    cached = lru_cache(maxsize=maxsize)(answer)

    def answered(text: str) -> Answer:
        return cached(text) if len(text) < max_length else answer(text)

    return answered
