"""``functools.lru_cache`` for answers about texts that people send."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

Answer = TypeVar("Answer")


def remembered(
    answer: Callable[[str], Answer], *, most: int, longest: int = 200
) -> Callable[[str], Answer]:
    """Return ``answer`` with a cache of at most ``most`` texts, each shorter than ``longest``.

    So nobody can fill the memory with long texts that no list has.
    """
    cached = lru_cache(maxsize=most)(answer)

    def answered(text: str) -> Answer:
        return cached(text) if len(text) < longest else answer(text)

    return answered
