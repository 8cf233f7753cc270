"""Players over several events: their entries, in groups of one person each, and the regulars.

Regulars are the people who came to the last events of a chain, of which event 0 is the next one and
1 the last. Two players are one person if one's entry came from the other, if they have an account
or a membership number in common, else if they have a name that nobody else has in any of the
events. A person barred in one event (erased or disqualified) is never a regular.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

Place = tuple[int, int]
"""The index of an event among several, and the player's number in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """A player's entry in one of several events.

    ``place`` is (index of the event, player's number); ``name`` and ``club`` are folded for
    comparison. ``memberships`` are (key, number). ``origin`` is the entry of another event that it
    was copied from, ``came`` whether the player took part. ``barred``: erased or disqualified, and
    so not to be recognised in other events.
    """

    place: Place
    name: tuple[str, ...]
    club: str = ""
    account: int | None = None
    memberships: frozenset[tuple[str, str]] = frozenset()
    origin: Place | None = None
    came: bool = True
    barred: bool = False


@dataclass(slots=True, eq=False)
class PersonGroup:
    """The entries of one person, and the indexes of the events they are in.

    Each of the ``places`` is (index of the event, player's number).
    """

    places: list[Place]
    events: set[int]


class PersonGroups(dict[Place, PersonGroup]):
    """Entries grouped by person: each in a group of its own until joined with others.

    The keys are (index of the event, player's number).
    """

    def __init__(self, places: Iterable[Place]) -> None:
        super().__init__({place: PersonGroup([place], {place[0]}) for place in places})

    def join(self, one: Place, other: Place) -> None:
        """Make one group of the groups of two places."""
        larger, smaller = self[one], self[other]
        if larger is smaller:
            return
        if len(larger.places) < len(smaller.places):
            larger, smaller = smaller, larger
        larger.places += smaller.places
        larger.events |= smaller.events
        for place in smaller.places:
            self[place] = larger

    def all(self) -> Iterable[PersonGroup]:
        """Return the groups in the order of the places that were given first."""
        return {id(group): group for group in self.values()}.values()


def same_name_pairs(players: Iterable[Appearance]) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of entries with the same name, which may be one person.

    If an event has two players of that name, only entries with the same club are paired, and none
    whose event has two of that club. Each entry is (index of the event, player's number).
    """
    by_name = defaultdict[tuple[str, ...], list[Appearance]](list)
    for one in players:
        by_name[one.name].append(one)
    for alike in by_name.values():
        yield from _pairs_among(alike)


def _pairs_among(alike: Sequence[Appearance]) -> Iterator[tuple[Place, Place]]:
    events = Counter(one.place[0] for one in alike)
    clubs = Counter((one.place[0], one.club) for one in alike)
    first: dict[str, Appearance] = {}
    twins = any(count > 1 for count in events.values())
    for one in alike:
        if twins and (not one.club or clubs[one.place[0], one.club] > 1):
            continue
        key = one.club if twins else ""
        yield one.place, first.setdefault(key, one).place


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
