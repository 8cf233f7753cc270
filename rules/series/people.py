"""Who is who over the events of a series.

What is known for certain makes two players one person, from the strongest to the weakest: an
account, an entry that was copied from another, a decision, a membership number under one name and,
if the series says so, a name. What may be a mistake is only suggested. Nobody is two players of one
event, and what was decided to be two people stays two.

Source: series, A5 and A10.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from rules.errors import BadInput
from rules.people.appearances import Appearance, PersonGroups, Place, same_name_pairs

MEMBERSHIP, NAME = "membership", "name"
"""Why two may be one person."""
Pairs = Collection[tuple[Place, Place]]


@dataclass(frozen=True, slots=True)
class MergeSuggestion:
    """A suggestion that two people of a series are the same person.

    Each is given by the first of their entries, (index of the event, player's number); ``reason``
    is "membership" or "name".
    """

    one: Place
    other: Place
    reason: str


@dataclass(frozen=True)
class GroupedPeople:
    """The people of a series, each with their entries, and suggestions which two may be one.

    Each entry is (index of the event, player's number). ``groups`` holds each person's entries in
    the order of the events; people are in the order of their first entries.
    """

    groups: tuple[tuple[Place, ...], ...]
    suggestions: tuple[MergeSuggestion, ...]

    @cached_property
    def group_of(self) -> Mapping[Place, tuple[Place, ...]]:
        """Return the places of the person at each place."""
        return {place: group for group in self.groups for place in group}


def group_people(
    players: Sequence[Appearance],
    *,
    same: Pairs = (),
    apart: Pairs = (),
    names_are_people: bool = False,
) -> GroupedPeople:
    """Return the people behind the entries of a series, and suggestions which two may be one.

    ``same`` and ``apart`` are the pairs of entries that organisers joined or separated. Entries
    that are ``barred`` are erased or have no name: only a decision joins them with others.
    ``names_are_people``: players of one name are one person; if an event has two of that name, only
    a common club joins them.
    """
    ordered = sorted(players, key=attrgetter("place"))
    known = [one for one in ordered if not one.barred]
    found = _Joining([one.place for one in ordered], apart)
    found.join_alike(known, lambda one: () if one.account is None else (one.account,))
    found.join_pairs((one.place, one.origin) for one in known if one.origin is not None)
    found.join_pairs(sorted((min(pair), max(pair)) for pair in same))
    found.join_alike(known, lambda one: [(one.name, number) for number in sorted(one.memberships)])
    if names_are_people:
        found.join_pairs(same_name_pairs(known))
    groups = tuple(tuple(sorted(group.places)) for group in found.groups.all())
    first_of = {place: group[0] for group in groups for place in group}
    suggestions = sorted(_suggested(found, known, first_of), key=attrgetter("one", "other"))
    return GroupedPeople(groups, tuple(suggestions))


def check_same_person(people: GroupedPeople, places: Sequence[Place]) -> None:
    """Raise BadInput ``person_twice`` if these entries can't all be one person.

    That is if one of them, or of those known to be the same person, is in one event with another.
    ``places`` are (index of the event, player's number).
    """
    seen: dict[int, Place] = {}
    for at, place in enumerate(places):
        for event, number in people.group_of.get(place, (place,)):
            if seen.setdefault(event, (event, number)) != (event, number):
                raise BadInput(
                    "person_twice",
                    "Two players in the same event can’t be the same person.",
                    path=f"entries[{at}]",
                )


class _Joining:
    """Places being joined, as far as nobody becomes two players of one event or was told apart."""

    def __init__(self, places: Iterable[Place], apart: Pairs) -> None:
        self.groups = PersonGroups(places)
        self.strangers: defaultdict[Place, list[Place]] = defaultdict(list)
        for one, other in apart:
            if one in self.groups and other in self.groups:
                self.strangers[one].append(other)
                self.strangers[other].append(one)

    def may_join(self, one: Place, other: Place) -> bool:
        """Return whether two places of different groups may be one person."""
        own, others = self.groups[one], self.groups[other]
        if not own.events.isdisjoint(others.events):
            return False
        return not self.strangers or not any(
            self.groups[stranger] is others
            for place in own.places
            for stranger in self.strangers.get(place, ())
        )

    def join(self, one: Place, other: Place) -> bool:
        """Join the groups of two places if they may be; return whether they are one now."""
        if self.groups[one] is self.groups[other]:
            return True
        if not self.may_join(one, other):
            return False
        self.groups.join(one, other)
        return True

    def join_pairs(self, pairs: Iterable[tuple[Place, Place]]) -> None:
        for one, other in pairs:
            if one in self.groups and other in self.groups:
                self.join(one, other)

    def join_alike(
        self,
        players: Iterable[Appearance],
        marks: Callable[[Appearance], Iterable[Hashable]],
    ) -> None:
        """Join players who have a mark in common, each with the first that fits."""
        holders: defaultdict[Hashable, list[Place]] = defaultdict(list)
        for player in players:
            for mark in marks(player):
                for first in holders[mark]:
                    if self.join(first, player.place):
                        break
                else:
                    holders[mark].append(player.place)


def _suggested(
    found: _Joining, players: Sequence[Appearance], first_of: Mapping[Place, Place]
) -> Iterator[MergeSuggestion]:
    """Yield which groups may be one person; of many alike each with the first that fits.

    ``first_of`` is the first place of the group that a place belongs to.
    """
    by_number: defaultdict[Hashable, dict[Place, set[str]]] = defaultdict(dict)
    by_name: defaultdict[Hashable, dict[Place, set[str]]] = defaultdict(dict)
    for player in players:
        first = first_of[player.place]
        for number in player.memberships:
            by_number[number].setdefault(first, {""})
        by_name[player.name].setdefault(first, set()).add(player.club)
    told: set[tuple[Place, Place]] = set()
    for reason, alike in ((MEMBERSHIP, by_number), (NAME, by_name)):
        for clubs in alike.values():
            for pair in _pairs_that_fit(found, clubs):
                if pair not in told:
                    told.add(pair)
                    yield MergeSuggestion(*pair, reason)


def _pairs_that_fit(
    found: _Joining, clubs: Mapping[Place, Collection[str]]
) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of groups, of which each has one or more clubs under one name."""
    firsts: list[Place] = []
    for other, own in sorted(clubs.items()):
        fitting = [
            one
            for one in firsts
            if found.may_join(one, other)
            and ("" in own or "" in clubs[one] or not set(own).isdisjoint(clubs[one]))
        ]
        if not fitting:
            firsts.append(other)
        for one in fitting:
            yield one, other
