"""Caches of values computed from an event's facts, shared by all readers."""

from collections.abc import Callable, Hashable, Iterable
from operator import eq, is_
from threading import RLock
from typing import Any, TypeVar

from django.conf import settings

Made = TypeVar("Made")
EarlierValues = dict[Hashable, tuple[tuple[object, ...], Any]]


class _Values:
    """The values cached for one object, and the lock for computing more."""

    def __init__(self) -> None:
        self.by_key: dict[Hashable, Any] = {}
        self.turn = RLock()


def cached(facts: object, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return the value cached for these facts under this key, computed by ``make`` if missing.

    It lives as long as the facts, as with ``cached_property``. One thread computes it while others
    wait; it must not be changed.
    """
    if "values" in settings.CACHES_OFF:
        return make()
    values = _values_of(facts)
    if key not in values.by_key:
        with values.turn:
            if key not in values.by_key:
                values.by_key[key] = make()
    found: Made = values.by_key[key]
    return found


def cached_while_same(
    facts: object, key: Hashable, sources: tuple[object, ...], make: Callable[[], Made]
) -> Made:
    """Return the value cached under this key, recomputed if ``sources`` are other objects."""
    return reuse_or_make(earlier_values(facts), key, sources, make, same=_are_same_objects)


def reuse_or_make(
    earlier: EarlierValues,
    key: Hashable,
    sources: tuple[object, ...],
    make: Callable[[], Made],
    *,
    same: Callable[[tuple[object, ...], tuple[object, ...]], bool] = eq,
) -> Made:
    """Return the value under this key, recomputed if ``sources`` differ from those before."""
    known = earlier.get(key)
    if known is None or not same(known[0], sources):
        known = earlier[key] = (sources, make())
    found: Made = known[1]
    return found


def earlier_values(facts: object) -> EarlierValues:
    """Return the values of earlier versions by key, each with what it was computed from.

    They may depend on that, and on data that no result changes: they are carried over to the facts
    after later results (``event_state.CARRIED_OVER``).
    """
    return cached(facts, "earlier", dict)


def _are_same_objects(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def carry_over(facts: object, former: object, keys: Iterable[Hashable]) -> None:
    """Copy the values cached under these keys from the facts of an earlier version."""
    made = _values_of(former).by_key
    _values_of(facts).by_key |= {key: made[key] for key in keys if key in made}


def _values_of(facts: object) -> _Values:
    own = vars(facts)
    found: _Values = own.get("_cached_values") or own.setdefault("_cached_values", _Values())
    return found
