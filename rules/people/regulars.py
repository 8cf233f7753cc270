"""Who came to the last events of a chain, each person once, and how often.

Event 0 is the next one and 1 the last. Two players are one person if one's entry came from the
other, if they have an account or a membership number in common, else if they have a name that
nobody else has in any of the events. A person barred in one event (erased or disqualified) is never
a regular.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass

from rules.people.appearances import Appearance, PersonGroups, Place, same_name_pairs

Twins = Set[tuple[tuple[str, ...], str]]


@dataclass(frozen=True, slots=True)
class RegularPlayer:
    """A person who came to earlier events of a chain.

    ``places`` are their entries in events they came to, each (index of the event, player's number),
    the latest event first; ``times`` is the number of these events.
    """

    places: tuple[Place, ...]
    times: int


def find_regulars(players: Sequence[Appearance]) -> list[RegularPlayer]:
    """Return the people who came to earlier events and are not in the next one yet.

    The next event has index 0, the last one 1. The most frequent come first; people with a barred
    entry are left out.
    """
    found = []
    there = {(one.name, one.club) for one in players if one.place[0] == 0}
    named = {name for name, _club in there}
    for group in _people(players):
        events = {one.place[0] for one in group if one.came}
        gone = any(one.barred or one.place[0] == 0 for one in group)
        if events and not gone and not any(_is_there(one, there, named) for one in group):
            places = tuple(one.place for one in group if one.came)
            found.append(RegularPlayer(places, len(events)))
    return sorted(found, key=lambda one: (-one.times, one.places))


def _is_there(one: Appearance, there: Twins, named: Collection[tuple[str, ...]]) -> bool:
    """Return whether the next event has a namesake whom no other club tells apart."""
    if one.name not in named:
        return False
    return not one.club or not there.isdisjoint({(one.name, one.club), (one.name, "")})


def is_expected(times: int, events: int) -> bool:
    """Return whether a person who came so many ``times`` attended at least half of the events."""
    return times * 2 >= events


def _people(players: Sequence[Appearance]) -> Iterator[list[Appearance]]:
    """Yield the appearances of each person, the latest event first."""
    by_place = {one.place: one for one in players}
    groups = PersonGroups(by_place)
    for one, other in _pairs(players, groups):
        groups.join(one, other)
    for group in groups.all():
        yield [by_place[place] for place in sorted(group.places)]


def _pairs(players: Sequence[Appearance], known: PersonGroups) -> Iterator[tuple[Place, Place]]:
    """Yield two places of one person."""
    shared: dict[object, Place] = {}
    for one in players:
        if one.origin is not None and one.origin in known:
            yield one.place, one.origin
        for held in (one.account, *one.memberships):
            if held is not None:
                yield one.place, shared.setdefault(held, one.place)
    yield from same_name_pairs(players)
