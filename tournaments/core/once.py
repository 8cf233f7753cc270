"""What is made of the facts of an event once, however many readers ask for it."""

from collections.abc import Callable, Hashable, Iterable
from operator import eq, is_
from threading import RLock
from typing import Any, TypeVar

Made = TypeVar("Made")
Past = dict[Hashable, tuple[tuple[object, ...], Any]]


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


def unchanged(
    facts: object, key: Hashable, given: tuple[object, ...], make: Callable[[], Made]
) -> Made:
    """Return what was made under this key of the very same objects, else make it of these."""
    return made_before(past_of(facts), key, given, make, same=_same)


def made_before(
    past: Past,
    key: Hashable,
    given: tuple[object, ...],
    make: Callable[[], Made],
    *,
    same: Callable[[tuple[object, ...], tuple[object, ...]], bool] = eq,
) -> Made:
    """Return what was made under this key of equal values, else make it of these."""
    known = past.get(key)
    if known is None or not same(known[0], given):
        known = past[key] = (given, make())
    found: Made = known[1]
    return found


def past_of(facts: object) -> Past:
    """Return what was made before under each key, and of what.

    It may depend on that, and on what only an act other than a result changes: it is kept for the
    facts after later results too (``held_facts.KEPT``).
    """
    return once(facts, "past", dict)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Say whether two tuples hold the very same objects."""
    return len(one) == len(other) and all(map(is_, one, other))


def take_over(facts: object, former: object, keys: Iterable[Hashable]) -> None:
    """Keep for these facts what was made under these keys of former ones."""
    made = _made_of(former).values
    _made_of(facts).values |= {key: made[key] for key in keys if key in made}


def _made_of(facts: object) -> _Made:
    own = vars(facts)
    found: _Made = own.get("_once") or own.setdefault("_once", _Made())
    return found
