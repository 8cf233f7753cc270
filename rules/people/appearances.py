"""Players over several events: their entries, in groups of one person each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
