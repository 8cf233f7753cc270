"""People of a list before they are entered, and who of them may be there already."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.names import name_key
from rules.people.contacts import BroughtContact, brought, key_of, repeated
from rules.people.person_names import Person
from rules.people.surnames import split_name
from tournaments.core.names import twin_key
from tournaments.models import Contact, Event
from tournaments.players.selectors.contacts import contact_terms


class Who(StrEnum):
    """What was said of somebody in a list who has the name of another: one person, or two."""

    SAME = "same"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Namesake:
    """Somebody of a list with the name of a player, or of somebody further up in the list.

    ``name`` is that of the first, ``number`` the player's, ``line`` the place in the list: one of
    them is 0. ``mark`` names this person of the list, whatever else is in it.
    """

    mark: str
    name: str
    number: int = 0
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedRow:
    """A pasted player to be confirmed; ``namesake`` is whom they may be, ``who`` what was said.

    ``before`` and ``after`` are the parts of the name around the surname. ``email`` and ``numbers``
    (those of each membership in the list, whether another has it too) are a contact, ``wrong`` is
    what can't be one. ``called`` is what they will be called where their club tells them from
    others of their name, else "".
    """

    name: str
    before: str
    surname: str
    after: str
    club: str
    byes: int
    called: str
    namesake: Namesake | None
    who: str
    email: str
    numbers: tuple[tuple[str, bool], ...]
    wrong: tuple[str, ...]

    @property
    def added(self) -> bool:
        """Return whether the player will be entered."""
        return self.namesake is None or self.who == Who.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedPlayers:
    """Pasted players; ``memberships`` are called as the event calls them.

    ``contacts`` says whether there are any, or words that can't be one.
    """

    rows: tuple[PastedRow, ...]
    memberships: tuple[str, ...]
    emails: bool
    contacts: bool

    @property
    def namesakes(self) -> int:
        """Return how many have the name of another."""
        return sum(row.namesake is not None for row in self.rows)

    @property
    def open(self) -> int:
        """Return of how many of these nothing was said."""
        return sum(row.namesake is not None and not row.who for row in self.rows)

    @property
    def added(self) -> int:
        """Return how many will be entered."""
        return sum(row.added for row in self.rows)

    @property
    def wrong(self) -> int:
        """Return how many contacts can't be one."""
        return sum(len(row.wrong) for row in self.rows)

    @property
    def byes(self) -> bool:
        """Return whether somebody has byes."""
        return any(row.byes for row in self.rows)


def pasted_players(
    event: Event, people: Sequence[Person], said: Mapping[str, str]
) -> PastedPlayers:
    """Return pasted people with their contacts; two queries, three where there are memberships.

    ``said`` is what was said of namesakes, by their marks.
    """
    contacts = [brought(person.contact) for person in people]
    keys = tuple(dict.fromkeys(key for one in contacts for key in one.memberships))
    there = Contact.objects.filter(entry__event=event).values_list("memberships", flat=True)
    twice = repeated((*(there if keys else ()), *(one.memberships for one in contacts)))
    names = {key_of(name): name for name in contact_terms(event).memberships}
    called = _twins_in_words(event, people)
    rows = zip(people, contacts, namesakes_in(event, people), strict=True)
    return PastedPlayers(
        rows=tuple(
            _row(person, contact, keys, twice, called.get(at, ""), namesake, said)
            for at, (person, contact, namesake) in enumerate(rows)
        ),
        memberships=tuple(names.get(key, key) for key in keys),
        emails=any(one.email for one in contacts),
        contacts=any(person.contact for person in people),
    )


def _row(
    person: Person,
    contact: BroughtContact,
    keys: Sequence[str],
    twice: Collection[tuple[str, str]],
    called: str,
    namesake: Namesake | None,
    said: Mapping[str, str],
) -> PastedRow:
    name, club, given, byes, _contact = person
    numbers = ((key, contact.memberships.get(key, "")) for key in keys)
    surname, _rest = split_name(name, given)
    ends = name.endswith(surname)
    before, after = (name[: -len(surname)], "") if ends else ("", name[len(surname) :])
    return PastedRow(
        name=name,
        before=before,
        surname=surname,
        after=after,
        club=club,
        byes=byes,
        called=called,
        namesake=namesake,
        who=said.get(namesake.mark, "") if namesake else "",
        email=contact.email,
        numbers=tuple((text, (of, text.casefold()) in twice) for of, text in numbers),
        wrong=contact.wrong,
    )


def namesakes_in(event: Event, people: Sequence[Person]) -> list[Namesake | None]:
    """Return for each of a list the player of this name, or somebody further up; one query.

    Two of the list whom club or contact tell apart are two people.
    """
    players = event.entries.order_by("-number").values_list("number", "name")
    there = {twin_key(name): (number, name) for number, name in players}
    seen = defaultdict[tuple[str, ...], list[tuple[int, Person]]](list)
    found: list[Namesake | None] = []
    for line, person in enumerate(people, start=1):
        key = twin_key(person.name)
        alike = (known for known in seen[key] if not _told_apart(known[1], person))
        above, first = next(alike, (0, None))
        seen[key].append((line, person))
        mark = f"{' '.join(key)} {len(seen[key])}"
        if key in there:
            number, name = there[key]
            found.append(Namesake(mark=mark, name=name, number=number))
        elif first is not None:
            found.append(Namesake(mark=mark, name=first.name, line=above))
        else:
            found.append(None)
    return found


def _told_apart(one: Person, other: Person) -> bool:
    """Return whether two of one name have different clubs, addresses or numbers."""
    if one.club and other.club and name_key(one.club) != name_key(other.club):
        return True
    first, second = dict(one.contact), dict(other.contact)
    return any(first[key].casefold() != second[key].casefold() for key in first.keys() & second)


def _twins_in_words(event: Event, people: Sequence[Person]) -> dict[int, str]:
    """Return how those of a list will be called whose club tells them from others of their name.

    By their places in the list; one query.
    """
    players = event.entries.values_list("name", "club")
    named = [*((one.name, one.club) for one in people), *players]
    names = Counter(twin_key(name) for name, _club in named)
    clubs = Counter((twin_key(name), name_key(club)) for name, club in named)
    return {
        at: f"{one.name} ({one.club})"
        for at, one in enumerate(people)
        if one.club
        and names[twin_key(one.name)] > 1
        and clubs[twin_key(one.name), name_key(one.club)] == 1
    }
