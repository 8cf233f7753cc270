"""People of a list before they are entered, and who of them may be there already."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from config.wording import translate
from rules.names import name_key
from rules.people.contacts import ParsedContact, parse_contact, shared_memberships
from rules.people.person_names import Person
from rules.people.surnames import split_name, surname_words
from tournaments.core.names import compute_name_marks, name_with_mark, same_name_key
from tournaments.models import Contact, Entry, Event
from tournaments.players.selectors.answers import contact_terms, membership_name


class NamesakeAnswer(StrEnum):
    """The organiser's answer on a namesake: the same person or another one."""

    SAME = "same"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Namesake:
    """A pasted person with the name of a player, or of an earlier pasted person.

    ``name`` is that player's or person's. ``number`` is the player's, else 0; ``line`` the earlier
    person's 1-based position, else 0. ``mark`` identifies the pasted person in forms.
    """

    mark: str
    name: str
    number: int = 0
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedRow:
    """A pasted person in the preview, to be confirmed.

    ``words`` are (word of the name, whether part of the surname). ``namesake`` is the person they
    may be, ``who`` the user's ``NamesakeAnswer``, "" if open. ``numbers`` are (membership, number,
    whether another person has it); ``wrong`` are unreadable contacts. ``called`` is the name
    displayed if others have the same, else "". ``key`` identifies the row; a ``ticked`` one is to
    be added; ``remark`` and ``doubt`` are those of ``Person``.
    """

    key: str
    ticked: bool
    remark: str
    doubt: str
    name: str
    words: tuple[tuple[str, bool], ...]
    club: str
    byes: int
    called: str
    namesake: Namesake | None
    who: str
    email: str
    numbers: tuple[tuple[str, str, bool], ...]
    wrong: tuple[str, ...]

    @property
    def added(self) -> bool:
        """Return whether the player will be entered."""
        return self.ticked and (self.namesake is None or self.who == NamesakeAnswer.OTHER)

    @property
    def to_look_at(self) -> bool:
        """Return whether somebody has to decide, or to mend something."""
        twice = any(twice for _name, _number, twice in self.numbers)
        asked = self.namesake is not None and not self.who
        return bool(self.wrong or self.doubt) or twice or asked

    @property
    def tells(self) -> bool:
        """Return whether there is something to know of the player."""
        return bool(self.namesake or self.called or self.wrong or self.remark or self.doubt)

    @property
    def shown_in(self) -> tuple[str, ...]:
        return ("look",) * self.to_look_at + ("twins",) * bool(self.called)

    @property
    def state(self) -> str:
        """Return the CSS classes of the row."""
        return " ".join((*self.shown_in, *(() if self.added else ("left-open",))))


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedPlayers:
    """The preview of pasted players.

    ``memberships`` are the names of those with values; ``emails``: some have an address;
    ``contacts``: some have a contact, readable or not.
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
    def new(self) -> int:
        """Return how many have a name of their own."""
        return sum(row.ticked for row in self.rows) - self.namesakes

    @property
    def tells(self) -> bool:
        """Return whether there is something to know of a player."""
        return any(row.tells for row in self.rows)

    def shown_in(self, key: str) -> int:
        """Return how many a filter shows."""
        return sum(key in row.shown_in for row in self.rows)

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


def ticked_rows(people: Sequence[Person], ticks: Mapping[str, bool]) -> list[tuple[str, bool]]:
    """Return [(row key, is ticked)] of a list of people.

    ``ticks`` are the user's, by row key; other rows are ticked unless in doubt.
    """
    seen = Counter[str]()
    rows = []
    for person in people:
        seen[person.name] += 1
        key = f"{person.name} {seen[person.name]}"
        rows.append((key, ticks.get(key, person.doubt is None)))
    return rows


def preview_pasted_players(
    event: Event, people: Sequence[Person], said: Mapping[str, str], ticks: Mapping[str, bool]
) -> PastedPlayers:
    """Return the preview of pasted people; two queries, three with memberships.

    ``said``: {row key of a person whose name is already entered: ``NamesakeAnswer``}; ``ticks``:
    {row key: whether the user ticked it}, other rows are ticked unless in doubt.
    """
    ticked = ticked_rows(people, ticks)
    places = [at for at, (_key, on) in enumerate(ticked) if on]
    namesakes = {
        at: replace(namesake, line=namesake.line and places[namesake.line - 1] + 1)
        for at, namesake in zip(
            places, find_namesakes(event, [people[at] for at in places]), strict=True
        )
        if namesake is not None
    }
    contacts = [parse_contact(person.contact) for person in people]
    keys = tuple(dict.fromkeys(key for one in contacts for key in one.memberships))
    there = Contact.objects.filter(entry__event=event).values_list("memberships", flat=True)
    twice = shared_memberships((*(there if keys else ()), *(one.memberships for one in contacts)))
    asked = contact_terms(event).memberships
    names = {key: membership_name(key, asked) for key in keys}
    rows = [
        _row(tick, person, contact, names, twice, namesakes.get(at), said)
        for at, (tick, person, contact) in enumerate(zip(ticked, people, contacts, strict=True))
    ]
    called = _twins_in_words(event, rows)
    return PastedPlayers(
        rows=tuple(replace(row, called=called.get(at, "")) for at, row in enumerate(rows)),
        memberships=tuple(names.values()),
        emails=any(one.email for one in contacts),
        contacts=any(person.contact for person in people),
    )


def _row(
    tick: tuple[str, bool],
    person: Person,
    contact: ParsedContact,
    names: Mapping[str, str],
    twice: Collection[tuple[str, str]],
    namesake: Namesake | None,
    said: Mapping[str, str],
) -> PastedRow:
    name, club, given, byes = person[:4]
    surname, _rest = split_name(name, given)
    numbers = ((key, contact.memberships.get(key, "")) for key in names)
    key, ticked = tick
    return PastedRow(
        key=key,
        ticked=ticked,
        remark=person.remark,
        doubt=translate(person.doubt) if person.doubt else "",
        name=name,
        words=tuple(surname_words(name, surname)),
        club=club,
        byes=byes,
        called="",
        namesake=namesake,
        who=said.get(namesake.mark, "") if namesake else "",
        email=contact.email,
        numbers=tuple((names[key], text, (key, text.casefold()) in twice) for key, text in numbers),
        wrong=contact.wrong,
    )


def find_namesakes(event: Event, people: Sequence[Person]) -> list[Namesake | None]:
    """Return for each person the player or earlier person of that name, or None.

    Two people of the list who differ in club or contact are no namesakes. One query.
    """
    players = event.entries.order_by("-number").values_list("number", "name")
    there = {same_name_key(name): (number, name) for number, name in players}
    seen = defaultdict[tuple[str, ...], list[tuple[int, Person]]](list)
    found: list[Namesake | None] = []
    for line, person in enumerate(people, start=1):
        key = same_name_key(person.name)
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


def _twins_in_words(event: Event, rows: Sequence[PastedRow]) -> dict[int, str]:
    """Return how those of a list who will be entered are called where others have their name.

    By their places in the list; one query.
    """
    players = list(event.entries.only("event", "number", "name", "club"))
    last = max((player.number for player in players), default=0)
    added = [at for at, row in enumerate(rows) if row.added]
    entered = {
        at: Entry(number=number, name=rows[at].name, club=rows[at].club)
        for number, at in enumerate(added, start=last + 1)
    }
    marks = compute_name_marks([*players, *entered.values()])
    return {
        at: name_with_mark(entry.name, marks[entry.number])
        for at, entry in entered.items()
        if entry.number in marks
    }
