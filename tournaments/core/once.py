"""Caches of values computed from an event's facts, shared by all readers."""

from collections.abc import Callable, Hashable, Iterable
from operator import eq, is_
from threading import RLock
from typing import Any, TypeVar

from django.conf import settings

Made = TypeVar("Made")
Past = dict[Hashable, tuple[tuple[object, ...], Any]]


class _Made:
    """The values cached for one object, and the lock for computing more."""

    def __init__(self) -> None:
        self.values: dict[Hashable, Any] = {}
        self.turn = RLock()


def once(facts: object, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return the value cached for these facts under this key, computed by ``make`` if missing.

    It lives as long as the facts, as with ``cached_property``. One thread computes it while others
    wait; it must not be changed.
    """
    if "values" in settings.CACHES_OFF:
        return make()
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
    """Return the value cached under this key if it was computed from the same objects."""
    return made_before(past_of(facts), key, given, make, same=_same)


def made_before(
    past: Past,
    key: Hashable,
    given: tuple[object, ...],
    make: Callable[[], Made],
    *,
    same: Callable[[tuple[object, ...], tuple[object, ...]], bool] = eq,
) -> Made:
    """Return the value cached under this key if it was computed from equal values."""
    known = past.get(key)
    if known is None or not same(known[0], given):
        known = past[key] = (given, make())
    found: Made = known[1]
    return found


def past_of(facts: object) -> Past:
    """Return the values computed before by key, each with what it was computed from.

    They may depend on that, and on data that no result changes: they are passed on to the facts
    after later results (``facts_cache.CARRIED_OVER``).
    """
    return once(facts, "past", dict)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Say whether two tuples hold the same objects."""
    return len(one) == len(other) and all(map(is_, one, other))


def take_over(facts: object, former: object, keys: Iterable[Hashable]) -> None:
    """Pass on the values cached under these keys from former facts."""
    made = _made_of(former).values
    _made_of(facts).values |= {key: made[key] for key in keys if key in made}


def _made_of(facts: object) -> _Made:
    own = vars(facts)
    found: _Made = own.get("_once") or own.setdefault("_once", _Made())
    return found
