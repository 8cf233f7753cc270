"""Who came to the last events of a chain, each person once, and how often.

Two players are one person if one's entry came from the other, if they have an account or a
membership number in common, else if they have a name that nobody else has in any of the events.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

Place = tuple[int, int]
"""Which event, 0 the next one and 1 the last, and the player's number in it."""


Twins = Set[tuple[tuple[str, ...], str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """A player's entry in one of a chain of events.

    ``name`` and ``club`` are folded keys. ``origin`` is the entry of an earlier event that it was
    copied from, ``came`` whether the player took part. A person ``barred`` in one event (erased or
    disqualified) is never a regular.
    """

    place: Place
    name: tuple[str, ...]
    club: str = ""
    account: int | None = None
    memberships: frozenset[tuple[str, str]] = frozenset()
    origin: Place | None = None
    came: bool = True
    barred: bool = False


@dataclass(frozen=True, slots=True)
class Regular:
    """A person with all their entries, the latest event first.

    ``times`` is the number of events they took part in.
    """

    places: tuple[Place, ...]
    times: int


def regulars(players: Sequence[Appearance]) -> list[Regular]:
    """Return the people who attended before and are not in the next event (number 0) yet.

    Without those who are barred. The most frequent come first.
    """
    found = []
    there = {(one.name, one.club) for one in players if one.place[0] == 0}
    named = {name for name, _club in there}
    for group in _people(players):
        events = {one.place[0] for one in group if one.came}
        gone = any(one.barred or one.place[0] == 0 for one in group)
        if events and not gone and not any(_is_there(one, there, named) for one in group):
            places = sorted((one.place for one in group if one.came), key=lambda place: place[0])
            found.append(Regular(tuple(places), len(events)))
    return sorted(found, key=lambda one: (-one.times, one.places))


def _is_there(one: Appearance, there: Twins, named: Collection[tuple[str, ...]]) -> bool:
    """Return whether the next event has a namesake whom no other club tells apart."""
    if one.name not in named:
        return False
    return not one.club or not there.isdisjoint({(one.name, one.club), (one.name, "")})


def is_expected(times: int, events: int) -> bool:
    """Return whether a person attended at least half of the events."""
    return times * 2 >= events


def _people(players: Sequence[Appearance]) -> Iterator[list[Appearance]]:
    """Yield the appearances of each person."""
    parent: dict[Place, Place] = {one.place: one.place for one in players}

    def root(place: Place) -> Place:
        while parent[place] != place:
            place = parent[place]
        return place

    for one, other in _pairs(players, parent):
        parent[root(one)] = root(other)
    groups = defaultdict[Place, list[Appearance]](list)
    for player in players:
        groups[root(player.place)].append(player)
    yield from groups.values()


def _pairs(players: Sequence[Appearance], known: Iterable[Place]) -> Iterator[tuple[Place, Place]]:
    """Yield two places of one person."""
    there = set(known)
    shared: dict[object, Place] = {}
    for one in players:
        if one.origin in there and one.origin is not None:
            yield one.place, one.origin
        for held in (one.account, *one.memberships):
            if held is not None:
                yield one.place, shared.setdefault(held, one.place)
    by_name = defaultdict[tuple[str, ...], list[Appearance]](list)
    for one in players:
        by_name[one.name].append(one)
    for alike in by_name.values():
        yield from _of_one_name(alike)


def _of_one_name(alike: Sequence[Appearance]) -> Iterator[tuple[Place, Place]]:
    """Yield the pairs of one name: where an event has two of it, their clubs must be the same."""
    events = Counter(one.place[0] for one in alike)
    clubs = Counter((one.place[0], one.club) for one in alike)
    first: dict[str, Appearance] = {}
    twins = any(count > 1 for count in events.values())
    for one in alike:
        if twins and (not one.club or clubs[one.place[0], one.club] > 1):
            continue
        key = one.club if twins else ""
        yield one.place, first.setdefault(key, one).place
