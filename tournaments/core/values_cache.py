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


def cached_value(facts: object, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return a value cached with a snapshot of an event or stage.

    It is computed if missing. It lives as long as the snapshot ``facts``. One thread runs ``make``
    while others wait; never modify the value.
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


def cached_by_sources(
    facts: object, key: Hashable, sources: tuple[object, ...], make: Callable[[], Made]
) -> Made:
    """Return a value cached under ``key`` with this or an earlier snapshot.

    ``make`` runs again only if one of ``sources``, from which it is computed, is another object.
    """
    return reuse_or_compute(carried_over_values(facts), key, sources, make, same=_are_same_objects)


def reuse_or_compute(
    earlier: EarlierValues,
    key: Hashable,
    sources: tuple[object, ...],
    make: Callable[[], Made],
    *,
    same: Callable[[tuple[object, ...], tuple[object, ...]], bool] = eq,
) -> Made:
    """Return the value stored in ``earlier`` under ``key``, or compute and store it.

    ``make`` runs unless ``same(stored sources, sources)``.
    """
    known = earlier.get(key)
    if known is None or not same(known[0], sources):
        known = earlier[key] = (sources, make())
    found: Made = known[1]
    return found


def carried_over_values(facts: object) -> EarlierValues:
    """Return the cache {key: (sources, value)} that snapshots after later results take over.

    Callers add to it (``reuse_or_compute``). A value may depend only on its sources and on data
    that results don't change.
    """
    return cached_value(facts, "earlier", dict)


def _are_same_objects(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def carry_over_values(facts: object, former: object, keys: Iterable[Hashable]) -> None:
    """Copy values cached under these keys from the ``former`` snapshot to ``facts``."""
    made = _values_of(former).by_key
    _values_of(facts).by_key |= {key: made[key] for key in keys if key in made}


def _values_of(facts: object) -> _Values:
    own = vars(facts)
    found: _Values = own.get("_cached_values") or own.setdefault("_cached_values", _Values())
    return found
