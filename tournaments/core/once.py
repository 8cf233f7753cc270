"""What is made of the facts of an event once, however many readers ask for it."""

from collections.abc import Callable, Hashable, Iterable
from threading import RLock
from typing import Any, TypeVar

Made = TypeVar("Made")


class _Made:
    """What was made of one object, and whose turn it is to make more."""

    def __init__(self) -> None:
        self.values: dict[Hashable, Any] = {}
        self.turn = RLock()


def once(facts: object, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return what was made of these facts before under this key, else make it.

    It is kept as long as the facts are, as by ``cached_property``. One thread makes it while others
    wait; nobody may change it.
    """
    kept = _made_of(facts)
    if key not in kept.values:
        with kept.turn:
            if key not in kept.values:
                kept.values[key] = make()
    found: Made = kept.values[key]
    return found


def take_over(facts: object, former: object, keys: Iterable[Hashable]) -> None:
    """Keep for these facts what was made under these keys of former ones."""
    made = _made_of(former).values
    _made_of(facts).values |= {key: made[key] for key in keys if key in made}


def _made_of(facts: object) -> _Made:
    found: _Made = vars(facts).setdefault("_once", _Made())
    return found
