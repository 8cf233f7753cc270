"""The people of a series: which entries of its events are one person, and what they are called."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from rules.names import name_key
from rules.people.appearances import Appearance, Place
from rules.series.people import GroupedPeople, MergeSuggestion, group_people
from tournaments.core.names import compute_name_marks, erased_player_label, same_name_key
from tournaments.models import Entry, Event, PersonDecision, Series
from tournaments.repeats.selectors import erased_players

COLUMNS = (
    *("pk", "event_id", "number", "name", "club", "user_id", "origin_id", "contact__memberships"),
)


class SeriesEntry(NamedTuple):
    """An entry of a series' event, with the columns that tell which person it is.

    ``origin_id`` is the entry that it was copied from.
    """

    pk: int
    event_id: int
    number: int
    name: str
    club: str
    user_id: int | None
    origin_id: int | None
    memberships: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a series, with their entries in the order of events.

    ``key`` is the smallest primary key of the entries; that of any entry finds the person. Name and
    club are those of the latest event. ``mark`` distinguishes people with the same name.
    """

    key: int
    entries: tuple[SeriesEntry, ...]
    mark: str = ""

    surname = ""

    @property
    def number(self) -> int:
        """Return the key, as names are told apart by number."""
        return self.key

    @property
    def name(self) -> str:
        """Return the name in the latest event."""
        return self.entries[-1].name

    @property
    def club(self) -> str:
        """Return the club in the latest event."""
        return self.entries[-1].club

    @property
    def display_name(self) -> str:
        """Return the name with the mark, if there is one."""
        return f"{self.name} ({self.mark})" if self.mark else self.name


@dataclass(frozen=True, slots=True)
class SeriesPeople:
    """The people of a series, by key, by entry and by (event key, player number).

    ``doubtful`` are pairs that may be the same person, with the reason.
    """

    by_key: Mapping[int, Person]
    of_entry: Mapping[int, Person]
    of_player: Mapping[tuple[int, int], Person]
    grouped: GroupedPeople
    doubtful: tuple[tuple[Person, Person, str], ...]


def identify_people(series: Series, events: Sequence[Event]) -> SeriesPeople:
    """Return the people who play in these events of a series.

    ``events`` are in the order of play. Three queries.
    """
    entries = [
        SeriesEntry(*row)
        for row in Entry.objects.filter(event__in=events).order_by("pk").values_list(*COLUMNS)
    ]
    at = {event.pk: index for index, event in enumerate(events)}
    places = {one.pk: (at[one.event_id], one.number) for one in entries}
    by_place = {place: one for one, place in zip(entries, places.values(), strict=True)}
    same, apart = decided_pairs(series, places)
    erased, key_of = erased_players(events), cache(same_name_key)
    grouped = group_people(
        [_appearance(one, places, erased, key_of(one.name)) for one in entries],
        same=same,
        apart=apart,
        names_are_people=series.names_are_people,
    )
    people = [_person(by_place[place] for place in group) for group in grouped.groups]
    marks = compute_name_marks(people)
    people = [Person(one.key, one.entries, marks.get(one.key, "")) for one in people]
    of_entry = {entry.pk: one for one in people for entry in one.entries}
    of_player = {(entry.event_id, entry.number): one for one in people for entry in one.entries}

    def pair(doubt: MergeSuggestion) -> tuple[Person, Person, str]:
        one, other = by_place[doubt.one], by_place[doubt.other]
        return of_entry[one.pk], of_entry[other.pk], doubt.reason

    return SeriesPeople(
        by_key={one.key: one for one in people},
        of_entry=of_entry,
        of_player=of_player,
        grouped=grouped,
        doubtful=tuple(map(pair, grouped.suggestions)),
    )


def _person(entries: Iterable[SeriesEntry]) -> Person:
    own = tuple(entries)
    return Person(min(one.pk for one in own), own)


Pairs = list[tuple[Place, Place]]


def decided_pairs(series: Series, places: Mapping[int, Place]) -> tuple[Pairs, Pairs]:
    """Return (pairs that are the same person, pairs that are not), as organisers decided.

    ``places`` are (index of the event, player number) by entry key. One query.
    """
    found: dict[tuple[bool, int], list[Place]] = {}
    for row in PersonDecision.objects.filter(series=series):
        if row.entry_id in places:
            found.setdefault((row.same, row.number), []).append(places[row.entry_id])
    same: Pairs = []
    apart: Pairs = []
    for (is_same, _number), own in found.items():
        if is_same:
            same += [(own[0], other) for other in own[1:]]
        else:
            apart += [(one, other) for at, one in enumerate(own) for other in own[at + 1 :]]
    return same, apart


NO_NUMBERS = frozenset[tuple[str, str]]()


def _numbers(memberships: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((key, number.casefold()) for key, number in memberships.items())


_label = lru_cache(maxsize=4096)(erased_player_label)


def _appearance(
    one: SeriesEntry,
    places: Mapping[int, Place],
    erased: frozenset[tuple[int, int]],
    name: tuple[str, ...],
) -> Appearance:
    gone = (one.event_id, one.number) in erased or one.name == _label(one.number)
    return Appearance(
        place=places[one.pk],
        name=name,
        club=name_key(one.club) if one.club else "",
        account=one.user_id,
        memberships=_numbers(one.memberships) if one.memberships else NO_NUMBERS,
        origin=places.get(one.origin_id or 0),
        barred=gone,
    )


def person_decisions(series: Series, people: SeriesPeople) -> list[dict[str, Any]]:
    """Return organisers' decisions on who is the same person, latest first.

    Each is {"same": bool, "people": tuple}. One query.
    """
    found: dict[tuple[int, bool], dict[int, Person]] = {}
    for row in PersonDecision.objects.filter(series=series, entry__in=people.of_entry):
        person = people.of_entry[row.entry_id]
        found.setdefault((-row.number, row.same), {})[person.key] = person
    return [
        {"same": same, "people": tuple(own.values())}
        for (_number, same), own in sorted(found.items())
        if (len(own) == 1) == same
    ]
