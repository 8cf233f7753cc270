"""What is told of an event as long as its log has no new line, kept for all processes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from django.core.cache import cache

from tournaments.models import Event

HOURS = 12 * 3600
"""Seconds for which a value is kept at most; the key holds one for each event."""

Value = TypeVar("Value")


def kept_by_head(
    name: str,
    events: Iterable[Event],
    make: Callable[[Sequence[Event]], Mapping[int, Value]],
) -> dict[int, Value]:
    """Return a cached value of each started event, recomputed once its log has grown, by key.

    ``make`` gives those of events whose log has grown since, or that were never asked for; its
    queries are the only ones. What it gives is stored under ``name`` and plain: no class of ours.
    An event of which it gives nothing is asked for again.
    """
    started = {event.pk: event for event in events if event.plan}
    keys = {pk: f"{name}:{pk}" for pk in started}
    kept = cache.get_many(keys.values())
    known: dict[int, Value] = {
        pk: kept[key][1]
        for pk, key in keys.items()
        if key in kept and kept[key][0] == started[pk].head
    }
    missing = [event for pk, event in started.items() if pk not in known]
    if missing:
        made = make(missing)
        heads = {keys[each.pk]: (each.head, made[each.pk]) for each in missing if each.pk in made}
        cache.set_many(heads, HOURS)
        known |= made
    return known
