"""Differences between two lists, zone by zone."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from rules.deckbuilding.deck import Deck, Entry, same_card_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A card in a zone of both lists whose count or tags differ."""

    before: Entry
    after: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneDifference:
    """Cards removed, added and changed in one zone."""

    zone: str
    added: tuple[Entry, ...] = ()
    removed: tuple[Entry, ...] = ()
    changed: tuple[Change, ...] = ()


def difference(before: Deck, after: Deck) -> tuple[ZoneDifference, ...]:
    """Return the zones in which two lists differ, in the order of the later list.

    Cards are matched by name and tags first, then by name alone, so that adding a kind is a
    change and not another card. A card moved to another zone is removed in one and added in the
    other; the order of lines is ignored.
    """
    zones = dict.fromkeys((*after.zones, *before.zones))
    found = (_of_zone(zone, before.zone(zone), after.zone(zone)) for zone in zones)
    return tuple(each for each in found if each.added or each.removed or each.changed)


def _of_zone(zone: str, before: Sequence[Entry], after: Sequence[Entry]) -> ZoneDifference:
    exact, removed, added = _pair_entries(before, after, same_card_key)
    by_name, removed, added = _pair_entries(removed, added, attrgetter("key"))
    changed = filter(_is_changed, (*exact, *by_name))
    return ZoneDifference(
        zone=zone,
        added=tuple(added),
        removed=tuple(removed),
        changed=tuple(sorted(changed, key=attrgetter("after.key"))),
    )


def _pair_entries(
    before: Sequence[Entry], after: Sequence[Entry], key: Callable[[Entry], Hashable]
) -> tuple[list[Change], list[Entry], list[Entry]]:
    """Return the entries of both with equal keys, each once, and the rest of either."""
    waiting: dict[Hashable, list[Entry]] = {}
    for entry in reversed(before):
        waiting.setdefault(key(entry), []).append(entry)
    pairs, left = [], []
    for entry in after:
        if old := waiting.get(key(entry)):
            pairs.append(Change(before=old.pop(), after=entry))
        else:
            left.append(entry)
    gone = {id(entry) for entries in waiting.values() for entry in entries}
    return pairs, [entry for entry in before if id(entry) in gone], left


def _is_changed(pair: Change) -> bool:
    same = same_card_key(pair.before) == same_card_key(pair.after)
    return not same or pair.before.count != pair.after.count
