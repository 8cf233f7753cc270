"""What is made of the facts of an event once, however many readers ask for it."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Made = TypeVar("Made")


def once(facts: object, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return what was made of these facts before under this key, else make it.

    It is kept as long as the facts are, as by ``cached_property``. Two threads that ask at the
    same time may both make it.
    """
    kept: dict[Hashable, Any] = vars(facts).setdefault("_once", {})
    if key not in kept:
        kept[key] = make()
    found: Made = kept[key]
    return found
